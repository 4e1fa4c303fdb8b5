import { z } from 'zod'

const spread = z.object({
  p50: z.number().describe('Half of them took no longer.'),
  p90: z.number().describe('Nine in ten took no longer.'),
  p99: z.number().describe('All but one in a hundred took no longer.'),
  max: z.number().describe('The longest.'),
})

const percentiles = spread.nullable()

const latency = z.object({
  admitted: percentiles.describe('Of requests that were served; null: there were none.'),
  refused: percentiles.describe('Of requests that were refused; null: there were none.'),
})

const worstStretch = z.object({
  figure: z.string().describe('The name of the figure, as gates name it.'),
  everyMs: z.number().describe('How long each stretch is, in milliseconds.'),
  startedAt: z.number().describe("When the worst one began, in milliseconds since the run's start."),
  value: z.number().describe('The figure in that stretch.'),
})

const behaviours = ['compliant', 'hammering'] as const

/** What was sent of one load, what became of it, and how well the schedule was kept. */
export const loadRow = z.object({
  profile: z.string().describe('The probe that sent it.'),
  plan: z.string().describe('The name of the plan that it was sent on.'),
  behaviour: z
    .enum(behaviours)
    .optional()
    .describe(
      'How the clients that it plays go on after a refusal: `compliant` ones wait as told, `hammering` ones do not; absent where it plays none.',
    ),
  planned: z.number().describe('Requests planned.'),
  sent: z.number().describe('Requests sent: answered, failed, timed out and lost together.'),
  answered: z.number().describe('Requests that were answered, whatever the status.'),
  errors: z
    .number()
    .describe('Requests whose connection broke before an answer was read, or whose answer is not HTTP.'),
  timeouts: z.number().describe('Requests without an answer within the time limit.'),
  lost: z.number().describe('Requests whose connection ended before an answer came.'),
  connections: z.number().describe('Connections that it was sent on.'),
  startedAt: z.number().describe("When its first request was sent, in milliseconds since the run's start."),
  endedAt: z.number().describe("When its last request was sent, in milliseconds since the run's start."),
  latencyMs: latency.describe('From sending to the answer, in milliseconds.'),
  latencyFromPlannedMs: latency
    .nullable()
    .describe('From the planned moment instead of the actual one; null where the profile had no schedule.'),
  scheduleErrorMs: z
    .object({
      p50: z.number().describe('Half of them were no later.'),
      p99: z.number().describe('All but one in a hundred were no later.'),
      max: z.number().describe('The latest.'),
    })
    .nullable()
    .describe('How long after its planned moment a request left, in milliseconds; null where no moments were planned.'),
  late: z
    .boolean()
    .default(false)
    .describe('Whether it was sent so late that its schedule proves nothing: one in a hundred by more than 10 ms.'),
  stoodStillMs: z
    .number()
    .default(0)
    .describe('The longest time for which the generator itself stood still, in milliseconds.'),
  problem: z
    .string()
    .nullable()
    .default(null)
    .describe('Why the load ended early, as a sentence; null where it did not, or where it was to end so.'),
  worstStretches: z
    .array(worstStretch)
    .default([])
    .describe('Of the stretches of `everyMs` each, the one in which a figure is worst: only what a gate asks for.'),
})

/** What one agent sent and saw of a profile on a key. */
export const vantageRow = z.object({
  agent: z.string().describe('The name of the agent: `eu-1`.'),
  name: z.string().describe('What it was asked for as: `eu` of `eu-1`.'),
  target: z.string().describe('The address that it sent to.'),
  key: z.string().describe('The name of the key that it sent with.'),
  profile: z.string().describe('The probe that it sent for.'),
  planned: z.number().describe('Requests that it was to send.'),
  sent: z.number().describe('Requests that it sent.'),
  admitted: z.number().describe('Those that were served.'),
  refused: z.number().describe('Those that were refused with 429.'),
  unknown: z.number().describe('Those with any other answer, or none.'),
  untold: z.number().describe('Of the unknown ones: those that may not have been sent.'),
  clockErrorMs: z
    .number()
    .describe(
      "By how much its clock may be off the run's, in milliseconds; its times count as intervals so much wider.",
    ),
  isClockKept: z.boolean().describe('False where its clock moved by more than is allowed.'),
})

/** Clients that went on as their behaviour has it, over all the rounds in which they were played on one key. */
export const backoffRow = z.object({
  plan: z.string().describe('The name of the plan.'),
  probe: z.string().describe('The probe that played them.'),
  behaviour: z.enum(behaviours).describe('`compliant` ones wait as told and back off; `hammering` ones go on at once.'),
  clients: z.number().describe('How many clients there were.'),
  work: z.number().nullable().describe('Requests that were to be served; null where they went on without an aim.'),
  sent: z.number().describe('Requests sent.'),
  served: z.number().describe('Those that were served.'),
  refused: z.number().describe('Answered 429.'),
  wasted: z.number().describe('Sent and not served, whatever came instead.'),
  rounds: z.number().describe('Times that they went on after a wait, the first one included.'),
  startedAt: z.number().describe("When the first request was sent, in milliseconds since the run's start."),
  endedAt: z.number().describe("When the last answer came, in milliseconds since the run's start."),
  idealMs: z
    .number()
    .nullable()
    .describe(
      'What the work takes at the least where the limit comes back at once, a window after it was spent; null: no aim.',
    ),
  stretchMs: z.number().describe('How long a stretch of `attempts` is, in milliseconds.'),
  attempts: z
    .array(z.tuple([z.number(), z.number(), z.number(), z.number()]))
    .describe(
      'The attempts in each stretch since `startedAt`: its beginning, served, refused, anything else; empty ones left out.',
    ),
})

/** A ban that was set off, or the try to set one off. */
export const banRow = z.object({
  plan: z.string().describe('The name of the plan.'),
  behaviour: z.enum(behaviours).describe('Who was banned.'),
  startedAt: z
    .number()
    .nullable()
    .describe(
      "When the first answer came that was another than the limiter's, in milliseconds since the run's start; null where none did.",
    ),
  status: z.number().nullable().describe('The status of that answer; null where none came.'),
  refusedBefore: z
    .number()
    .nullable()
    .describe('Refusals in a row before it, or in all where no ban came; null where that was not counted.'),
  headers: z.array(z.string()).describe('The rate-limit headers that came with it.'),
  lengthMs: z
    .number()
    .nullable()
    .describe('Until the key was served again, in milliseconds; null where that was not seen.'),
  askedMeanwhile: z
    .number()
    .nullable()
    .describe('How often the banned key was used before it was served again; null where that was not counted.'),
})

/** What one probe spent of one key. */
export const spendRow = z.object({
  key: z.string().describe('The name of the key; `strangers`: no valid one, `any`: whichever asked again.'),
  probe: z.string().describe('The name of the probe; `asked-again`: single requests that were sent once more.'),
  planned: z.number().describe('The most requests that it was to send.'),
  spent: z.number().describe('The requests that it sent.'),
})

const answers = z.object({ count: z.number().describe('How many there were.'), ...spread.shape }).nullable()

const costRound = z.object({
  round: z.number().describe('Which round it was, from 1.'),
  admitted: answers.describe('Requests that were served in it, in milliseconds from sending; null: there were none.'),
  refused: answers.describe('Requests that were refused in it, in milliseconds from sending; null: there were none.'),
  stoodStillMs: z
    .number()
    .describe('The longest time for which the machine that sent it stood still meanwhile, in milliseconds.'),
})

/** What answers of the loads that measure the limiter's cost took on one key, all rounds together. */
export const costRow = z.object({
  plan: z.string().describe('The name of the plan.'),
  admitted: answers.describe('Requests that were served, in milliseconds from sending; null: there were none.'),
  refused: answers.describe('Requests that were refused, in milliseconds from sending; null: there were none.'),
  share: z
    .number()
    .nullable()
    .describe(
      'What a refusal took of an answer, by their p50: 0.35 of it; null where either are too few to say, and where it is `withheld`.',
    ),
  withheld: z
    .boolean()
    .default(false)
    .describe(
      'Whether `share` is not told, since the machine stood still for so long that this may make the difference.',
    ),
  rounds: z.array(costRound).default([]).describe('The same for each round; empty in reports that do not tell them.'),
})

/** What an event did to the count of one key. */
const eventEffect = z.object({
  quota: z.string().describe('The quota.'),
  plan: z.string().describe('The plan, or the credential of a contract.'),
  limit: z.number().describe('How many requests a window allows.'),
  least: z
    .number()
    .nullable()
    .describe(
      'How many more than without the event were admitted at least, by the ways of counting that explain what came before and after it; null where none does.',
    ),
  most: z.number().nullable().describe('The same at most.'),
})

/** An event of the scenario, and what it did. */
export const eventRow = z.object({
  name: z.string().describe('The name of the event.'),
  at: z.number().describe("When its command began, in milliseconds since the run's start."),
  endedAt: z.number().describe('When its command had ended.'),
  outageMs: z.number().nullable().describe('For how long answers failed; null where none did.'),
  effects: z.array(eventEffect).describe('What it did to each quota that was in use then.'),
  sentence: z.string().describe('What it did, as a sentence.'),
})
