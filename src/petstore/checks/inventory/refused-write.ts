import { defineCheck } from '../../../checks/framework/check.js'
import { fail, notTested } from '../../../checks/framework/finding.js'
import { concluded, tellingCases } from '../../../checks/framework/needs.js'
import { bareSpending, dearestSpending } from '../../../checks/framework/spent-again.js'
import { type Evidence, exchangesOf } from '../../../evidence/evidence.js'
import type { Exchange } from '../../../evidence/exchange.js'
import type { Finding } from '../../../verdict/verdict.js'
import { quantitiesOf } from '../../readings/listed-pets.js'

/** The probes that try a PATCH on a key that is refused. */
const probes = ['burst', 'while-refused'] as const

const refusals: ReadonlySet<number> = new Set([400, 401, 403, 404, 429])

/** What a limiter answers, or a ban. */
const isLimiters = ({ response }: Exchange): boolean => response?.status === 429 || response?.status === 403

/** PATCHes that were to be refused, between two readings of the list. */
interface Attempt {
  readonly before: Exchange
  readonly patches: readonly Exchange[]
  readonly after: Exchange
}

/** Every attempt of a probe, which may have been played several times. */
const attemptsIn = (evidence: Evidence, probe: 'burst' | 'while-refused'): Attempt[] => {
  const attempts: Attempt[] = []
  let before: Exchange | undefined
  let patches: Exchange[] = []
  for (const x of exchangesOf(evidence, probe)) {
    if (x.step === 'before') [before, patches] = [x, []]
    if (x.step === 'write-refused') patches.push(x)
    // Where the key is refused still, the list is asked for once more.
    if (x.step === 'after' && x.response?.status !== 429 && before) attempts.push({ before, patches, after: x })
  }
  return attempts
}

/** Another PATCH of the pet between the readings that was admitted after all, or whose answer nobody knows. */
const mayHaveChanged = ({ exchanges }: Evidence, { before, after }: Attempt, petId: string): boolean =>
  exchanges.some(
    ({ request, intent, response, sentAt }) =>
      request.method === 'PATCH' &&
      intent.petId === petId &&
      !(response && refusals.has(response.status)) &&
      sentAt > before.sentAt &&
      sentAt < after.sentAt,
  )

const needs = { cases: 'PATCHes that were refused for the limit, with the list read before and after', least: 1 }

export const refusedWrite = defineCheck({
  id: 'inventory.refused-write',
  promise: 'A PATCH that is answered 429, or 403 under a ban, changes no entry.',
  clauses: ['INV-8'],
  advice: 'Look at the order: the limiter has to refuse before the handler writes.',
  reads: [...probes],
  needs,
  again: {
    probe: 'while-refused',
    beside: probes,
    settings: ({ code }: Finding) => (code === 'not-told' ? { ...bareSpending, writes: true } : undefined),
    dearest: dearestSpending,
  },
  lacks: ({ code, facts }) =>
    code === 'not-told' && facts.leftOut === 0 ? { what: 'refusals', of: ['updateInventory'] } : undefined,
  judge(evidence) {
    if (evidence.run.readOnly) return notTested('probe-skipped', { probe: 'burst', reason: 'read-only' })
    const telling = tellingCases()
    let leftOut = 0
    const attempts = probes.flatMap((probe) => attemptsIn(evidence, probe))
    for (const attempt of attempts) {
      const { before, after } = attempt
      const [old, now] = [quantitiesOf(before), quantitiesOf(after)]
      for (const patch of attempt.patches.filter(isLimiters)) {
        const { petId } = patch.intent
        if (mayHaveChanged(evidence, attempt, petId)) continue
        const [was, is] = [old?.get(petId), now?.get(petId)]
        if (was === undefined || is === undefined) leftOut += 1
        // What would have been written was there already: nothing would show.
        else if (was === is && was === patch.intent.quantity) continue
        else if (was === is) telling.add(patch)
        else {
          const status = patch.response?.status ?? 0
          return fail('refused-but-changed', { petId, before: was, after: is, status }, before, patch, after)
        }
      }
    }
    const lists = attempts.flatMap(({ before }) => quantitiesOf(before) ?? [])
    if (lists.length > 0 && lists.every(({ size }) => size === 0)) return notTested('inventory-empty', {})
    return concluded(evidence, needs, telling, { leftOut })
  },
})
