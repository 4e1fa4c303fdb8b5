import type { Arrival } from '../../evidence/arrivals.js'
import type { ClientEvidence, Story } from './story.js'
import { atOnceMs, comesAtOnce, lonelyCases, usualNoise, waitsOverlap } from './waits.js'

type LonelyCase = ReturnType<typeof lonelyCases>[number]

/** Two waits in a row that were none, by the medians over the plays. */
export interface Hammering {
  readonly lonely: LonelyCase
  readonly waitMs: number
  readonly nextWaitMs: number
  readonly witnesses: readonly Arrival[]
  /** Not certain where only what the machine was late by may have made waits of them, or they are several workers'. */
  readonly certain: boolean
}

const twoInARowBelow = ({ attempts }: LonelyCase, ms: number): number =>
  attempts.findIndex(({ medianMs }, index) => {
    const next = attempts[index + 1]
    return medianMs < ms && next !== undefined && next.medianMs < ms
  })

/**
 * The cases among those plays in which a client that is on its own comes back at once, twice in a row; the certain ones
 * first. Several workers of one that was asked for one may, on a machine that stalls, come one by one in all plays of a
 * case: the whole audit tells that there are such.
 */
export const hammeringIn = (stories: readonly Story[], evidence: ClientEvidence): readonly Hammering[] =>
  lonelyCases(stories)
    .flatMap((lonely): Hammering[] => {
      const { attempts } = lonely
      const seen = twoInARowBelow(lonely, atOnceMs)
      const at = seen >= 0 ? seen : twoInARowBelow(lonely, atOnceMs + usualNoise(evidence, lonely.stories))
      if (at < 0) return []
      const witnesses = lonely.stories[0].arrivals.slice(at, at + 3)
      const [waitMs, nextWaitMs] = [attempts[at].medianMs, attempts[at + 1].medianMs]
      return [{ lonely, waitMs, nextWaitMs, witnesses, certain: seen >= 0 && !waitsOverlap(evidence.stories) }]
    })
    .sort((a, b) => Number(b.certain) - Number(a.certain))

/** The cases in which one attempt comes at once, harmless once; uncertain where machine or workers explain it. */
export const immediateAttempts = (evidence: ClientEvidence) => {
  const { stories } = evidence
  const hammered = new Set(hammeringIn(stories, evidence).map(({ lonely }) => lonely.case))
  return lonelyCases(stories).flatMap((lonely) => {
    const lateMs = usualNoise(evidence, lonely.stories)
    const shortest = lonely.attempts.toSorted((a, b) => a.medianMs - b.medianMs)[0]
    if (!shortest || hammered.has(lonely.case)) return []
    const atOnce = comesAtOnce(shortest, lateMs)
    if (atOnce === 'no') return []
    return [{ lonely, waitMs: shortest.medianMs, certain: atOnce === 'yes' && !waitsOverlap(stories) }]
  })
}
