import { z } from 'zod'
import { flag, number, numberOrNull, text, textOrNull, texts } from '../../kit/described.js'

const spread = z.object({
  p50: number('Half of them took no longer.'),
  p90: number('Nine in ten took no longer.'),
  p99: number('All but one in a hundred took no longer.'),
  max: number('The longest.'),
})

const percentiles = spread.nullable()

const latency = z.object({
  admitted: percentiles.describe('Of requests that were served; null: there were none.'),
  refused: percentiles.describe('Of requests that were refused; null: there were none.'),
})

const worstStretch = z.object({
  figure: text('The name of the figure, as gates name it.'),
  everyMs: number('How long each stretch is, in milliseconds.'),
  startedAt: number("When the worst one began, in milliseconds since the run's start."),
  value: number('The figure in that stretch.'),
})

const behaviours = ['compliant', 'hammering'] as const

/** What was sent of one load, what became of it, and how well the schedule was kept. */
export const loadRow = z.object({
  profile: text('The probe that sent it.'),
  plan: text('The name of the plan that it was sent on.'),
  behaviour: z
    .enum(behaviours)
    .optional()
    .describe(
      'How the clients that it plays go on after a refusal: `compliant` ones wait as told, `hammering` ones do not; absent where it plays none.',
    ),
  planned: number('Requests planned.'),
  sent: number('Requests sent: answered, failed, timed out and lost together.'),
  answered: number('Requests that were answered, whatever the status.'),
  errors: number('Requests whose connection broke before an answer was read, or whose answer is not HTTP.'),
  timeouts: number('Requests without an answer within the time limit.'),
  lost: number('Requests whose connection ended before an answer came.'),
  connections: number('Connections that it was sent on.'),
  startedAt: number("When its first request was sent, in milliseconds since the run's start."),
  endedAt: number("When its last request was sent, in milliseconds since the run's start."),
  latencyMs: latency.describe('From sending to the answer, in milliseconds.'),
  latencyFromPlannedMs: latency
    .nullable()
    .describe('From the planned moment instead of the actual one; null where the profile had no schedule.'),
  scheduleErrorMs: z
    .object({
      p50: number('Half of them were no later.'),
      p99: number('All but one in a hundred were no later.'),
      max: number('The latest.'),
    })
    .nullable()
    .describe('How long after its planned moment a request left, in milliseconds; null where no moments were planned.'),
  late: flag(
    'Whether it was sent so late that its schedule proves nothing: one in a hundred by more than 10 ms.',
  ).default(false),
  stoodStillMs: number('The longest time for which the generator itself stood still, in milliseconds.').default(0),
  problem: textOrNull(
    'Why the load ended early, as a sentence; null where it did not, or where it was to end so.',
  ).default(null),
  worstStretches: z
    .array(worstStretch)
    .default([])
    .describe('Of the stretches of `everyMs` each, the one in which a figure is worst: only what a gate asks for.'),
})

/** What one agent sent and saw of a profile on a key. */
export const vantageRow = z.object({
  agent: text('The name of the agent: `eu-1`.'),
  name: text('What it was asked for as: `eu` of `eu-1`.'),
  target: text('The address that it sent to.'),
  key: text('The name of the key that it sent with.'),
  profile: text('The probe that it sent for.'),
  planned: number('Requests that it was to send.'),
  sent: number('Requests that it sent.'),
  admitted: number('Those that were served.'),
  refused: number('Those that were refused with 429.'),
  unknown: number('Those with any other answer, or none.'),
  untold: number('Of the unknown ones: those that may not have been sent.'),
  clockErrorMs: number(
    "By how much its clock may be off the run's, in milliseconds; its times count as intervals so much wider.",
  ),
  isClockKept: flag('False where its clock moved by more than is allowed.'),
})

/** Clients that went on as their behaviour has it, over all the rounds in which they were played on one key. */
export const backoffRow = z.object({
  plan: text('The name of the plan.'),
  probe: text('The probe that played them.'),
  behaviour: z.enum(behaviours).describe('`compliant` ones wait as told and back off; `hammering` ones go on at once.'),
  clients: number('How many clients there were.'),
  work: numberOrNull('Requests that were to be served; null where they went on without an aim.'),
  sent: number('Requests sent.'),
  served: number('Those that were served.'),
  refused: number('Answered 429.'),
  wasted: number('Sent and not served, whatever came instead.'),
  rounds: number('Times that they went on after a wait, the first one included.'),
  startedAt: number("When the first request was sent, in milliseconds since the run's start."),
  endedAt: number("When the last answer came, in milliseconds since the run's start."),
  idealMs: numberOrNull(
    'What the work takes at the least where the limit comes back at once, a window after it was spent; null: no aim.',
  ),
  stretchMs: number('How long a stretch of `attempts` is, in milliseconds.'),
  attempts: z
    .array(z.tuple([z.number(), z.number(), z.number(), z.number()]))
    .describe(
      'The attempts in each stretch since `startedAt`: its beginning, served, refused, anything else; empty ones left out.',
    ),
})

/** A ban that was set off, or the try to set one off. */
export const banRow = z.object({
  plan: text('The name of the plan.'),
  behaviour: z.enum(behaviours).describe('Who was banned.'),
  startedAt: numberOrNull(
    "When the first answer came that was another than the limiter's, in milliseconds since the run's start; null where none did.",
  ),
  status: numberOrNull('The status of that answer; null where none came.'),
  refusedBefore: numberOrNull(
    'Refusals in a row before it, or in all where no ban came; null where that was not counted.',
  ),
  headers: texts('The rate-limit headers that came with it.'),
  lengthMs: numberOrNull('Until the key was served again, in milliseconds; null where that was not seen.'),
  askedMeanwhile: numberOrNull(
    'How often the banned key was used before it was served again; null where that was not counted.',
  ),
})

/** What one probe spent of one key. */
export const spendRow = z.object({
  key: text('The name of the key; `strangers`: no valid one, `any`: whichever asked again.'),
  probe: text('The name of the probe; `asked-again`: single requests that were sent once more.'),
  planned: number('The most requests that it was to send.'),
  spent: number('The requests that it sent.'),
})

const answers = z.object({ count: number('How many there were.'), ...spread.shape }).nullable()

const costRound = z.object({
  round: number('Which round it was, from 1.'),
  admitted: answers.describe('Requests that were served in it, in milliseconds from sending; null: there were none.'),
  refused: answers.describe('Requests that were refused in it, in milliseconds from sending; null: there were none.'),
  stoodStillMs: number('The longest time for which the machine that sent it stood still meanwhile, in milliseconds.'),
})

/** What answers of the loads that measure the limiter's cost took on one key, all rounds together. */
export const costRow = z.object({
  plan: text('The name of the plan.'),
  admitted: answers.describe('Requests that were served, in milliseconds from sending; null: there were none.'),
  refused: answers.describe('Requests that were refused, in milliseconds from sending; null: there were none.'),
  share: numberOrNull(
    'What a refusal took of an answer, by their p50: 0.35 of it; null where either are too few to say, and where it is `withheld`.',
  ),
  withheld: flag(
    'Whether `share` is not told, since the machine stood still for so long that this may make the difference.',
  ).default(false),
  rounds: z.array(costRound).default([]).describe('The same for each round; empty in reports that do not tell them.'),
})

const eventEffect = z.object({
  quota: text('The quota.'),
  plan: text('The plan, or the credential of a contract.'),
  limit: number('How many requests a window allows.'),
  least: numberOrNull(
    'How many more than without the event were admitted at least until a window after it, by the ways of counting that explain what came before and after it; null where none does.',
  ),
  most: numberOrNull('The same at most.'),
  failed: number(
    'How many requests about it got no answer of the target: each may have been counted, and so is in `most`.',
  ).default(0),
})

/** An event of the scenario, and what it did. */
export const eventRow = z.object({
  name: text('The name of the event.'),
  at: number("When its command began, in milliseconds since the run's start."),
  endedAt: number('When its command had ended.'),
  outageMs: numberOrNull('For how long answers failed; null where none did.'),
  effects: z.array(eventEffect).describe('What it did to each quota that was in use then.'),
  sentence: text('What it did, as a sentence.'),
})
