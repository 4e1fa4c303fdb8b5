import type { Arrival } from '../../evidence/arrivals.js'
import type { Story } from './story.js'
import { type LonelyCase, lonelyCases } from './waits.js'

/** A gap below this is no wait at all. */
const atOnceMs = 100

/** Two waits in a row that were none, by the medians over the plays. */
export interface Hammering {
  readonly lonely: LonelyCase
  readonly waitMs: number
  readonly nextWaitMs: number
  readonly witnesses: readonly Arrival[]
}

/** The cases in which a client that is on its own comes back at once, twice in a row. */
export const hammeringIn = (stories: readonly Story[]): readonly Hammering[] =>
  lonelyCases(stories).flatMap((lonely): Hammering[] => {
    const { attempts } = lonely
    const at = attempts.findIndex(({ medianMs }, index) => {
      const next = attempts[index + 1]
      return medianMs < atOnceMs && next !== undefined && next.medianMs < atOnceMs
    })
    if (at < 0) return []
    const witnesses = lonely.stories[0].arrivals.slice(at, at + 3)
    return [{ lonely, waitMs: attempts[at].medianMs, nextWaitMs: attempts[at + 1].medianMs, witnesses }]
  })

/** A case in which one attempt comes at once, though not two in a row. */
export interface ImmediateAttempt {
  readonly lonely: LonelyCase
  readonly waitMs: number
}

/** The cases with an immediate attempt alone: common, and harmless once. */
export const immediateAttempts = (stories: readonly Story[]): readonly ImmediateAttempt[] => {
  const hammered = new Set(hammeringIn(stories).map(({ lonely }) => lonely.case))
  return lonelyCases(stories).flatMap((lonely) => {
    const found = lonely.attempts.find(({ medianMs }) => medianMs < atOnceMs)
    return found && !hammered.has(lonely.case) ? [{ lonely, waitMs: found.medianMs }] : []
  })
}

/** The most attempts in a row that came at once on `Retry-After: 0`, and the case. */
export const zeroRun = (stories: readonly Story[]): { readonly attempts: number; readonly case: string } => {
  let most = { attempts: 0, case: '' }
  for (const { refusals, arrivals, play, workers } of stories) {
    let run = 0
    refusals.forEach(({ named, answeredAt }, index) => {
      const next = arrivals[arrivals.indexOf(refusals[index].arrival) + workers]
      run = named.kind === 'zero' && next !== undefined && next.at - answeredAt < atOnceMs ? run + 1 : 0
      if (run > most.attempts) most = { attempts: run, case: play.case }
    })
  }
  return most
}
