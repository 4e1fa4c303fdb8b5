import { fail, inconclusive, notTested } from '../../checks/framework/finding.js'
import { concluded, type Kinds, type Need, tellingCases } from '../../checks/framework/needs.js'
import { objectOf } from '../../checks/readings/answers.js'
import { shownEntry } from '../../contract/petstore/inventory-model.js'
import type { ProbeId } from '../../contract/probe-catalogue.js'
import { answersOf, type Evidence } from '../../evidence/evidence.js'
import type { Exchange } from '../../evidence/exchange.js'
import { changedPets, isUpdated, quantitiesOf } from '../readings/listed-pets.js'
import { writesAstray } from '../readings/writes-astray.js'

/** A control writes what the entry holds already: one that is answered with another quantity was carried out otherwise. */
const isControlThatMoves = (x: Exchange): boolean => {
  if (x.step !== 'control' || !isUpdated(x)) return false
  const shown = shownEntry(objectOf(x)).quantity
  return shown !== undefined && shown !== x.intent.quantity
}

const none: readonly Exchange[] = []

/**
 * Refused PATCHes of a probe between two readings of it: each of a pet that the readings show tells. Or what else the
 * readings come to.
 */
const refusedBetween = (evidence: Evidence, probe: ProbeId, isRefusal: (x: Exchange) => boolean) => {
  const row = answersOf(evidence, probe)
  const [before] = row.filter((x) => x.step === 'before')
  const after = row.findLast((x) => x.step === 'after')
  const patches = row.filter((x) => x.operation === 'updateInventory' && x.step !== 'control')
  const refused = patches.filter(isRefusal)
  if (!before || !after || refused.length === 0) return { telling: none, finding: undefined }
  const [was, is] = [quantitiesOf(before), quantitiesOf(after)]
  if (!was || !is) return { telling: none, finding: inconclusive('list-unreadable', { step: probe }, before, after) }
  if (was.size === 0 && is.size === 0) return { telling: none, finding: notTested('inventory-empty', {}, before) }
  const touched = new Set(refused.map((x) => x.intent.petId))
  // A PATCH that was let through, though it should not have been, explains the change: that is another clause's breach.
  const letThrough = new Set(
    [...patches.filter((x) => !isRefusal(x)), ...row.filter(isControlThatMoves)].map((x) => x.intent.petId),
  )
  const [change] = changedPets(was, is).filter(({ petId }) => touched.has(petId) && !letThrough.has(petId))
  if (change) {
    const culprit = refused.find((x) => x.intent.petId === change.petId) ?? refused[0]
    const facts = { ...change, status: culprit.response?.status ?? 0 }
    return { telling: none, finding: fail('refused-but-changed', facts, before, ...refused.slice(0, 3), after) }
  }
  const [astray, ...more] = writesAstray(row, isRefusal)
  if (astray) {
    const { petId, before: from, after: to, patch } = astray
    const witnesses = [astray, ...more].flatMap((write) => [write.readings[0], write.patch, write.readings[1]])
    const facts = { petId, before: from, after: to, status: patch.response?.status ?? 0 }
    return { telling: none, finding: fail('refused-but-changed', facts, ...witnesses) }
  }
  return { telling: refused.filter((x) => !letThrough.has(x.intent.petId)), finding: undefined }
}

/** What is refused, by whom, and what a pass takes. */
export interface Refusals extends Need {
  readonly probes: readonly ProbeId[]
  readonly isRefusal: (x: Exchange) => boolean
  readonly kinds: Kinds
  readonly kindOf: (x: Exchange) => string
}

/** Whether an entry moved between two readings of one of the probes, with refused PATCHes and nothing else between them. */
export const unchangedThrough = (evidence: Evidence, refusals: Refusals) => {
  const told = refusals.probes.map((probe) => refusedBetween(evidence, probe, refusals.isRefusal))
  const findings = told.flatMap(({ finding }) => finding ?? [])
  const telling = tellingCases()
  for (const x of told.flatMap((each) => each.telling)) telling.add(x, refusals.kindOf(x))
  const broken = findings.find(({ verdict }) => verdict === 'fail')
  if (broken) return broken
  const finding = concluded(evidence, refusals, telling, { kinds: refusals.kinds })
  return finding.verdict === 'pass'
    ? finding
    : (findings.find(({ verdict }) => verdict === 'inconclusive') ?? findings.at(0) ?? finding)
}
