import { z } from 'zod'
import { flag, number, numberOrNull, text, textOrNull, texts } from '../../kit/described.js'
import { verdict } from './judged-rows.js'

/** How a target differs from a refuted limiter model. */
export type RefutationReason = 'over-admission' | 'early-refusal' | 'both'

const counts = {
  sent: number('Requests sent.'),
  admitted: number('Those that were served.'),
  refused: number('Those that were refused with 429.'),
  unknown: number('Those that may or may not have counted: no answer tells.'),
}

const breachAnswer = z.object({
  id: text('The id of the exchange.'),
  receivedMs: number('When its answer came.'),
  outcome: z.enum(['admitted', 'refused']).describe('Its outcome.'),
  admitted: number('How many had been admitted in it by then.'),
})

/** A stretch, no longer than a window, that shows a quota to be broken. */
export const breach = z.object({
  kind: z
    .enum(['over-admission', 'early-refusal'])
    .describe(
      '`over-admission`: too much was admitted in it. `early-refusal`: a request at its end was refused too early.',
    ),
  fromMs: number('Its beginning.'),
  toMs: number('Its end.'),
  admitted: number(
    'For an over-admission, how many were certainly admitted within it; for an early refusal, how many at most.',
  ),
  refused: number('Refused within it.'),
  answers: z
    .array(z.tuple([z.number(), z.enum(['admitted', 'refused']), z.number()]))
    .describe('When each answer in it came, with how many had been admitted in it by then.'),
  shownBy: z
    .array(breachAnswer)
    .optional()
    .describe(
      'The answers that show the breach: the last one admitted within the limit and the first one beyond it, or the early refusal.',
    ),
  isBurst: flag('Whether it is the burst that `sent`, `admitted` and `refused` count.').optional(),
})

const refutation = z.object({
  // Any text in the published schema: a later version may have more reasons.
  reason: text('What such a limiter would not have done: `over-admission`, `early-refusal` or `both`.') as z.ZodType<
    RefutationReason,
    RefutationReason
  >,
  overAdmitted: number('How many admitted requests it would have refused.'),
  earlyRefused: number('How many refused requests it would have admitted.'),
  witnesses: texts('The ids of the exchanges that refute it.'),
})

const recovery = z.object({
  afterMs: numberOrNull('From the last refusal to the next admission, in milliseconds; null: the run saw none.'),
  retryAfterMs: numberOrNull("The wait in that refusal's Retry-After, in milliseconds; null: none."),
  resetAfterMs: numberOrNull("How far ahead that refusal's Reset was, in milliseconds; null: none."),
  lateMs: numberOrNull(
    'How long the key was still refused after the moment that Retry-After had named, in milliseconds; null if no request was sent then.',
  ),
})

const bucket = z.object({
  refill: number('How many requests, or units, flow in each time.'),
  everyMs: number('The interval of the refill, in milliseconds.'),
})

export const quotaRow = z.object({
  plan: text('The name of the plan; with a contract file, the name of what the quota counts by.'),
  window: text('`minute` or `day`, or the id of a quota of a contract file.'),
  limit: number('How many requests a window allows; if requests have costs, how many units.'),
  windowMs: number('How long a window was in this run, in milliseconds.'),
  bucket: bucket
    .optional()
    .describe(
      'For a bucket whose size the contract states: its refill. The bucket holds `limit` and takes `windowMs` to fill. Absent for any other quota.',
    ),
  sent: number(
    'Requests of the burst on a fresh window, with the request that opened it; if no burst was played, all requests on the key.',
  ),
  admitted: number('How many of `sent` were served.'),
  refused: number('How many of `sent` were refused with 429.'),
  unknown: number('How many of `sent` may or may not have counted: no answer tells.'),
  history: z.object(counts).describe('The same for everything that this run sent on the key.'),
  verdict,
  reason: text('Why it is not judged, in a sentence; absent if it is.').optional(),
  unproven: z
    .enum(['never-refused', 'rules-not-tested'])
    .optional()
    .describe(
      'Why a quota is `not-tested` although every answer fits its limit: nothing was refused, or the run tested none of its rules. Absent for any other quota.',
    ),
  models: z
    .record(z.string(), z.enum(['explained', 'refuted']))
    .describe('Each permitted way of counting, and whether it explains everything that the run saw.'),
  refutations: z
    .record(z.string(), refutation)
    .describe('For each refuted model: the reason, and the exchanges that refute it.'),
  diagnosis: textOrNull('What the broken limiter looks like, in words; null if unknown.'),
  breach: breach
    .optional()
    .describe(
      "The window that best shows the breach, with times in milliseconds since the run's start. Absent if the quota is kept, or if no single window shows it.",
    ),
  otherSpellings: flag(
    'Whether the run sent requests in other spellings with the key; absent in reports without it.',
  ).optional(),
  worstMinute: number('The most requests admitted within any span of one window, by the times at which answers came.'),
  recovery: recovery
    .nullable()
    .describe(
      'The time from the last refusal of the load to the next admission, and what the target had announced. Null: nothing was refused.',
    ),
})

const numbers = (are: string) => z.array(z.number()).describe(are)

export const timeline = z.object({
  plan: text('The name of the plan.'),
  limit: number('How many requests a window allows.'),
  windowMs: number('How long a window was in this run, in milliseconds.'),
  points: z
    .array(
      z.tuple([z.number(), z.number().nullable(), z.enum(['admitted', 'refused', 'unknown']), z.number().nullable()]),
    )
    .describe(
      'A row for each exchange: sent, received (null: none), outcome, the Remaining that it showed (null: none).',
    ),
  total: number('The number of exchanges before thinning.'),
  counts: z
    .array(z.tuple([z.number(), z.number(), z.number(), z.number()]))
    .default([])
    .describe(
      'All of them by the time of sending: time since the first one, admitted, refused, unknown; without empty intervals.',
    ),
  stretchMs: number('The length of an interval of `counts`, in milliseconds; 0 in reports without them.').default(0),
  admissions: z.array(z.tuple([z.number(), z.number()])).describe('Cumulative admissions: time of the answer, count.'),
  resets: numbers("The moments that the target named in Reset, on the run's clock."),
  retryMoments: numbers("The moments that the target named in Retry-After, on the run's clock."),
})

const bound = z.number().nullable()

const range = z
  .tuple([bound, bound])
  .describe('The least and the most that explain what the run saw; null if the run refutes none that was tried.')

const replayed = z.object({
  defect: text('The name of the defect, as gates use it: `limit+1`, `window-5%`, `lost-1-in-10`.'),
  words: text('The same in words.'),
  share: number('The share of the replays in which the run would have shown it.'),
  draws: number('How many replays there were: fewer if all agree.'),
  demanded: flag('Whether a rule that this run tested passes only if the defect is excluded.'),
})

/** A run's result for one quota of one key, found by replaying its own requests through defective limiters. */
export const certificateRow = z.object({
  key: text('The name of the key.'),
  plan: text('The name of its plan; with a contract file, the name of what the quota counts by.'),
  quota: text('`minute`, or the id of a quota of a contract file.'),
  measured: z
    .object({
      limit: range.describe('The lowest and the highest limit that explain what the run saw.'),
      windowMs: range
        .nullable()
        .describe('The shortest and the longest window that do, in milliseconds; null: not measured.'),
    })
    .describe('What the run measured.'),
  excluded: z.array(replayed).describe('Defects that this run would have shown, in at least 95 of 100 replays.'),
  open: z.array(replayed).describe('Defects that could hide although this run passed.'),
})

const widest = z.object({
  spanMs: number('The length of the span, in milliseconds.'),
  admitted: number('The most requests certainly admitted within any span of that length.'),
  allowed: number('The most requests that any limiter that explains the run admits within such a span.'),
})

/** The arrival curve of one key: bursts and rates at all time scales (ITU-T I.371, network calculus). */
export const envelopeRow = z.object({
  key: text('The name of the key.'),
  plan: text('The name of its plan; with a contract file, the name of what the quota counts by.'),
  quota: text('`minute`, or the id of a quota of a contract file.'),
  points: z.array(widest).describe('Sorted by span, the shortest first; about ten points for each power of ten.'),
})
