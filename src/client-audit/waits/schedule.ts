import { medianOf } from '../../kit/numbers.js'
import { growthOf } from './growth.js'
import { earlyOnSeconds, isOtherRequest } from './seconds-and-dates.js'
import type { ClientEvidence } from './story.js'
import { type AttemptWaits, comesAtOnce, mostNoise, ownSchedule, underWayMs, usualNoise } from './waits.js'

/** Fewer plays say nothing about jitter or medians. */
export const fewestPlays = 8
/** The share of its median, and the milliseconds, beyond which the same attempt's waits spread. */
export const leastSpread = 0.05
export const leastSpreadMs = 30
/** A spread below this many times the control's usual delay proves nothing. */
const timesNoise = 2

type JitterSpread = ReturnType<typeof spreadOf>

/** `unclear`: the machine alone may have spread the waits, or turned immediate attempts into waits. */
type Jittered = 'yes' | 'no' | 'unclear'

/** With more plays than needed, the longest wait is left out, because a stalled process is no jitter. */
const spreadOf = ({ waitsMs, medianMs }: AttemptWaits, index: number, lateMs: number) => {
  const kept = waitsMs.length > fewestPlays ? waitsMs.slice(0, -1) : waitsMs
  const spreadMs = kept[kept.length - 1] - kept[0]
  const spread = spreadMs > leastSpreadMs && spreadMs > leastSpread * medianMs
  const isWait = comesAtOnce({ waitsMs, medianMs }, lateMs) === 'no'
  const jittered: Jittered = !isWait ? 'unclear' : !spread ? 'no' : spreadMs > timesNoise * lateMs ? 'yes' : 'unclear'
  return { attempt: index + 1, plays: kept.length, medianMs, spreadMs, jittered }
}

/** The spread of each wait that at least eight plays made; `lateMs`: the control's usual delay. */
export const spreadsOf = (attempts: readonly AttemptWaits[], lateMs: number): readonly JitterSpread[] =>
  attempts.flatMap((each, index) =>
    each.waitsMs.length >= fewestPlays && comesAtOnce(each, lateMs) !== 'yes' ? [spreadOf(each, index, lateMs)] : [],
  )

/** Whether a client jitters its own waits, and the attempt that shows it. */
export type Jitter =
  | { readonly kind: 'yes' | 'no' | 'unclear'; readonly shown: JitterSpread }
  | { readonly kind: 'too-few-plays' }

/**
 * It does if at least half of its waits spread. A single spread may be the machine's doing, which delays all plays at the
 * same moment, so alone it shows jitter only beyond the control's longest delay. If only the machine's stalls decide
 * between yes and no, it is unclear.
 */
export const jitterOf = (spreads: readonly JitterSpread[], mostLateMs: number): Jitter => {
  const [first] = spreads
  if (!first) return { kind: 'too-few-plays' }
  const share = (...kinds: readonly Jittered[]) =>
    spreads.filter(({ jittered }) => kinds.includes(jittered)).length / spreads.length
  const certain = spreads.filter(({ jittered }) => jittered === 'yes')
  const isBeyondStalls = certain.length > 1 || certain.some(({ spreadMs }) => spreadMs > timesNoise * mostLateMs)
  if (share('yes') >= 0.5) return { kind: isBeyondStalls ? 'yes' : 'unclear', shown: certain[0] }
  const kind = share('yes', 'unclear') >= 0.5 ? 'unclear' : 'no'
  return { kind, shown: spreads.find(({ jittered }) => jittered === kind) ?? first }
}

/** Whether a refusal pauses the whole key, or only the refused request. */
const pausesOf = (evidence: ClientEvidence): 'key' | 'request' | 'one-at-a-time' | 'not-shown' => {
  const { stories } = evidence
  const broken = earlyOnSeconds(evidence).filter(({ story, certain }) => certain && story.workers > 1)
  if (broken.length > 0) return broken.some((each) => isOtherRequest(evidence, each)) ? 'request' : 'not-shown'
  const parallel = stories.filter(({ workers }) => workers > 1)
  if (stories.every(({ arrivals }) => arrivals.length === 0)) return 'not-shown'
  if (parallel.length === 0) return 'one-at-a-time'
  // Others could have gone on: they were answered after the refusal, when it could be known.
  const shown = parallel.some(({ refusals: [first], arrivals }) =>
    arrivals.some(
      ({ at, answeredAt, status }) =>
        first !== undefined &&
        status === 200 &&
        at < first.answeredAt &&
        (answeredAt ?? at) > first.answeredAt + underWayMs,
    ),
  )
  return shown ? 'key' : 'not-shown'
}

/** How many successive waits have to agree on a cap. */
const fewestAtCap = 3
/** How far their medians may lie apart, and how far beyond it any single wait may. */
const capSpread = { medians: 1.1, single: 1.5 } as const

/** The cap on which at least the last three medians agree, unless a single wait was clearly longer. */
const capOf = (attempts: readonly AttemptWaits[], from: number): number | null => {
  const medians = attempts.slice(from).map(({ medianMs }) => medianMs)
  const capMs = medianOf(medians.toSorted((a, b) => a - b))
  const longestMs = Math.max(...attempts.flatMap(({ waitsMs }) => waitsMs))
  const agree = Math.max(...medians) <= Math.min(...medians) * capSpread.medians
  return medians.length >= fewestAtCap && agree && longestMs <= capMs * capSpread.single ? Math.round(capMs) : null
}

/** The schedule of a client, as far as its arrivals show it; null where there are too few waits. */
export const scheduleOf = (evidence: ClientEvidence) => {
  const { stories, attempts } = ownSchedule(evidence.stories)
  const lateMs = usualNoise(evidence, stories)
  const growth = growthOf(attempts, lateMs)
  const spreads = spreadsOf(attempts, lateMs)
  const jitter = jitterOf(spreads, mostNoise(evidence, stories))
  const counts = stories.map(({ arrivals }) => arrivals.length).sort((a, b) => a - b)
  const known = growth.kind === 'too-few' ? undefined : growth
  return {
    plays: stories.length,
    /** The median number of attempts over the plays, the first attempt included. */
    attempts: counts.length > 0 ? medianOf(counts) : null,
    waitsMs: attempts.map(({ medianMs }) => Math.round(medianMs)),
    baseMs: attempts.length > 0 ? Math.round(attempts[0].medianMs) : null,
    factor: known ? Math.round(known.meanRatio * 100) / 100 : null,
    capMs: known?.capAt != null ? capOf(attempts, known.capAt) : null,
    /** The widest spread of one attempt's waits, as a share of its median. */
    jitter:
      spreads.length > 0
        ? Math.max(...spreads.map(({ spreadMs, medianMs }) => spreadMs / Math.max(1, medianMs)))
        : null,
    jittered: jitter.kind === 'yes' ? true : jitter.kind === 'no' ? false : null,
    pauses: pausesOf(evidence),
  }
}
