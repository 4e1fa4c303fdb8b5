import { existsSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { clauses } from '../../contract/clauses.js'
import { figureNames } from '../../contract/figures.js'
import { planNames } from '../../contract/plans.js'
import { UsageError } from '../../kit/usage-error.js'
import { nearest } from '../../kit/words.js'
import { checkYaml, lineIn, readYaml } from '../../kit/yaml-file.js'
import { type Waiver, waiversSchema } from './waivers.js'

/** `overAdmitted`, or `free.overAdmitted` for the gate of one plan. */
const gateNames = (): string[] => [
  'level',
  ...figureNames,
  ...planNames.flatMap((plan) => figureNames.map((figure) => `${plan}.${figure}`)),
]

/** Why an id can't be waived; undefined where it can. */
const objection = (subject: Waiver['subject'], id: string, checkIds: readonly string[]): string | undefined => {
  const known = {
    clause: clauses.map((each): string => each.id),
    check: [...checkIds],
    gate: gateNames(),
  }[subject]
  if (!known.includes(id)) {
    const meant = nearest(id, known)
    return `there is no ${subject} ${id}${meant === undefined ? '' : `: did you mean ${meant}?`}`
  }
  const isOpen = subject === 'clause' && clauses.some((each) => each.id === id && each.level === 'observe')
  return isOpen ? `${id} is only observed: it can't fail, so there is nothing to waive` : undefined
}

/**
 * Reads a file of waivers. Throws a {@link UsageError} that names file, line and field, also where a clause, check or
 * gate is not known, and where one thing is waived twice for a target.
 */
export const loadWaivers = (file: string, checkIds: readonly string[], name = '--waivers'): Waiver[] => {
  if (!existsSync(file) || !statSync(file).isFile()) throw new UsageError(`${name} ${file}: there is no such file`)
  const place = readYaml(file, 'a waiver')
  const { waivers } = checkYaml(place, waiversSchema, place.value, [])
  const seen = new Set<string>()
  return waivers.map(({ clause, check, gate, ...rest }, index) => {
    const subject = clause !== undefined ? 'clause' : check !== undefined ? 'check' : 'gate'
    const id = clause ?? check ?? gate ?? ''
    const refused = (why: string) =>
      new UsageError(`${lineIn(place, ['waivers', index, subject])}: waivers.${index}.${subject}: ${why}`)
    const why = objection(subject, id, checkIds)
    if (why !== undefined) throw refused(why)
    const slot = `${subject} ${id} ${rest.target}`
    if (seen.has(slot)) throw refused(`${id} is waived twice for ${rest.target}`)
    seen.add(slot)
    const line = lineIn(place, ['waivers', index]).slice(file.length)
    return { subject, id, ...rest, place: `${basename(file)}${line}` }
  })
}
