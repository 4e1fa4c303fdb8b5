import { z } from 'zod'

const helps = z
  .enum(['maybe', 'no', 'unknown'])
  .describe(
    '`maybe`: what was in the way passes by itself; `no`: something has to be changed first; `unknown`: what was seen does not tell which.',
  )

const reason = z.object({
  of: z.string().describe('What is open for it: the id of a clause or of a gate, or `run` for all of it.'),
  helps,
  why: z.string().describe('What was in the way; of a `no`, what to do first.'),
})

/** Whether another run of the same may settle what one left open, and why. */
export const rerun = z.object({
  helps: helps.describe('`no` where any reason is a `no`; else `unknown` where any is; `maybe` where all are.'),
  sentence: z.string().describe('The same for people, with the reasons that decide it.'),
  reasons: z.array(reason).describe('All that left the run open.'),
})
