import { z } from 'zod'

const answers = z
  .object({
    count: z.number().describe('How many there were.'),
    p50: z.number().describe('Half of them took no longer.'),
    p90: z.number().describe('Nine in ten took no longer.'),
    p99: z.number().describe('All but one in a hundred took no longer.'),
    max: z.number().describe('The longest.'),
  })
  .nullable()

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
