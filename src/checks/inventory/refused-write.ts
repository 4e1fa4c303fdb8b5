import { exchangesOf } from '../../evidence/evidence.js'
import type { Exchange } from '../../evidence/exchange.js'
import { defineCheck } from '../check.js'
import { fail, inconclusive, notTested, pass } from '../finding.js'
import { isListing, quantitiesOf } from '../listed-pets.js'

declare module '../../verdict/verdict.js' {
  interface FindingFacts {
    'write-was-admitted': Record<never, never>
  }
}

const refusals: ReadonlySet<number> = new Set([400, 401, 403, 404, 429])

/** Another PATCH of the pet that was admitted after all, or whose answer nobody knows. */
const mayHaveChanged = ({ request, intent, response }: Exchange, petId: string): boolean =>
  request.method === 'PATCH' && intent.petId === petId && !(response && refusals.has(response.status))

export const refusedWrite = defineCheck({
  id: 'inventory.refused-write',
  promise: 'A PATCH that is answered 429, or 403 under a ban, changes no entry.',
  clauses: ['INV-8'],
  reads: ['burst'],
  judge(evidence) {
    const row = exchangesOf(evidence, 'burst')
    const patch = row.find((x) => x.step === 'write-refused')
    if (!patch) return notTested('never-refused', { sent: row.length })
    const status = patch.response?.status ?? 0
    if (status >= 200 && status < 300) return notTested('write-was-admitted', {})
    if (status !== 429 && status !== 403)
      return inconclusive('no-answer', { case: 'a PATCH over the limit', detail: `status ${status}` }, patch)
    const before = row.find((x) => x.step === 'before' && x.key === patch.key && isListing(x))
    const after = row.find((x) => x.step === 'after' && x.key === patch.key && isListing(x) && x.sentAt > patch.sentAt)
    const { petId } = patch.intent
    const [was, is] = [before && quantitiesOf(before)?.get(petId), after && quantitiesOf(after)?.get(petId)]
    if (!before || !after || was === undefined || is === undefined)
      return inconclusive('list-unreadable', { step: 'before or after the PATCH' }, patch)
    if (was === is) return pass('held', { examined: 1 }, before, patch, after)
    const other = row.find((x) => mayHaveChanged(x, petId) && x.sentAt > before.sentAt && x.sentAt < after.sentAt)
    if (other) return notTested('write-was-admitted', {})
    return fail('refused-but-changed', { petId, before: was, after: is, status }, before, patch, after)
  },
})
