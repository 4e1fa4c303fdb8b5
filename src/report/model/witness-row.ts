import { z } from 'zod'

const headers = z.array(z.tuple([z.string(), z.string()]))

/** An exchange that a check names as its witness, as much of it as a reader needs. Secrets are left out of it. */
export const witnessRow = z.object({
  id: z.string().describe('Its id, as `witnesses` name it; `burst-free#61` is a row of a ledger.'),
  probe: z.string().describe('The probe that sent it.'),
  step: z.string().describe('The part of the probe that it belongs to; `load` where it is one request of a load.'),
  key: z.string().nullable().describe('The name of the key that it was sent with; null: without a valid one.'),
  operation: z.string().nullable().describe('The operation that it asked for; null: none of the interface.'),
  sentAt: z.number().describe("When it was sent, in milliseconds since the run's start."),
  receivedAt: z
    .number()
    .nullable()
    .describe("When the head of its answer came, in milliseconds since the run's start; null: no answer."),
  request: z
    .object({
      method: z.string().describe('The method.'),
      url: z.string().describe('The whole address.'),
      headers: headers.describe('Each line as its name and its value, secrets redacted.'),
      body: z.string().nullable().describe('The body as text; null: none.'),
    })
    .describe('What was sent.'),
  response: z
    .object({
      status: z.number().describe('The status code.'),
      reason: z.string().describe('The words behind the status code.'),
      headers: headers.describe('Each line as its name and its value, in the order in which they came.'),
      body: z.string().describe('The body as text, cut off where it is long.'),
      bodyBytes: z.number().describe('How long the body was, in bytes.'),
    })
    .nullable()
    .describe('What came back; null: no answer.'),
  error: z.string().nullable().describe('Why there is no answer, or no whole one; null where there is.'),
  curl: z.string().nullable().describe('A command that sends it again, the key left out; null where none is known.'),
})
