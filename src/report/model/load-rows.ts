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
  admitted: percentiles.describe('For served requests; null: there were none.'),
  refused: percentiles.describe('For refused requests; null: there were none.'),
})

const worstStretch = z.object({
  figure: text('The name of the figure, as gates use it.'),
  everyMs: number('The length of each interval, in milliseconds.'),
  startedAt: number("When the worst interval began, in milliseconds since the run's start."),
  value: number('The figure in that interval.'),
})

const behaviours = ['compliant', 'hammering'] as const

export const loadRow = z.object({
  profile: text('The probe that sent it.'),
  plan: text('The name of the plan whose key it was sent with.'),
  behaviour: z
    .enum(behaviours)
    .optional()
    .describe(
      'What its clients do after a refusal: `compliant` ones wait as told, `hammering` ones do not. Absent if the load plays no clients.',
    ),
  planned: number('Requests planned.'),
  sent: number('Requests sent: answered, failed, timed out and lost together.'),
  answered: number('Requests with an answer of any status.'),
  errors: number('Requests whose connection broke before the answer was read, or whose answer is not HTTP.'),
  timeouts: number('Requests without an answer within the time limit.'),
  lost: number('Requests whose connection ended before an answer came.'),
  connections: number('How many connections it used.'),
  startedAt: number("When its first request was sent, in milliseconds since the run's start."),
  endedAt: number("When its last request was sent, in milliseconds since the run's start."),
  latencyMs: latency.describe('Time from sending to the answer, in milliseconds.'),
  latencyFromPlannedMs: latency
    .nullable()
    .describe('The same from the planned moment of sending; null if the load had no schedule.'),
  scheduleErrorMs: z
    .object({
      p50: number('Half of the requests were at most this far off.'),
      p99: number('All but one in a hundred were at most this far off.'),
      max: number('The farthest off.'),
    })
    .nullable()
    .describe('How far from their planned moments requests left, in milliseconds; null if the load had no schedule.'),
  late: flag(
    'Whether the load was so late that its schedule proves nothing: one request in a hundred by more than 10 ms.',
  ).default(false),
  stoodStillMs: number('The longest time for which the generator itself stalled, in milliseconds.').default(0),
  problem: textOrNull('Why the load ended early, in a sentence; null if it did not, or if that was planned.').default(
    null,
  ),
  worstStretches: z
    .array(worstStretch)
    .default([])
    .describe('For each figure that a gate bounds in intervals of `everyMs`: the worst interval.'),
})

export const vantageRow = z.object({
  agent: text('The name of the agent: `eu-1`.'),
  name: text('The name that the run asked for: `eu` for `eu-1`.'),
  target: text('The address that it sent to.'),
  key: text('The name of the key that it sent with.'),
  profile: text('The probe that it sent for.'),
  planned: number('Requests that it had to send.'),
  sent: number('Requests that it sent.'),
  admitted: number('Those that were served.'),
  refused: number('Those that were refused with 429.'),
  unknown: number('Those with any other answer, or none.'),
  untold: number('How many of the unknown ones may not have been sent.'),
  clockErrorMs: number(
    "How far its clock may be off the run's, in milliseconds; each of its times is an interval that is wider by this much on both sides.",
  ),
  isClockKept: flag('False if its clock moved by more than quotaspec allows.'),
})

export const backoffRow = z.object({
  plan: text('The name of the plan.'),
  probe: text('The probe that played them.'),
  behaviour: z
    .enum(behaviours)
    .describe('`compliant` clients wait as told and back off; `hammering` clients continue at once.'),
  clients: number('How many clients there were.'),
  work: numberOrNull('How many requests the clients wanted served; null if they had no such number.'),
  sent: number('Requests sent.'),
  served: number('Those that were served.'),
  refused: number('Answered 429.'),
  wasted: number('Sent but not served, whatever the answer.'),
  rounds: number('How many times they started, at first and after each wait.'),
  startedAt: number("When the first request was sent, in milliseconds since the run's start."),
  endedAt: number("When the last answer came, in milliseconds since the run's start."),
  idealMs: numberOrNull(
    'The least time for the work if the whole limit returns one window after it was spent, in milliseconds; null without `work`.',
  ),
  stretchMs: number('The length of an interval of `attempts`, in milliseconds.'),
  attempts: z
    .array(z.tuple([z.number(), z.number(), z.number(), z.number()]))
    .describe(
      'The attempts in each interval since `startedAt`: its beginning, served, refused, anything else; without empty intervals.',
    ),
})

export const banRow = z.object({
  plan: text('The name of the plan.'),
  behaviour: z.enum(behaviours).describe('Which clients the run played.'),
  startedAt: numberOrNull(
    "When the first answer came that was not the limiter's, in milliseconds since the run's start; null if none came.",
  ),
  status: numberOrNull('The status of that answer; null if none came.'),
  refusedBefore: numberOrNull('Consecutive refusals before it; if no ban came, all refusals. Null if not counted.'),
  headers: texts('The rate-limit headers that came with it.'),
  lengthMs: numberOrNull('How long until the key was served again, in milliseconds; null if the run did not see that.'),
  askedMeanwhile: numberOrNull(
    'How many requests the run sent with the banned key before one was served; null if not counted.',
  ),
})

const answers = z.object({ count: number('How many there were.'), ...spread.shape }).nullable()

const costRound = z.object({
  round: number('The number of the round, from 1.'),
  admitted: answers.describe('Its served requests, in milliseconds from sending; null: there were none.'),
  refused: answers.describe('Its refused requests, in milliseconds from sending; null: there were none.'),
  stoodStillMs: number('The longest time for which the sending machine stalled meanwhile, in milliseconds.'),
})

export const costRow = z.object({
  plan: text('The name of the plan.'),
  admitted: answers.describe('Served requests, in milliseconds from sending; null: there were none.'),
  refused: answers.describe('Refused requests, in milliseconds from sending; null: there were none.'),
  share: numberOrNull(
    'The p50 of refusals divided by that of answers: 0.35. Null if there are too few of either, or if it is `withheld`.',
  ),
  withheld: flag(
    'Whether `share` is withheld because the machine stalled for so long that this may explain the difference.',
  ).default(false),
  rounds: z.array(costRound).default([]).describe('The same for each round; empty in reports without rounds.'),
})

const eventEffect = z.object({
  quota: text('The quota.'),
  plan: text('The plan, or the credential of a contract.'),
  limit: number('How many requests a window allows.'),
  least: numberOrNull(
    'The fewest extra requests that were admitted because of the event, up to one window after it, by the ways of counting that explain the time before and after it; null if none does.',
  ),
  most: numberOrNull('The same, at most.'),
  failed: number(
    'How many requests around the event got no answer from the target. Each may have been counted, so `most` includes it.',
  ).default(0),
})

export const eventRow = z.object({
  name: text('The name of the event.'),
  at: number("When its command began, in milliseconds since the run's start."),
  endedAt: number('When its command had ended.'),
  outageMs: numberOrNull('For how long answers failed, in milliseconds; null if none did.'),
  effects: z.array(eventEffect).describe('Its effect on each quota in use at that time.'),
  sentence: text('What it did, in a sentence.'),
})
