import { z } from 'zod'

const bound = z.number().nullable()

const range = z
  .tuple([bound, bound])
  .describe('The least and the most that explain what was seen; null where none that was tried is refuted.')

const replayed = z.object({
  defect: z.string().describe('What a gate calls it: `limit+1`, `window-5%`, `lost-1-in-10`.'),
  words: z.string().describe('The same in words.'),
  share: z.number().describe('In which share of the replays the run would have shown it.'),
  draws: z.number().describe('How many replays there were: fewer where all agree.'),
  demanded: z.boolean().describe('Whether a rule that this run tested passes only where it is excluded.'),
})

/** What a run says of one quota of one key, found by replaying its own requests through defective limiters. */
export const certificateRow = z.object({
  key: z.string().describe('The name of the key.'),
  plan: z.string().describe('The name of its plan; of a contract file, of what is counted.'),
  quota: z.string().describe('`minute`, or the id of a quota of a contract file.'),
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
  spanMs: z.number().describe('The length of the span, in milliseconds.'),
  admitted: z.number().describe('The most that was certainly admitted within any span of that length.'),
  allowed: z.number().describe('The most that any limiter which explains the run admits within such a span.'),
})

/** The arrival curve of one key: bursts and rates at all time scales (ITU-T I.371, network calculus). */
export const envelopeRow = z.object({
  key: z.string().describe('The name of the key.'),
  plan: z.string().describe('The name of its plan; of a contract file, of what is counted.'),
  quota: z.string().describe('`minute`, or the id of a quota of a contract file.'),
  points: z.array(widest).describe('By span, the shortest first; about ten for each power of ten.'),
})
