import type { Evidence } from '../../evidence/evidence.js'
import { count } from '../../kit/count.js'
import { listInWords } from '../../kit/list-in-words.js'
import type { Witness } from '../../kit/witness.js'
import { inconclusive, notTested, pass } from './finding.js'
import type { SentencesOf } from './sentences.js'

/**
 * What a pass takes: telling cases, in each of which the breach would have shown. Of "a refused PATCH changes nothing" a
 * PATCH tells that was refused, between two lists that could be read; one that was admitted after all tells nothing.
 */
export interface Need {
  /** What a telling case is, as a noun in the plural: `429s with the list read before and after`. */
  readonly cases: string
  readonly least: number
}

/** The cases in which the breach would have shown, and did not: counted, for a load has a million of them. */
export interface TellingCases {
  readonly count: number
  readonly kinds: ReadonlySet<string>
  /** The first few. */
  readonly witnesses: readonly Witness[]
}

/**
 * Each kind that a pass takes a case of, with the probes that ask for it; none: any probe may bring it about. `withheld`
 * is what the probes do not ask for because the user said so.
 */
export type Kinds = Readonly<Record<string, readonly string[] | 'withheld'>>

/** What a probe could not ask for because a load found no room is no decision of the user's, and no lack of the target's. */
const noRoom = 'day-too-small'

/** Whether one of the probes was to be played, and was not left out for what the user, the keys or the target's data lack. */
const wasAsked = ({ run, probes }: Evidence, asking: Kinds[string]): boolean =>
  asking !== 'withheld' &&
  (asking.length === 0 ||
    run.probes.some(({ probe }) => {
      const ends = probes.filter((each) => each.probe === probe)
      const isLeftOut = ends.length > 0 && ends.every(({ end, reason }) => end === 'skipped' && reason !== noRoom)
      return asking.includes(probe) && !isLeftOut
    }))

const mostWitnesses = 6

/** Counts telling cases as they are met. A case may be of kinds, where a pass takes one of each: a status, a plan. */
export const tellingCases = (): TellingCases & { add(witness: Witness, kind?: string | readonly string[]): void } => {
  const kinds = new Set<string>()
  const witnesses: Witness[] = []
  const counted = {
    count: 0,
    kinds,
    witnesses,
    add(witness: Witness, kind: string | readonly string[] = []) {
      const named = [kind].flat()
      counted.count += 1
      // The first of each kind is shown; of no kind, the first few.
      const isNew = named.length === 0 ? witnesses.length < mostWitnesses / 2 : named.some((each) => !kinds.has(each))
      for (const each of named) kinds.add(each)
      if (isNew && witnesses.length < mostWitnesses) witnesses.push(witness)
    },
  }
  return counted
}

/** The finding where there was nothing to tell of. */
export const nothingTold = (cases: string, ...witnesses: readonly Witness[]) =>
  inconclusive('not-told', { cases, told: 0, needed: 1, missing: [], leftOut: 0 }, ...witnesses)

/**
 * The finding where no breach was seen: a pass where the telling cases meet the need, else inconclusive with what is
 * missing. Kinds that nothing asked for leave it not tested.
 *
 * @param leftOut answers that could not be read, and are no case that held.
 */
export const concluded = (
  evidence: Evidence,
  { cases, least }: Need,
  { count: told, kinds: seen, witnesses }: TellingCases,
  { kinds = {}, leftOut = 0 }: { readonly kinds?: Kinds; readonly leftOut?: number } = {},
) => {
  const missing = Object.keys(kinds).filter((kind) => !seen.has(kind))
  const unasked = missing.filter((kind) => !wasAsked(evidence, kinds[kind]))
  const open = missing.filter((kind) => !unasked.includes(kind))
  if (open.length > 0 || (told < least && unasked.length === 0)) {
    const needed = Math.max(least - told, open.length)
    return inconclusive('not-told', { cases, told, needed, missing: open, leftOut }, ...witnesses)
  }
  if (unasked.length > 0) return notTested('not-asked', { cases, told, missing: unasked }, ...witnesses)
  return pass('told', { cases, told, kinds: Object.keys(kinds), leftOut }, ...witnesses)
}

const counted = (cases: number): string => (cases === 1 ? 'the one case' : `${count(cases)} cases`)

const leftOutInWords = (leftOut: number): string =>
  leftOut === 0 ? '' : `; left out: ${leftOut} that could not be read`

export const concludedSentences = {
  told: (f) =>
    `held in ${counted(f.told)} that would have shown a breach: ${f.cases}${f.kinds.length > 0 ? ` (${listInWords(f.kinds)})` : ''}${leftOutInWords(f.leftOut)}`,
  'not-told': (f) =>
    `${f.told === 0 ? `nothing that could have shown a breach was seen: ${f.cases}` : `too little that could have shown a breach was seen: ${count(f.told)} ${f.cases}`}; ${f.missing.length > 0 ? `missing: ${listInWords(f.missing)}` : `${count(f.needed)} more would do`}${leftOutInWords(f.leftOut)}`,
  'not-asked': (f) =>
    `held in ${counted(f.told)}; nothing in this run asked for ${listInWords(f.missing)} (${f.cases})`,
} satisfies SentencesOf<ReturnType<typeof concluded>>
