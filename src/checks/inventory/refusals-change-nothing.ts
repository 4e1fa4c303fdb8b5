import { shownEntry } from '../../contract/inventory-model.js'
import { answersOf, type Evidence } from '../../evidence/evidence.js'
import type { Exchange } from '../../evidence/exchange.js'
import type { Finding, FindingCode } from '../../verdict/verdict.js'
import { objectOf } from '../answers.js'
import { defineCheck } from '../check.js'
import { fail, inconclusive, pass } from '../finding.js'
import { changedPets, isUpdated, quantitiesOf } from '../listed-pets.js'
import { writesAstray } from './writes-astray.js'

declare module '../../verdict/verdict.js' {
  interface FindingFacts {
    'refused-but-changed': { petId: string; before: string; after: string; status: number }
  }
}

/** A control writes what the entry holds already: one that is answered with another quantity was carried out otherwise. */
const isControlThatMoves = (x: Exchange): boolean => {
  if (x.step !== 'control' || !isUpdated(x)) return false
  const shown = shownEntry(objectOf(x)).quantity
  return shown !== undefined && shown !== x.intent.quantity
}

/** Whether an entry moved between two readings of a probe, with refused PATCHes and nothing else between them. */
export const unchangedThrough = (
  evidence: Evidence,
  probe: string,
  isRefusal: (x: Exchange) => boolean,
): Finding<FindingCode> => {
  const row = answersOf(evidence, probe)
  const [before] = row.filter((x) => x.step === 'before')
  const after = row.findLast((x) => x.step === 'after')
  const patches = row.filter((x) => x.operation === 'updateInventory' && x.step !== 'control')
  const refused = patches.filter(isRefusal)
  if (!before || !after || refused.length === 0)
    return inconclusive('nothing-to-judge', { wanted: 'a refused PATCH between two readings' })
  const [was, is] = [quantitiesOf(before), quantitiesOf(after)]
  if (!was || !is) return inconclusive('list-unreadable', { step: probe }, before, after)
  const touched = new Set(refused.map((x) => x.intent.petId))
  // A PATCH that was let through, though it should not have been, explains the change: that is another clause's breach.
  const letThrough = new Set(
    [...patches.filter((x) => !isRefusal(x)), ...row.filter(isControlThatMoves)].map((x) => x.intent.petId),
  )
  const [change] = changedPets(was, is).filter(({ petId }) => touched.has(petId) && !letThrough.has(petId))
  if (change) {
    const culprit = refused.find((x) => x.intent.petId === change.petId) ?? refused[0]
    return fail(
      'refused-but-changed',
      { ...change, status: culprit.response?.status ?? 0 },
      before,
      ...refused.slice(0, 3),
      after,
    )
  }
  const [astray, ...more] = writesAstray(row, isRefusal)
  if (astray) {
    const { petId, before: from, after: to, patch } = astray
    const witnesses = [astray, ...more].flatMap((write) => [write.readings[0], write.patch, write.readings[1]])
    const facts = { petId, before: from, after: to, status: patch.response?.status ?? 0 }
    return fail('refused-but-changed', facts, ...witnesses)
  }
  return pass('held', { examined: refused.length }, before, refused[0], after)
}

export const refusalsChangeNothing = defineCheck({
  id: 'inventory.refusals-change-nothing',
  promise: 'A PATCH that is answered 400 or 404 changes no entry.',
  clauses: ['INV-8'],
  reads: ['invalid-bodies', 'unknown-pet'],
  judge(evidence) {
    const isRefusal = (x: Exchange) => x.response?.status === 400 || x.response?.status === 404
    const findings = ['invalid-bodies', 'unknown-pet'].map((probe) => unchangedThrough(evidence, probe, isRefusal))
    return (
      findings.find(({ verdict }) => verdict === 'fail') ??
      findings.find(({ verdict }) => verdict !== 'pass') ??
      findings[0]
    )
  },
})
