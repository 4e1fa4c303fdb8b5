import { basename } from 'node:path'
import { z } from 'zod'
import { clauses } from '../../contract/clauses.js'
import { figureNames } from '../../contract/figures.js'
import { planNames } from '../../contract/plans.js'
import { maybe } from '../../kit/described.js'
import { UsageError } from '../../kit/usage-error.js'
import { nearest } from '../../kit/words.js'
import { checkYaml, lineIn, readNamedYaml, refusalAt } from '../../kit/yaml-file.js'

const isDay = (text: string): boolean => {
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === text
}

const text = z.string({ error: 'must be text' }).trim().min(1, { error: 'must not be empty' })

const entry = z
  .strictObject({
    clause: maybe(text, 'The clause that fails: `RATE-5`.'),
    check: maybe(
      text,
      'Or the check that fails: `rate.headers-present`. That waives its clause too, unless another check of the clause fails.',
    ),
    gate: maybe(text, 'Or the gate that fails: `overAdmitted`, or `free.overAdmitted` for one plan.'),
    target: text.describe('The base address of the target that fails; a `*` stands for anything.'),
    reason: text.describe('Why you accept the failure.'),
    owner: text.describe('Who is responsible for it.'),
    until: text
      .refine(isDay, { error: 'must be a day such as 2026-12-31' })
      .meta({ format: 'date' })
      .describe('The last day on which the waiver holds, in UTC: `2026-12-31`.'),
  })
  .refine(({ clause, check, gate }) => [clause, check, gate].filter((each) => each !== undefined).length === 1, {
    error: 'must name exactly one of clause, check and gate',
  })
  .meta({ oneOf: [{ required: ['clause'] }, { required: ['check'] }, { required: ['gate'] }] })

/** A file of known failures; somebody answers for each of them until a given day. */
export const waiversSchema = z.strictObject({
  $schema: maybe(z.string(), 'Where editors find this schema; quotaspec ignores it.'),
  waivers: z.array(entry.describe('One known failure.')).describe('The known failures.'),
})

/** A known failure: shown but not counted, on the target that it names, until the end of its day. */
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
type Waiver = z.infer<typeof waiver>

/** `overAdmitted`, or `free.overAdmitted` for the gate of one plan. */
const gateNames = (): string[] => [
  'level',
  ...figureNames,
  ...planNames.flatMap((plan) => figureNames.map((figure) => `${plan}.${figure}`)),
]

/** Why an id can't be waived; undefined where it can. */
const objection = (subject: Waiver['subject'], id: string, checkIds: readonly string[]): string | undefined => {
  const known = { clause: clauses.map((each): string => each.id), check: [...checkIds], gate: gateNames() }[subject]
  if (!known.includes(id)) {
    const meant = nearest(id, known)
    return `there is no ${subject} ${id}${meant === undefined ? '' : `: did you mean ${meant}?`}`
  }
  const isOpen = subject === 'clause' && clauses.some((each) => each.id === id && each.level === 'observe')
  return isOpen ? `${id} is only observed: it can't fail, so there is nothing to waive` : undefined
}

/** Reads a file of waivers. Throws a {@link UsageError}, also if a subject is unknown or waived twice. */
export const loadWaivers = (file: string | undefined, checkIds: readonly string[], name = '--waivers'): Waiver[] => {
  if (file === undefined) return []
  const place = readNamedYaml(name, file, 'a waiver')
  const { waivers } = checkYaml(place, waiversSchema, place.value, [])
  const seen = new Set<string>()
  return waivers.map(({ clause, check, gate, ...rest }, index) => {
    const subject = clause !== undefined ? 'clause' : check !== undefined ? 'check' : 'gate'
    const id = clause ?? check ?? gate ?? ''
    const refused = (why: string) => refusalAt(place, ['waivers', index, subject], why)
    const why = objection(subject, id, checkIds)
    if (why !== undefined) throw refused(why)
    const slot = `${subject} ${id} ${rest.target}`
    if (seen.has(slot)) throw refused(`${id} is waived twice for ${rest.target}`)
    seen.add(slot)
    const line = lineIn(place, ['waivers', index]).slice(file.length)
    return { subject, id, ...rest, place: `${basename(file)}${line}` }
  })
}
