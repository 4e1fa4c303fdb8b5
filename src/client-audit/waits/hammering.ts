import type { ClientEvidence, Story } from './story.js'
import { atOnceMs, lonelyCases, usualNoise, waitsOverlap } from './waits.js'

const twoInARowBelow = ({ attempts }: ReturnType<typeof lonelyCases>[number], ms: number): number =>
  attempts.findIndex(({ medianMs }, index) => {
    const next = attempts[index + 1]
    return medianMs < ms && next !== undefined && next.medianMs < ms
  })

/**
 * The cases in which a client without a named wait comes back at once, twice in a row; certain ones first. On a machine
 * that stalls, several workers, though one was asked for, may come one by one in all plays of a case: the whole audit
 * shows whether there are such workers.
 */
export const hammeringIn = (stories: readonly Story[], evidence: ClientEvidence) =>
  lonelyCases(stories)
    .flatMap((lonely) => {
      const { attempts } = lonely
      const seen = twoInARowBelow(lonely, atOnceMs)
      const at = seen >= 0 ? seen : twoInARowBelow(lonely, atOnceMs + usualNoise(evidence, lonely.stories))
      if (at < 0) return []
      const witnesses = lonely.stories[0].arrivals.slice(at, at + 3)
      const [waitMs, nextWaitMs] = [attempts[at].medianMs, attempts[at + 1].medianMs]
      // Not certain if the machine's delay may account for it, or several workers made the attempts.
      return { lonely, waitMs, nextWaitMs, witnesses, certain: seen >= 0 && !waitsOverlap(evidence.stories) }
    })
    .sort((a, b) => Number(b.certain) - Number(a.certain))
