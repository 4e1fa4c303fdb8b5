import { z } from 'zod'

const isDay = (text: string): boolean => {
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === text
}

const text = z.string({ error: 'is missing: it has to be a text' }).trim().min(1, { error: 'must not be empty' })

const entry = z
  .strictObject({
    clause: text.optional(),
    check: text.optional(),
    gate: text.optional(),
    /** The base address of the target that fails; a `*` stands for anything. */
    target: text,
    reason: text,
    owner: text,
    /** The last day on which it holds, in UTC. */
    until: text.refine(isDay, { error: 'has to be a day such as 2026-12-31' }),
  })
  .refine(({ clause, check, gate }) => [clause, check, gate].filter((each) => each !== undefined).length === 1, {
    error: 'names exactly one of clause, check and gate',
  })

/** A file of known failures, each of which somebody answers for until a day. */
export const waiversSchema = z.strictObject({ waivers: z.array(entry) })

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
