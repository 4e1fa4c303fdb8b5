import type { ApiContract, HeaderField, RefusalRule } from '../../contract/api-contract.js'
import type { Concluded, Discovered, DiscoveredField } from '../../contract/discovered.js'
import { headerPresets, type PresetName, presetNames } from '../../contract/header-presets.js'
import { numberOf, readRetryAfter, valuesOfHeaders } from '../limit-values.js'
import { limitReader } from '../read-limits.js'
import { concludeQuotas } from './conclude-quotas.js'
import type { SeenAnswer } from './seen-answer.js'
import { type FieldGroup, seenFields } from './seen-fields.js'

const slot = ({ name, is, as }: HeaderField): string => `${name.toLowerCase()} ${is} ${as ?? ''}`

const presetOf = (fields: readonly HeaderField[]): PresetName | undefined => {
  const slots = fields.map(slot).sort().join()
  return presetNames.find((name) => headerPresets[name].map(slot).sort().join() === slots)
}

const parts: ReadonlySet<HeaderField['is']> = new Set(['limit', 'remaining', 'used/limit', 'reset'])

/** How much a group of fields says of a quota of requests. */
const worth = ({ stem, fields }: FieldGroup): number => {
  const structured = fields.some(({ field }) => field.is.startsWith('draft')) ? 3 : 0
  const said = fields.filter(({ field }) => parts.has(field.is)).length
  return structured + said - (/token|byte/.test(stem) ? 10 : 0)
}

const shownBy = ({ fields }: FieldGroup, answers: readonly SeenAnswer[]): string => {
  const read = limitReader({ headers: fields.map(({ field }) => field) }, { windowMs: Number.NaN, limit: {} })
  return JSON.stringify(
    answers.map(({ headers }) => {
      const { limit, remaining } = read(valuesOfHeaders(headers))
      return [numberOf(limit), numberOf(remaining)]
    }),
  )
}

/** The fields of one quota: the group that says most, and others that say the same of it in every answer. */
const chosenFields = (groups: readonly FieldGroup[], answers: readonly SeenAnswer[], unknown: string[]) => {
  const [best, ...others] = groups.toSorted((a, b) => worth(b) - worth(a))
  if (!best) return { stem: '', fields: [] }
  const shown = shownBy(best, answers)
  const fields: DiscoveredField[] = [...best.fields]
  for (const group of others) {
    if (shownBy(group, answers) === shown) fields.push(...group.fields)
    else {
      const listed = group.fields.map(({ field }) => field.name).join(', ')
      unknown.push(`what ${listed} tell of: their numbers are of another quota, which is not in this file`)
    }
  }
  return { stem: best.stem, fields }
}

const refusing = (fields: readonly HeaderField[]) => {
  const left = fields.find(({ is }) => is === 'remaining')
  return ({ status, headers }: SeenAnswer): RefusalRule | undefined => {
    if (status === 429) return { is: 'quota', status: [429], when: {} }
    if (status !== 403 && status !== 503) return undefined
    const isSpent = left && valuesOfHeaders(headers)(left.name.toLowerCase()).join() === '0'
    return isSpent ? { is: 'quota', status: [status], when: { [left.name.toLowerCase()]: '0' } } : undefined
  }
}

const concludeRefusals = (answers: readonly SeenAnswer[], fields: readonly HeaderField[], unknown: string[]) => {
  const ruleOf = refusing(fields)
  const refusal = answers.find((answer) => ruleOf(answer) !== undefined)
  const rule = refusal && ruleOf(refusal)
  if (!refusal || !rule) {
    unknown.push('how a refusal looks, and whether it names a wait: nothing was refused')
    const usual: RefusalRule = { is: 'quota', status: [429], when: {} }
    const retryAfter: Concluded<ApiContract['retryAfter']> = {
      is: { as: ['seconds', 'http-date'], level: 'observe' },
      because: 'no refusal was seen to show it: what comes is only reported until this says level: must, or none',
    }
    return { refusals: { is: [usual], because: 'no refusal was seen; 429 is what RFC 6585 has for it' }, retryAfter }
  }
  const wait = readRetryAfter(refusal.headers)
  const retryAfter: Concluded<ApiContract['retryAfter']> =
    wait.form === 'seconds' || wait.form === 'date'
      ? {
          is: { as: [wait.form === 'seconds' ? 'seconds' : 'http-date'], level: 'must' },
          because: `the ${refusal.status} that was seen named one`,
        }
      : { is: null, because: `the ${refusal.status} that was seen named none that can be read` }
  const nth = answers.indexOf(refusal) + 1
  return { refusals: { is: [rule], because: `request ${nth} was answered ${refusal.status}` }, retryAfter }
}

const anonymousOf = (answers: readonly SeenAnswer[]): Discovered['anonymous'] => {
  const anonymous = answers.find(({ credential }) => credential === null)
  if (!anonymous || answers.every(({ credential }) => credential === null)) return undefined
  const { status } = anonymous
  const because = `a request without the credential was answered ${status}`
  return { is: status >= 200 && status <= 299 ? 'served' : 'turned away', because }
}

/**
 * Concludes from a few answers, in order of asking, what an API shows of its quotas, with what each conclusion rests on and
 * what stays open.
 *
 * @param wallStartMs the client's wall clock at the start of the run's clock.
 * @param probes in order of their weight: the first is what the others are compared with.
 */
export const conclude = (
  answers: readonly SeenAnswer[],
  wallStartMs: number,
  probes: readonly string[],
): Discovered => {
  const unknown: string[] = []
  const { groups, unclear } = seenFields(answers, wallStartMs)
  const { stem, fields } = chosenFields(groups, answers, unknown)
  const plainFields = fields.map(({ field }) => field)
  for (const each of unclear) unknown.push(`what this field says: ${each}`)
  const ended = concludeRefusals(answers, plainFields, unknown)
  const anonymous = anonymousOf(answers)
  const counted = answers.filter(({ credential }) => credential !== null || anonymous?.is !== 'turned away')
  const quotas = concludeQuotas({ answers: counted, fields: plainFields, stem, wallStartMs }, probes, unknown)
  if (fields.length === 0) unknown.push('anything of the quota: no header of an answer tells of one')
  return { preset: presetOf(plainFields), fields, ...ended, anonymous, quotas, unknown: [...new Set(unknown)] }
}
