import { declaredStatuses } from '../../contract/api-contract.js'
import { type OperationId, operations } from '../../contract/petstore/operations.js'
import { contractOf } from '../../contract/petstore/petstore.js'
import type { ProbeId } from '../../contract/probe-catalogue.js'
import type { Evidence } from '../../evidence/evidence.js'
import type { Exchange } from '../../evidence/exchange.js'
import type { Witness } from '../../kit/witness.js'
import { count, listInWords } from '../../kit/words.js'
import { inconclusive, notTested, pass, type SentencesOf } from './finding.js'
import { loadProfiles } from './loads.js'

/**
 * What a pass needs: telling cases, in each of which a breach would have shown. For "a refused PATCH changes nothing"
 * that is a refused PATCH between two lists that could be read; one that was admitted after all tells nothing.
 */
export interface Need {
  /** What a telling case is, as a noun in the plural: `429s with the list read before and after`. */
  readonly cases: string
  /** Default: 1. */
  readonly least?: number
}

/**
 * Each kind of which a pass needs a case, with the probes that ask for it; none: any probe may bring it about.
 * `withheld`: the user told the probes not to ask for it.
 */
export type Kinds = Readonly<Record<string, readonly string[] | 'withheld'>>

/** If a load found no room in the key's day, that is neither the user's decision nor a lack of the target. */
const noRoom = 'day-too-small'

/** Whether one of the probes was planned, and not skipped for what the user, the keys or the target's data lack. */
const wasAsked = ({ run, probes }: Evidence, asking: Kinds[string]): boolean =>
  asking !== 'withheld' &&
  (asking.length === 0 ||
    run.probes.some(({ probe }) => {
      const ends = probes.filter((each) => each.probe === probe)
      const isLeftOut = ends.length > 0 && ends.every(({ end, reason }) => end === 'skipped' && reason !== noRoom)
      return asking.includes(probe) && !isLeftOut
    }))

const mostWitnesses = 6

/**
 * Counts the cases in which a breach would have shown and did not, one by one: a load may have a million. A case may be
 * of kinds, of each of which a pass needs one: a status, a plan.
 */
export const tellingCases = (evidence: Evidence, { cases, least = 1 }: Need) => {
  const seen = new Set<string>()
  const witnesses: Witness[] = []
  const telling = {
    cases,
    count: 0,
    add(witness: Witness, kind: string | readonly string[] = []) {
      const before = seen.size
      telling.count += 1
      if (typeof kind === 'string') seen.add(kind)
      else for (const each of kind) seen.add(each)
      // Witnesses are the first case of each kind; of cases without a kind, the first few.
      const hasNone = typeof kind !== 'string' && kind.length === 0
      const isNew = hasNone ? witnesses.length < mostWitnesses / 2 : seen.size > before
      if (isNew && witnesses.length < mostWitnesses) witnesses.push(witness)
    },
    /**
     * The finding if no breach was seen: a pass if the telling cases meet the need, else inconclusive with what is
     * missing. Not tested if only kinds that nothing asked for are missing.
     *
     * @param leftOut answers that could not be read, and so tell nothing.
     */
    conclude({ kinds = {}, leftOut = 0 }: { readonly kinds?: Kinds; readonly leftOut?: number } = {}) {
      const told = telling.count
      const missing = Object.keys(kinds).filter((kind) => !seen.has(kind))
      const unasked = missing.filter((kind) => !wasAsked(evidence, kinds[kind]))
      const open = missing.filter((kind) => !unasked.includes(kind))
      if (open.length > 0 || (told < least && unasked.length === 0)) {
        const needed = Math.max(least - told, open.length)
        return inconclusive('not-told', { cases, told, needed, missing: open, leftOut }, ...witnesses)
      }
      if (unasked.length > 0) return notTested('not-asked', { cases, told, missing: unasked }, ...witnesses)
      return pass('told', { cases, told, kinds: Object.keys(kinds), leftOut }, ...witnesses)
    },
  }
  return telling
}

export type TellingCases = ReturnType<typeof tellingCases>
export type Concluded = ReturnType<TellingCases['conclude']>

/** The finding if there was no telling case at all. */
export const nothingTold = (cases: string, ...witnesses: readonly Witness[]) =>
  inconclusive('not-told', { cases, told: 0, needed: 1, missing: [], leftOut: 0 }, ...witnesses)

const unread = (leftOut: number): string => (leftOut === 0 ? '' : `; ${count(leftOut)} could not be read`)

const noBreachIn = (told: number, cases: string): string =>
  `no breach in ${told === 1 ? `1 case: ${cases}` : `${count(told)} ${cases}`}`

/** What was seen, and what a pass still lacks: `1 of 4 needed 429s with Retry-After`. */
const lackInWords = (f: { cases: string; told: number; needed: number; missing: readonly string[] }): string => {
  if (f.missing.length === 0) return `${count(f.told)} of ${count(f.told + f.needed)} needed ${f.cases}`
  return `${f.told === 0 ? 'no' : count(f.told)} ${f.cases}; still missing: ${listInWords(f.missing)}`
}

export const concludedSentences = {
  told: (f) =>
    `${noBreachIn(f.told, f.cases)}${f.kinds.length > 0 ? ` (${listInWords(f.kinds)})` : ''}${unread(f.leftOut)}`,
  'not-told': (f) => `not enough evidence: ${lackInWords(f)}${unread(f.leftOut)}`,
  'not-asked': (f) => `${noBreachIn(f.told, f.cases)}, but this run did not ask for ${listInWords(f.missing)}`,
} satisfies SentencesOf<Concluded>

/** The probes that spend a key until it is refused. */
export const spendingProbes: readonly ProbeId[] = [
  'exhaustion',
  'while-refused',
  'cost',
  'daily',
  'ban',
  ...loadProfiles,
]

/** The probes that bring about each status of an operation; any probe brings about a 200. */
const askingProbes = {
  200: [],
  400: ['invalid-bodies'],
  401: ['no-key', 'bad-keys', 'key-before-body'],
  404: ['unknown-pet'],
  429: spendingProbes,
} as const satisfies Readonly<Record<number, readonly ProbeId[]>>

/** The kinds for a promise about answers with these statuses. */
export const statusKinds = (...statuses: readonly (keyof typeof askingProbes)[]) =>
  Object.fromEntries(statuses.map((status) => [String(status), askingProbes[status]]))

/** The spending probes, the cheapest first, so that a check that runs alone takes the gentlest available. */
const gentlestFirst: readonly ProbeId[] = ['exhaustion', 'while-refused', 'burst', ...spendingProbes]

/** For a check that runs alone: what brings about these statuses, for each the first that the scenario plays. */
export const bringing = (...statuses: readonly (keyof typeof askingProbes)[]): (readonly ProbeId[])[] =>
  statuses.map((status) => (status === 429 ? gentlestFirst : askingProbes[status]))

/** For a check that runs alone: all of these probes that the scenario plays. */
export const eachOf = (...probes: readonly ProbeId[]): (readonly ProbeId[])[] => probes.map((probe) => [probe])

/** The statuses whose answers show the quota: those that the contract declares, by default 200 and 429. */
export const ratedStatuses = ({ run }: Evidence): Kinds => {
  const declared = declaredStatuses(contractOf(run))
  return Object.fromEntries(Object.entries(askingProbes).filter(([status]) => declared.includes(Number(status))))
}

/** An operation as the interface writes it: `PATCH /inventory/{petId}`. */
const written = (id: OperationId): string => `${operations[id].method} ${operations[id].path}`

/** The kinds for a promise about these operations, each asked for by `probe`. A read-only run never sends a PATCH. */
export const operationKinds = ({ run }: Evidence, probe: string, ids: readonly OperationId[]): Kinds =>
  Object.fromEntries(ids.map((id) => [written(id), run.readOnly && id === 'updateInventory' ? 'withheld' : [probe]]))

/** The operation that an exchange asks for, as a kind. */
export const operationOf = ({ operation }: Exchange): string =>
  operation !== null && Object.hasOwn(operations, operation) ? written(operation as OperationId) : 'no operation'

/** The probes that send an update that has to be accepted. */
export const updatingProbes: readonly ProbeId[] = [
  'read-write-read',
  'neighbour-ids',
  'invalid-bodies',
  'unknown-pet',
  'quantity-bounds',
  'model-walk',
]
