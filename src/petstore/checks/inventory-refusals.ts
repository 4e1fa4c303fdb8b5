import { nameOf, objectOf } from '../../checks/framework/answers.js'
import { type Advice, defineCheck } from '../../checks/framework/check.js'
import { fail, inconclusive, notTested } from '../../checks/framework/finding.js'
import type { Kinds, TellingCases } from '../../checks/framework/needs.js'
import { bareSpending, dearestSpending } from '../../checks/framework/spent-again.js'
import { changedPets, type PetChange, shownEntry } from '../../contract/petstore/inventory-model.js'
import { exactDoubleLimit } from '../../contract/petstore/schemas.js'
import type { ProbeId } from '../../contract/probe-catalogue.js'
import { answersOf, type Evidence, exchangesOf } from '../../evidence/evidence.js'
import type { Exchange } from '../../evidence/exchange.js'
import type { Finding } from '../../verdict/verdict.js'
import { isUpdated, quantitiesOf, writesAstray } from '../listed-pets.js'
import { statusMoved } from '../status-moves.js'
import { statusCheck } from './shapes.js'

export const lackingQuantity = statusCheck({
  id: 'inventory.lacking-quantity',
  promise: 'A PATCH body without quantity, or no body at all, gets 400.',
  clauses: ['INV-4'],
  advice: 'Check how the body of a PATCH is validated: quantity is required.',
  asks: ['invalid-bodies', 'lacking'],
  due: 400,
  cases: 'PATCHes with such a body',
  // The cases that the clause names; others are sent as well.
  kinds: { 'an empty object': ['invalid-bodies'], 'no body at all': ['invalid-bodies'] },
  kindOf: nameOf,
  controlled: true,
})

/** The cases that the clause names; others are sent as well. */
const named = [
  'quantity is a string',
  'quantity is a fraction',
  'quantity is true',
  'quantity is null',
  'quantity is an array',
  'quantity is an object',
  'the body is an array',
  'the body is no JSON',
]
const invalidKinds = Object.fromEntries(named.map((each) => [each, ['invalid-bodies']]))

export const invalidValues = statusCheck({
  id: 'inventory.invalid-values',
  promise: 'A PATCH body that is not a JSON object, or whose quantity is not an integer, gets 400.',
  clauses: ['INV-5'],
  advice: 'Check how the body of a PATCH is validated: only a JSON object with an integer quantity passes.',
  asks: ['invalid-bodies', 'invalid'],
  due: 400,
  cases: 'PATCHes with such a body',
  kinds: invalidKinds,
  kindOf: nameOf,
  controlled: true,
})

/** What to look at first if an update of an unknown pet was not answered 404: it depends on what came instead. */
export const absentPetAdvice: Advice = ({ facts: { got } }) => {
  const status = Number(got)
  if (status >= 500) return 'Check what fails in an update of a missing row: it must be answered 404.'
  return status >= 300
    ? 'Check which status a missing row gets: 404, since the id and the body are well-formed.'
    : 'Check what an update of a missing row does: it must end in 404, never create one.'
}

const idKinds = {
  'an id within 32 bits': ['unknown-pet'],
  'an id beyond 32 bits': ['unknown-pet'],
  'an id above 2^53': ['unknown-pet'],
}

const idKindOf = ({ intent: { petId = '' } }: Exchange): string | undefined => {
  if (!/^\d+$/.test(petId)) return undefined
  if (BigInt(petId) > exactDoubleLimit) return 'an id above 2^53'
  return BigInt(petId) < 2n ** 31n ? 'an id within 32 bits' : 'an id beyond 32 bits'
}

export const unknownPetCheck = statusCheck({
  id: 'inventory.unknown-pet',
  promise: 'A PATCH of a petId that no entry has gets 404.',
  clauses: ['INV-6'],
  advice: absentPetAdvice,
  asks: ['unknown-pet', 'unknown'],
  due: 404,
  cases: 'PATCHes of an unknown pet',
  kinds: idKinds,
  kindOf: idKindOf,
  controlled: true,
})

/** A control writes what the entry holds already: if the answer shows another quantity, it did something else. */
const isControlThatMoves = (x: Exchange): boolean => {
  if (x.step !== 'control' || !isUpdated(x)) return false
  const shown = shownEntry(objectOf(x)).quantity
  return shown !== undefined && shown !== x.intent.quantity
}

const none: readonly Exchange[] = []

/** The refused PATCHes of pets that the readings around them show alike; or the finding that the readings come to. */
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
  // A PATCH that was let through by mistake explains a change: that is another clause's breach.
  const letThrough = new Set(
    [...patches.filter((x) => !isRefusal(x)), ...row.filter(isControlThatMoves)].map((x) => x.intent.petId),
  )
  // An entry that left the list or came back is the list's matter: a PATCH would have changed what it shows.
  const created = new Set(refused.map(({ intent }) => `${intent.petId} ${intent.quantity}`))
  const isWrite = ({ petId, before, after }: PetChange) =>
    after !== 'absent' && (before !== 'absent' || created.has(`${petId} ${after}`))
  const changes = changedPets(was, is).filter((each) => !letThrough.has(each.petId) && isWrite(each))
  const change = changes.find(({ petId }) => touched.has(petId))
  if (change) {
    const culprit = refused.find((x) => x.intent.petId === change.petId) ?? refused[0]
    const facts = { ...change, status: culprit.response?.status ?? 0 }
    const finding = fail('refused-but-changed', facts, before, ...refused.slice(0, 3), after)
    // Somebody else writes, or the list shows earlier writes late.
    const stranger = changes.find(({ petId }) => row.every(({ intent }) => intent.petId !== petId))
    return { telling: none, finding, doubt: stranger && inconclusive('somebody-else-writes', stranger, before, after) }
  }
  const [astray, ...more] = writesAstray(row, isRefusal)
  if (astray) {
    const { petId, before: from, after: to, patch } = astray
    const witnesses = [astray, ...more].flatMap((write) => [write.readings[0], write.patch, write.readings[1]])
    const facts = { petId, before: from, after: to, status: patch.response?.status ?? 0 }
    return { telling: none, finding: fail('refused-but-changed', facts, ...witnesses) }
  }
  return {
    telling: refused.filter(({ intent: { petId } }) => !letThrough.has(petId) && was.has(petId) === is.has(petId)),
    finding: undefined,
  }
}

/** What counts as refused, and which probes send it. */
interface Refusals {
  readonly probes: readonly ProbeId[]
  readonly isRefusal: (x: Exchange) => boolean
  readonly kinds: Kinds
  readonly kindOf: (x: Exchange) => string
}

/** Whether an entry changed between two readings of one of the probes, with nothing but refused PATCHes in between. */
export const unchangedThrough = (evidence: Evidence, telling: TellingCases, refusals: Refusals) => {
  const told = refusals.probes.map((probe) => refusedBetween(evidence, probe, refusals.isRefusal))
  // What happens beside refused PATCHes more than once is their doing.
  const doubts = told.flatMap(({ doubt }) => doubt ?? [])
  const findings = told.flatMap(({ finding, doubt }) => (doubts.length === 1 && doubt) || (finding ?? []))
  for (const x of told.flatMap((each) => each.telling)) telling.add(x, refusals.kindOf(x))
  const broken = findings.find(({ verdict }) => verdict === 'fail')
  const changed = broken ?? statusMoved(evidence, refusals.isRefusal)
  if (changed) return changed
  const finding = telling.conclude({ kinds: refusals.kinds })
  return finding.verdict === 'pass'
    ? finding
    : (findings.find(({ verdict }) => verdict === 'inconclusive') ?? findings.at(0) ?? finding)
}

const betweenReadings: Refusals = {
  probes: ['invalid-bodies', 'unknown-pet'],
  isRefusal: (x) => x.response?.status === 400 || x.response?.status === 404,
  kinds: { 'a PATCH answered 400': ['invalid-bodies'], 'a PATCH answered 404': ['unknown-pet'] },
  kindOf: (x) => `a PATCH answered ${x.response?.status}`,
}

/** The failure if a PATCH beyond the bounds was answered 400, and the next reading shows its quantity. */
const boundsWritten = (evidence: Evidence) => {
  const row = answersOf(evidence, 'quantity-bounds')
  for (const [i, patch] of row.entries()) {
    if (patch.response?.status !== 400 || i === 0 || i + 1 >= row.length) continue
    const { petId, quantity } = patch.intent
    const [was, is] = [row[i - 1], row[i + 1]].map((x) => quantitiesOf(x)?.get(petId))
    if (was === undefined || was === is || is !== quantity) continue
    return fail('refused-but-changed', { petId, before: was, after: is, status: 400 }, row[i - 1], patch, row[i + 1])
  }
  return undefined
}

/** The failure if the list shows the quantity of one of the loose requests that was answered 400. Each asks for another one. */
const looseWritten = (evidence: Evidence) => {
  const row = answersOf(evidence, 'loose-requests')
  const [before] = row.filter(({ step }) => step === 'before')
  const after = row.find(({ step }) => step === 'after')
  for (const patch of row.filter(({ step, response }) => step === 'loose' && response?.status === 400)) {
    const { petId, quantity } = patch.intent
    const [was, is] = [before, after].map((x) => x && quantitiesOf(x)?.get(petId))
    if (!before || !after || was === undefined || is !== quantity) continue
    return fail('refused-but-changed', { petId, before: was, after: is, status: 400 }, before, patch, after)
  }
  return undefined
}

export const refusalsChangeNothing = defineCheck({
  id: 'inventory.refusals-change-nothing',
  promise: 'A PATCH that gets 400 or 404 changes no entry.',
  clauses: ['INV-8'],
  advice: 'Check whether the update is stored before it is validated: a refused one must change nothing.',
  reads: [...betweenReadings.probes, 'quantity-bounds', 'loose-requests'],
  needs: { cases: 'refused PATCHes between two readings' },
  judge: (evidence, telling) =>
    boundsWritten(evidence) ?? looseWritten(evidence) ?? unchangedThrough(evidence, telling, betweenReadings),
})

/** The probes that try a PATCH on a refused key. */
const spending = ['burst', 'while-refused'] as const

const refusals: ReadonlySet<number> = new Set([400, 401, 403, 404, 429])

const isLimiters = ({ response }: Exchange): boolean => response?.status === 429 || response?.status === 403

/** PATCHes that have to be refused, between two readings of the list. */
interface Attempt {
  readonly before: Exchange
  readonly patches: readonly Exchange[]
  readonly after: Exchange
}

/** Every attempt of a probe on a key, which may have been played several times. */
const attemptsOn = (key: string, evidence: Evidence, probe: 'burst' | 'while-refused'): Attempt[] => {
  const attempts: Attempt[] = []
  let before: Exchange | undefined
  let patches: Exchange[] = []
  for (const x of exchangesOf(evidence, probe).filter((each) => each.key === key)) {
    // The opener of a burst's window is a later reading of the same list.
    if (x.step === 'before' || x.step === 'opener') [before, patches] = [x, []]
    if (x.step === 'write-refused') patches.push(x)
    // If the key is still refused, the list is read once more.
    if (x.step === 'after' && x.response?.status !== 429 && before) attempts.push({ before, patches, after: x })
  }
  return attempts
}

/** Whether another PATCH of the pet between the readings was admitted after all, or nobody knows its answer. */
const mayHaveChanged = ({ exchanges }: Evidence, { before, after }: Attempt, petId: string): boolean =>
  exchanges.some(
    ({ request, intent, response, sentAt }) =>
      request.method === 'PATCH' &&
      intent.petId === petId &&
      !(response && refusals.has(response.status)) &&
      sentAt > before.sentAt &&
      sentAt < after.sentAt,
  )

export const refusedWrite = defineCheck({
  id: 'inventory.refused-write',
  promise: 'A PATCH that gets 429, or 403 under a ban, changes no entry.',
  clauses: ['INV-8'],
  advice: 'Check the order: the limiter must refuse before the handler writes.',
  reads: [...spending],
  needs: { cases: 'PATCHes answered 429, with the list read before and after' },
  again: {
    probe: 'while-refused',
    beside: spending,
    settings: ({ code }: Finding) => (code === 'not-told' ? { ...bareSpending, writes: true } : undefined),
    dearest: dearestSpending,
  },
  lacks: ({ code, facts }) =>
    code === 'not-told' && facts.leftOut === 0 ? { what: 'refusals', of: ['updateInventory'] } : undefined,
  judge(evidence, telling) {
    if (evidence.run.readOnly) return notTested('probe-skipped', { probe: 'burst', reason: 'read-only' })
    let leftOut = 0
    const attempts = evidence.run.keys.flatMap(({ name }) =>
      spending.flatMap((probe) => attemptsOn(name, evidence, probe)),
    )
    for (const attempt of attempts) {
      const { before, after } = attempt
      const [old, now] = [quantitiesOf(before), quantitiesOf(after)]
      for (const patch of attempt.patches.filter(isLimiters)) {
        const { petId } = patch.intent
        if (mayHaveChanged(evidence, attempt, petId)) continue
        const [was, is] = [old?.get(petId), now?.get(petId)]
        if (was === undefined || is === undefined) leftOut += 1
        // The list showed that quantity already: a write would not show.
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
    return statusMoved(evidence, isLimiters) ?? telling.conclude({ leftOut })
  },
})
