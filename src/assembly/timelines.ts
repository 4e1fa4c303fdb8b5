import type { Evidence } from '../evidence/evidence.js'
import { judgedKeys, type RecordedKey, recordedKeys } from '../oracle/judged-keys.js'
import { outcomes } from '../readings/history.js'
import type { Timeline } from '../report/model.js'

/** The report's names for the outcomes of a history, by code; to a reader, an excused refusal is a refusal. */
export const outcomeNames = ['admitted', 'refused', 'unknown', 'refused'] as const

/** A longer timeline is thinned out: this many points still draw quickly, and fill the width of a page. */
const mostPoints = 1_200

/** The most bars in a chart of outcomes: as many as fit on a page. */
export const mostBars = 96

/** The most Resets, and the most moments of Retry-After, that a chart marks. */
const mostMoments = 40

/** The first number of time slices, and how often it may double: a burst may be over in a thousandth of the run. */
const fewestSlices = 150
const mostHalvings = 14

/** What `keep` returns with the finest time slices that leave at most {@link mostPoints}. */
const finest = <T>(keep: (slices: number) => readonly T[]): readonly T[] => {
  let kept = keep(fewestSlices)
  for (let halvings = 1; halvings <= mostHalvings; halvings += 1) {
    const finer = keep(fewestSlices * 2 ** halvings)
    if (finer.length > mostPoints) break
    kept = finer
  }
  return kept
}

/** For each outcome in every time slice, keeps the first and last request, and the one with the lowest Remaining. */
const inSlices = ({ record, history }: RecordedKey, slices: number): number[] => {
  const [first, last] = [record.sentMs[0], record.sentMs[record.size - 1]]
  const slice = (last - first) / slices || 1
  const kept = new Map<number, { readonly first: number; last: number; low: number }>()
  for (let i = 0; i < record.size; i += 1) {
    const at = Math.floor((record.sentMs[i] - first) / slice) * outcomeNames.length + history.outcome[i]
    const before = kept.get(at)
    if (!before) kept.set(at, { first: i, last: i, low: i })
    else {
      before.last = i
      if (record.remaining[i] < record.remaining[before.low]) before.low = i
    }
  }
  const picked = Array.from(kept.values(), ({ first, last, low }) => [first, last, low])
  return [...new Set(picked.flat())].sort((a, b) => a - b)
}

const thinned = (key: RecordedKey): readonly number[] =>
  key.record.size <= mostPoints
    ? Array.from({ length: key.record.size }, (_, i) => i)
    : finest((slices) => inSlices(key, slices))

/** Counts the outcomes of all exchanges, by the stretch in which they were sent. */
const countsOf = ({ record, history }: RecordedKey): Pick<Timeline, 'counts' | 'stretchMs'> => {
  const first = record.sentMs[0]
  const stretchMs = Math.max(1, Math.ceil((record.sentMs[record.size - 1] - first + 1) / mostBars))
  const stretches = new Map<number, [number, number, number]>()
  const places = { admitted: 0, refused: 1, unknown: 2 } as const
  for (let i = 0; i < record.size; i += 1) {
    const at = Math.floor((record.sentMs[i] - first) / stretchMs)
    const counts = stretches.get(at) ?? [0, 0, 0]
    counts[places[outcomeNames[history.outcome[i]]]] += 1
    stretches.set(at, counts)
  }
  const counts = [...stretches].map(([at, each]): Timeline['counts'][number] => [at * stretchMs, ...each])
  return { counts, stretchMs }
}

/** The count at the first and last admission of every time slice, so that a burst keeps its edges. */
const admissionsOf = ({ record, history }: RecordedKey): [number, number][] => {
  const received = record.receivedMs.filter((_, i) => history.outcome[i] === outcomes.admitted).sort()
  const all = Array.from(received, (ms, i): [number, number] => [ms, i + 1])
  if (all.length <= mostPoints) return all
  const [first, last] = [received[0], received[received.length - 1]]
  return [
    ...finest((slices) => {
      const slice = (last - first) / slices || 1
      const sliceOf = (i: number) => Math.floor((received[i] - first) / slice)
      const isEdge = (i: number) => sliceOf(i - 1) !== sliceOf(i) || sliceOf(i + 1) !== sliceOf(i)
      return all.filter((_, i) => i === 0 || i === all.length - 1 || isEdge(i))
    }),
  ]
}

/** The minute's Remaining; null if it came with the day's limit, so that it was the day's. */
const claimed = ({ record, window }: RecordedKey, i: number): number | null =>
  record.limit[i] === window.longer?.limit && window.longer?.limit !== window.limit
    ? null
    : numberOrNull(record.remaining[i])

const numberOrNull = (value: number): number | null => (Number.isNaN(value) ? null : value)

const timelineOf = (key: RecordedKey): Timeline => {
  const { record, history, clock, window } = key
  const moments = (values: Iterable<number>) => [...new Set(values)].sort((a, b) => a - b).slice(0, mostMoments)
  const picked = thinned(key)
  return {
    plan: key.plan,
    limit: window.limit,
    windowMs: window.windowMs,
    points: picked.map((i): Timeline['points'][number] => [
      record.sentMs[i],
      numberOrNull(record.receivedMs[i]),
      outcomeNames[history.outcome[i]],
      claimed(key, i),
    ]),
    total: record.size,
    ...countsOf(key),
    admissions: admissionsOf(key),
    resets: moments(
      picked.flatMap((i) => (Number.isNaN(record.reset[i]) ? [] : [Math.round(record.reset[i] * 1000 - clock.to)])),
    ),
    retryMoments: moments(
      picked.flatMap((i) =>
        Number.isNaN(record.waitMs[i]) ? [] : [Math.round((record.receivedMs[i] + record.waitMs[i]) / 100) * 100],
      ),
    ),
  }
}

export const timelines = (evidence: Evidence): Timeline[] => {
  const loaded = judgedKeys(evidence).filter(({ judgement }) => judgement !== null)
  const names = new Set(loaded.map(({ name }) => name))
  return recordedKeys(evidence)
    .filter(({ name }) => names.has(name))
    .map(timelineOf)
}
