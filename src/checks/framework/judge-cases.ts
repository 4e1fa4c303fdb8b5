import type { Evidence } from '../../evidence/evidence.js'
import type { Witness } from '../../kit/witness.js'
import { type RateReading, rateReadings } from '../../readings/readings.js'
import { statusKinds } from './asking-probes.js'
import { type Breach, type Broken, fail } from './finding.js'
import { concluded, type Kinds, type Need, tellingCases } from './needs.js'

/**
 * What one case shows: a breach; nothing wrong; nothing that could be read (`left-out`, and counted); or it is none of
 * those that the promise speaks of, or in which its breach would have shown (`skip`).
 */
export type CaseVerdict = Breach | 'left-out' | 'skip' | undefined

/** The kinds that a pass takes a case of, and which of them a case is of. */
export interface Spread<Case> {
  readonly kinds?: Kinds
  readonly kindOf?: (each: Case) => string | undefined
}

interface Shown<Case> extends Spread<Case> {
  readonly witnessOf: (each: Case) => Witness
  /** Of the cases that show a breach. All of them unless told. */
  readonly mostWitnesses?: number
}

/**
 * Looks at each case. One breach is a failure, told by the first, and those that show it are its witnesses. With no
 * breach the cases that tell have to meet the need.
 */
export const judgeCases = <Case, V extends CaseVerdict>(
  evidence: Evidence,
  cases: Iterable<Case>,
  need: Need,
  look: (each: Case) => V,
  { kinds, kindOf, witnessOf, mostWitnesses = Number.POSITIVE_INFINITY }: Shown<Case>,
): Broken<V> | ReturnType<typeof concluded> => {
  let first: Breach | undefined
  let [breaches, leftOut] = [0, 0]
  const telling = tellingCases()
  const witnesses = new Set<Witness>()
  for (const each of cases) {
    const found: CaseVerdict = look(each)
    if (found === 'skip') continue
    if (found === 'left-out') leftOut += 1
    else if (found === undefined) telling.add(witnessOf(each), kindOf?.(each))
    else {
      first ??= found
      breaches += 1
      if (witnesses.size < mostWitnesses) witnesses.add(witnessOf(each))
    }
  }
  if (first) return fail(first.code, { ...first.facts, others: breaches - 1 }, ...witnesses) as never
  return concluded(evidence, need, telling, { kinds, leftOut })
}

/** Looks at each reading of the headers, of single exchanges and of loads. */
export const judgeReadings = <V extends CaseVerdict>(
  evidence: Evidence,
  need: Need,
  look: (reading: RateReading) => V,
  spread: Spread<RateReading> = {},
) =>
  judgeCases(evidence, rateReadings(evidence), need, look, {
    ...spread,
    witnessOf: ({ witness }) => witness,
    mostWitnesses: 20,
  })

/** Looks at those of every 429 of the run. */
export const judgeRefusals = <V extends CaseVerdict>(
  evidence: Evidence,
  need: Need,
  look: (reading: RateReading) => V,
) =>
  judgeReadings(evidence, need, (reading) => (reading.status === 429 ? look(reading) : 'skip'), {
    kinds: statusKinds(429),
    kindOf: () => '429',
  })
