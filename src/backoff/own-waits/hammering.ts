import type { Arrival } from '../../evidence/arrivals.js'
import type { Noise } from '../noise.js'
import type { Story } from '../story.js'
import { type LonelyCase, lonelyCases, usualNoise, waitsOverlap } from './waits.js'

/** A gap below this is no wait at all. */
const atOnceMs = 100

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

/** The cases in which a client that is on its own comes back at once, twice in a row; the certain ones first. */
export const hammeringIn = (stories: readonly Story[], noise: Noise): readonly Hammering[] =>
  lonelyCases(stories)
    .flatMap((lonely): Hammering[] => {
      const { attempts } = lonely
      const seen = twoInARowBelow(lonely, atOnceMs)
      const at = seen >= 0 ? seen : twoInARowBelow(lonely, atOnceMs + usualNoise({ noise }, lonely.stories))
      if (at < 0) return []
      const witnesses = lonely.stories[0].arrivals.slice(at, at + 3)
      const [waitMs, nextWaitMs] = [attempts[at].medianMs, attempts[at + 1].medianMs]
      return [{ lonely, waitMs, nextWaitMs, witnesses, certain: seen >= 0 && !waitsOverlap(lonely.stories) }]
    })
    .sort((a, b) => Number(b.certain) - Number(a.certain))

/** A case in which one attempt comes at once, though not two in a row. */
export interface ImmediateAttempt {
  readonly lonely: LonelyCase
  readonly waitMs: number
}

/** The cases with an immediate attempt alone: common, and harmless once. */
export const immediateAttempts = (stories: readonly Story[], noise: Noise): readonly ImmediateAttempt[] => {
  const hammered = new Set(hammeringIn(stories, noise).map(({ lonely }) => lonely.case))
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
