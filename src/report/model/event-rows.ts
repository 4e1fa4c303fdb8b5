import { z } from 'zod'

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
