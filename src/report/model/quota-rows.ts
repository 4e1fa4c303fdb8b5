import { z } from 'zod'
import { flag, number, numberOrNull, text, textOrNull, texts } from '../../kit/described.js'
import { verdict } from './judged-rows.js'

/** How a target departs from a limiter model that is refuted. */
export type RefutationReason = 'over-admission' | 'early-refusal' | 'both'

const counts = {
  sent: number('Requests sent.'),
  admitted: number('Those that were served.'),
  refused: number('Those that were refused with 429.'),
  unknown: number('Those of which no answer tells whether they counted.'),
}

const breachAnswer = z.object({
  id: text('The id of the exchange.'),
  receivedMs: number('When its answer came.'),
  outcome: z.enum(['admitted', 'refused']).describe('What became of it.'),
  admitted: number('What had been admitted in the stretch by then.'),
})

/** A stretch no longer than a window in which a quota is seen to be broken. */
export const breach = z.object({
  kind: z
    .enum(['over-admission', 'early-refusal'])
    .describe('Too much was admitted in it, or at its end a request was refused too early.'),
  fromMs: number('Its beginning.'),
  toMs: number('Its end.'),
  admitted: number(
    'Certainly admitted within it, of an over-admission; at the most admitted in it, of an early refusal.',
  ),
  refused: number('Refused within it.'),
  answers: z
    .array(z.tuple([z.number(), z.enum(['admitted', 'refused']), z.number()]))
    .describe('When the answers of the stretch came, each with what had been admitted in it by then.'),
  shownBy: z
    .array(breachAnswer)
    .optional()
    .describe(
      'The answers that show it: the last admitted within the limit and the first beyond it, or the refusal that came too early.',
    ),
  isBurst: flag('Whether the stretch is the burst that the counts of the quota are of.').optional(),
})

const refutation = z.object({
  // Any text, for those who read the published schema: a later version may have more of them.
  reason: text('What such a limiter would not have done: `over-admission`, `early-refusal` or `both`.') as z.ZodType<
    RefutationReason,
    RefutationReason
  >,
  overAdmitted: number('How many of the admitted it would have refused.'),
  earlyRefused: number('How many of the refused it would have admitted.'),
  witnesses: texts('The ids of the exchanges that refute it.'),
})

const recovery = z.object({
  afterMs: numberOrNull('From the last refusal to the next admission, in milliseconds; null: none was seen.'),
  retryAfterMs: numberOrNull('The wait that Retry-After named in that refusal, in milliseconds; null: none.'),
  resetAfterMs: numberOrNull('How far ahead Reset lay in that refusal, in milliseconds; null: there was none.'),
  lateMs: numberOrNull(
    'How long the key was still refused after the moment that a Retry-After had named; null if nobody asked.',
  ),
})

const bucket = z.object({
  refill: number('How many requests, or units, flow in.'),
  everyMs: number('In so many milliseconds.'),
})

/** How a plan kept a quota. */
export const quotaRow = z.object({
  plan: text('The name of the plan; of a contract file, of what is counted.'),
  window: text('`minute` or `day`, or the id of a quota of a contract file.'),
  limit: number('How many requests a window allows; where requests cost more, how many units.'),
  windowMs: number('How long a window was in this run, in milliseconds.'),
  bucket: bucket
    .optional()
    .describe(
      'For a bucket with a size of its own: what flows in. It holds `limit` and takes `windowMs` to fill. Absent for any other quota.',
    ),
  sent: number(
    'Of the burst on a fresh window, its opening request included; where none was played, of everything on the key.',
  ),
  admitted: number('Of `sent`, those that were served.'),
  refused: number('Of `sent`, those that were refused with 429.'),
  unknown: number('Of `sent`, those of which no answer tells whether they counted.'),
  history: z.object(counts).describe('Of everything that this run sent on the key.'),
  verdict,
  reason: text('Why it is not judged, as a sentence; absent where it is.').optional(),
  unproven: z
    .enum(['never-refused', 'rules-not-tested'])
    .optional()
    .describe(
      'Why a quota whose every answer fits its limit is not-tested all the same: nothing was refused, or the run tested none of its rules. Absent for any other quota.',
    ),
  models: z
    .record(z.string(), z.enum(['explained', 'refuted']))
    .describe('Each way of counting that is permitted, and whether it accounts for all that was seen.'),
  refutations: z
    .record(z.string(), refutation)
    .describe('Of each refuted model: the reason, and the exchanges that refute it.'),
  diagnosis: textOrNull('What a broken limiter looks like, in words; null where nothing is known.'),
  breach: breach
    .optional()
    .describe(
      "What shows best that a quota is broken, times in milliseconds since the run's start; absent where it is kept, or where no single window shows it.",
    ),
  otherSpellings: flag(
    'Whether a request in other spellings was asked on the key; absent in reports that do not say so.',
  ).optional(),
  worstMinute: number('The most that was admitted within any span of one window, by the times of receipt.'),
  recovery: recovery
    .nullable()
    .describe(
      'From the last refusal of the load to the first admission after it, and what the target had said; null: nothing was refused.',
    ),
})

const numbers = (are: string) => z.array(z.number()).describe(are)

/** Points of one plan's story, thinned so that every extreme is kept. */
export const timeline = z.object({
  plan: text('The name of the plan.'),
  limit: number('How many requests a window allows.'),
  windowMs: number('How long a window was in this run, in milliseconds.'),
  points: z
    .array(
      z.tuple([z.number(), z.number().nullable(), z.enum(['admitted', 'refused', 'unknown']), z.number().nullable()]),
    )
    .describe('One row an exchange: sent, received (null: none), outcome, Remaining claimed (null: none).'),
  total: number('Exchanges in all, before thinning.'),
  counts: z
    .array(z.tuple([z.number(), z.number(), z.number(), z.number()]))
    .default([])
    .describe(
      'All of them by when they were sent: since the first one, admitted, refused, unknown; empty stretches left out.',
    ),
  stretchMs: number('How long a stretch of `counts` is, in milliseconds; 0 in reports that do not have them.').default(
    0,
  ),
  admissions: z.array(z.tuple([z.number(), z.number()])).describe('Cumulative admissions: received, count.'),
  resets: numbers("Moments that the target's Reset named, on the run's clock."),
  retryMoments: numbers("Moments that the target's Retry-After named, on the run's clock."),
})

const bound = z.number().nullable()

const range = z
  .tuple([bound, bound])
  .describe('The least and the most that explain what was seen; null where none that was tried is refuted.')

const replayed = z.object({
  defect: text('What a gate calls it: `limit+1`, `window-5%`, `lost-1-in-10`.'),
  words: text('The same in words.'),
  share: number('In which share of the replays the run would have shown it.'),
  draws: number('How many replays there were: fewer where all agree.'),
  demanded: flag('Whether a rule that this run tested passes only where it is excluded.'),
})

/** What a run says of one quota of one key, found by replaying its own requests through defective limiters. */
export const certificateRow = z.object({
  key: text('The name of the key.'),
  plan: text('The name of its plan; of a contract file, of what is counted.'),
  quota: text('`minute`, or the id of a quota of a contract file.'),
  measured: z
    .object({
      limit: range.describe('The limits that explain what was seen.'),
      windowMs: range.nullable().describe('The lengths of a window that do, in milliseconds; null: not measured.'),
    })
    .describe('What the quota was measured to be.'),
  excluded: z.array(replayed).describe('Defects that this run would have shown, in 95 of 100 replays at least.'),
  open: z.array(replayed).describe('Defects that could hide behind a pass of this run.'),
})

const widest = z.object({
  spanMs: number('The length of the span, in milliseconds.'),
  admitted: number('The most that was certainly admitted within any span of that length.'),
  allowed: number('The most that any limiter which explains the run admits within such a span.'),
})

/** The arrival curve of one key: bursts and rates at all time scales (ITU-T I.371, network calculus). */
export const envelopeRow = z.object({
  key: text('The name of the key.'),
  plan: text('The name of its plan; of a contract file, of what is counted.'),
  quota: text('`minute`, or the id of a quota of a contract file.'),
  points: z.array(widest).describe('By span, the shortest first; about ten for each power of ten.'),
})
