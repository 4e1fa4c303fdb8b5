import { z } from 'zod'

const isDay = (text: string): boolean => {
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === text
}

const text = z.string({ error: 'has to be a text' }).trim().min(1, { error: 'must not be empty' })

const entry = z
  .strictObject({
    clause: text.optional().describe('The clause that fails: `RATE-5`.'),
    check: text
      .optional()
      .describe(
        'Or the check that fails: `rate.headers-present`. That covers its clause too, unless another check of it fails.',
      ),
    gate: text.optional().describe('Or the gate that fails: `overAdmitted`, or `free.overAdmitted` for one plan.'),
    target: text.describe('The base address of the target that fails; a `*` stands for anything.'),
    reason: text.describe('Why that is known and accepted.'),
    owner: text.describe('Who answers for it.'),
    until: text
      .refine(isDay, { error: 'has to be a day such as 2026-12-31' })
      .meta({ format: 'date' })
      .describe('The last day on which it holds, in UTC: `2026-12-31`.'),
  })
  .refine(({ clause, check, gate }) => [clause, check, gate].filter((each) => each !== undefined).length === 1, {
    error: 'names exactly one of clause, check and gate',
  })
  .meta({ oneOf: [{ required: ['clause'] }, { required: ['check'] }, { required: ['gate'] }] })

/** A file of known failures, each of which somebody answers for until a day. */
export const waiversSchema = z.strictObject({
  $schema: z.string().optional().describe('Where editors find this schema; nothing else reads it.'),
  waivers: z.array(entry.describe('One known failure.')).describe('The known failures.'),
})

/** A known failure: shown, but not counted, on the targets that it names and up to the end of its day. */
export const waiver = z.object({
  subject: z.enum(['clause', 'check', 'gate']),
  id: z.string(),
  target: z.string(),
  reason: z.string(),
  owner: z.string(),
  until: z.string(),
  /** Where it stands: `waivers.yaml:7`. */
  place: z.string(),
})
export type Waiver = z.infer<typeof waiver>
