import { describe, expect, it } from 'vitest'
import { type Limiter, limiters, nodesApart } from '../../certificate/limiters.js'
import { playedHistory, playedRun } from '../../certificate/testing/played-run.js'
import { seededRandom } from '../../kit/random.js'
import { type History, outcomes } from '../../readings/history.js'
import { judgeQuota } from '../judge-quota.js'
import { defects, type SimulatedDefect } from '../testing/defects.js'
import { firstDiagnosis } from '../testing/first-diagnosis.js'
import { defectiveHistory } from '../testing/scenarios.js'
import { diagnose } from './diagnosis.js'

const otherLimits = { free: 60, pro: 300, business: 1000 }

const window = { limit: 60, windowMs: 60_000 }

/** Windows that the second request after the last one's end opens: the first is refused. */
const lateToTurn = (): Limiter => {
  let [endMs, left] = [Number.POSITIVE_INFINITY, window.limit]
  return {
    decide(now) {
      if (endMs === Number.POSITIVE_INFINITY && left === window.limit) endMs = now + window.windowMs
      if (now >= endMs) {
        ;[endMs, left] = [Number.POSITIVE_INFINITY, window.limit]
        return false
      }
      left -= 1
      return left >= 0
    },
  }
}

/** A bucket that adds whole tokens only, and counts from each request on: under steady requests it hardly refills. */
const losesParts = ({ limit, windowMs }: typeof window): Limiter => {
  let [tokens, at] = [limit, 0]
  return {
    decide(now) {
      tokens = Math.min(limit, tokens + Math.floor(((now - at) * limit) / windowMs))
      at = now
      tokens -= 1
      if (tokens >= 0) return true
      tokens = 0
      return false
    },
  }
}

/** Bursts of 60 requests that are under way together, each of which admits so many; 2 s later one more is refused. */
const burstsThatAdmit = (...counts: readonly number[]): History =>
  answered(
    counts.flatMap((count, burst) =>
      Array.from({ length: 61 }, (_, i) => ({
        sentMs: 4_100 * burst + (i < 60 ? i / 100 : 2_000),
        isAdmitted: i < count,
      })),
    ),
  )

const answered = (rows: readonly { readonly sentMs: number; readonly isAdmitted: boolean }[]): History => {
  return {
    size: rows.length,
    sentMs: Float64Array.from(rows, ({ sentMs }) => sentMs),
    receivedMs: Float64Array.from(rows, ({ sentMs }) => sentMs + 20),
    outcome: Uint8Array.from(rows, ({ isAdmitted }) => (isAdmitted ? outcomes.admitted : outcomes.refused)),
    priorUntilMs: Number.NEGATIVE_INFINITY,
    targetEpochOffsetMs: null,
  }
}

describe('a defective limiter', () => {
  // Of low limits chance fills one node long before the other, so that 60 at once fit a dozen nodes as well.
  it.each([
    { counts: [28, 31, 21], models: ['fixed-window'], named: 'check-apart-from-count' },
    { counts: [28, 31, 21], models: ['sliding-log'], named: 'check-apart-from-count' },
    { counts: [10, 10, 9], models: ['sliding-log'], named: 'nodes-count-alone' },
  ] as const)('of 5 that admits $counts of 60 at once ($models) looks like $named', ({ counts, models, named }) => {
    const [first] = diagnose(burstsThatAdmit(...counts), { limit: 5, windowMs: 4_000, models })
    expect(first?.id).toBe(named)
    if (named === 'nodes-count-alone') expect(first.facts.nodes).toBe(2)
  })

  it.each(Object.keys(defects) as SimulatedDefect[])('that shows %s is refuted by every model, and named', (defect) => {
    const { history, window, companions } = defectiveHistory(defect, 1, 5)
    expect(judgeQuota(history, window).verdict).toBe('fail')
    expect(firstDiagnosis(history, window, { otherLimits, companions })?.id).toBe(defect)
  })

  it.each([10, 20, 60])(
    'is named by its short window, and not by nodes or routes that would count alone (limit %i)',
    (limit) => {
      const short = { limit, windowMs: 4_000, epochOffsetMs: 0, random: seededRandom(3) }
      const quota = { limit, windowMs: 60_000 }
      const history = playedHistory(playedRun(() => limiters['fixed-window-first-request'](short), quota, {}))
      const byRoute = [0, 1].map((route) => ({
        ...history,
        outcome: history.outcome.map((each, i) => (i % 2 === route ? each : outcomes.excused)),
      }))
      expect(firstDiagnosis(history, quota)?.id).toBe('window-shorter')
      expect(firstDiagnosis(history, quota, { byRoute })?.id).toBe('window-shorter')
    },
  )

  it('is named by the part of its window that is limited as well', () => {
    const sixth = { limit: 10, windowMs: 10_000, epochOffsetMs: 0, random: seededRandom(3) }
    const history = playedHistory(playedRun(() => limiters['fixed-window-first-request'](sixth), window, {}))
    expect(firstDiagnosis(history, window)).toMatchObject({ id: 'sub-window', facts: { limit: 10, windowMs: 10_000 } })
  })

  it('is named by the cells that it forgets as a whole', () => {
    const admittedIn: number[] = []
    const ring: Limiter = {
      decide(now) {
        const cell = Math.floor((now + 2_345) / 6_000)
        const counted = admittedIn.slice(Math.max(0, cell - 9)).reduce((sum, each = 0) => sum + each, 0)
        if (counted < window.limit) admittedIn[cell] = (admittedIn[cell] ?? 0) + 1
        return counted < window.limit
      },
    }
    const asked = [3_000, 40_000, 58_000, 63_600, 95_000, 118_000].flatMap((start) =>
      Array.from({ length: 50 }, (_, i) => start + 10 * i),
    )
    const history = answered(asked.map((sentMs) => ({ sentMs, isAdmitted: ring.decide(sentMs) })))
    expect(judgeQuota(history, window).verdict).toBe('fail')
    expect(firstDiagnosis(history, window)).toEqual({ id: 'window-in-cells', facts: {} })
  })

  it('may be named by the parts of tokens that a bucket loses', () => {
    let [tokens, lastMs] = [window.limit, 0]
    const decide = (now: number) => {
      tokens = Math.min(window.limit, tokens + Math.floor(((now - lastMs) * window.limit) / window.windowMs))
      lastMs = now
      const isAdmitted = tokens > 0
      if (isAdmitted) tokens -= 1
      return isAdmitted
    }
    const steps = (from: number, times: number, gapMs: number) =>
      Array.from({ length: times }, (_, i) => from + i * gapMs)
    const asked = [1_000, 131_000].flatMap((from) => [
      ...steps(from, 60, 0),
      ...steps(from + 2_500, 20, 1_900),
      ...steps(from + 39_000, 5, 10),
    ])
    const history = answered(asked.map((sentMs) => ({ sentMs, isAdmitted: decide(sentMs) })))
    expect(judgeQuota(history, window).verdict).toBe('fail')
    expect(diagnose(history, window)).toContainEqual({ id: 'bucket-loses-tokens', facts: {} })
  })

  const forgetful = (limit: number, atMs: number): Limiter => {
    const fresh = () =>
      limiters['fixed-window-first-request']({ limit, windowMs: 60_000, epochOffsetMs: 0, random: seededRandom(3) })
    const [first, second] = [fresh(), fresh()]
    return { decide: (now) => (now < atMs ? first : second).decide(now) }
  }
  // A window from 0 s and one from 61 s: between 62 and 75 s the counts are lost, as in a restart.
  const bursts = (limiter: Limiter): History =>
    answered(
      [0, 57_000, 61_000, 75_000, 85_000].flatMap((start) =>
        Array.from({ length: 70 }, (_, i) => ({ sentMs: start + 30 * i, isAdmitted: limiter.decide(start + 30 * i) })),
      ),
    )

  it('is named by the moment at which it lost all counts', () => {
    const history = bursts(forgetful(60, 70_000))
    expect(judgeQuota(history, window).verdict).toBe('fail')
    expect(firstDiagnosis(history, window)).toEqual({ id: 'counts-forgotten', facts: { byMs: 75_000 } })
  })

  it('has lost no counts where it admits one more each time', () => {
    const all = [...diagnose(bursts(forgetful(61, 0)), window)]
    expect(all.map(({ id }) => id)).toContain('limit-higher-by-one')
    expect(all.map(({ id }) => id)).not.toContain('counts-forgotten')
  })

  it('is named by its two nodes that have half of the limit each', () => {
    const half = () =>
      limiters['sliding-log']({ limit: 30, windowMs: 60_000, epochOffsetMs: 0, random: seededRandom(3) })
    const history = playedHistory(playedRun(() => nodesApart([half(), half()], seededRandom(5)), window, {}))
    expect(judgeQuota(history, window).verdict).toBe('fail')
    expect(firstDiagnosis(history, window)).toMatchObject({ id: 'nodes-share-limit', facts: { nodes: 2, limit: 30 } })
  })

  it('is named by the refusals that it counts, also where most of them were not of the ordinary request', () => {
    const { history, window: quota } = defectiveHistory('refusals-count', 1, 5)
    const isOdd = (each: number, i: number) => each === outcomes.refused && i % 4 > 0
    const excused = history.outcome.map((each, i) => (isOdd(each, i) ? outcomes.excused : each))
    expect(firstDiagnosis({ ...history, outcome: excused }, quota)?.id).toBe('refusals-count')
  })

  it('is named by the counts that Remaining shows where nothing was refused', () => {
    const history = playedHistory(playedRun(() => ({ decide: () => true }), window, {}))
    expect(firstDiagnosis(history, window)?.id).toBe('no-limit')
    expect(firstDiagnosis(history, window, { shownNodes: 4 })).toMatchObject({
      id: 'nodes-count-alone',
      facts: { nodes: 4 },
    })
  })

  it('is named by the counts that Remaining shows where the windows of its nodes begin apart', () => {
    const at = (sentMs: number, admitted: number, refused = 0) =>
      Array.from({ length: admitted + refused }, (_, i) => ({ sentMs: sentMs + i, isAdmitted: i < admitted }))
    // The window of one node ends within the load: four of 60 admit 245.
    const history = answered([...at(0, 1), ...at(30_000, 245, 7), ...at(95_000, 100)])
    expect(firstDiagnosis(history, window)).toMatchObject({ id: 'nodes-count-alone', facts: { nodes: 5 } })
    expect(firstDiagnosis(history, window, { shownNodes: 4 })).toMatchObject({ facts: { nodes: 4 } })
    expect(firstDiagnosis(history, window, { shownNodes: 2 })).toMatchObject({ facts: { nodes: 5 } })
  })

  it('is named by as many nodes as places at least, and as many as Remaining shows', () => {
    const all = answered(Array.from({ length: 130 }, (_, i) => ({ sentMs: i, isAdmitted: i < 120 })))
    const places = [0, 1].map((place) => ({
      ...all,
      outcome: all.outcome.map((each, i) => (i % 2 === place ? each : outcomes.excused)),
    }))
    const named = (shownNodes?: number) => firstDiagnosis(all, window, { byPlace: [places], shownNodes })?.facts
    expect(named()).toMatchObject({ nodes: 2, most: 'unknown' })
    expect(named(3)).toEqual({ nodes: 3, limit: 180 })
  })

  it('is no nodes where a bucket would have admitted as much: 302 of 300 within 0.3 s', () => {
    const [limiter, pro] = [losesParts({ limit: 300, windowMs: 6_000 }), { limit: 300, windowMs: 6_000 }]
    const sent = [...Array(450).keys()].map((i) => (i === 0 ? 0 : 600 + (i * 278) / 450))
    const later = [1_600, 3_500, 5_200].flatMap((start) => [...Array(40).keys()].map((i) => start + 19 * i))
    const history = answered([...sent, ...later].map((sentMs) => ({ sentMs, isAdmitted: limiter.decide(sentMs) })))
    expect(judgeQuota(history, pro)).toMatchObject({ verdict: 'fail', reasonsDiffer: true })
    expect([...diagnose(history, pro)].map(({ id }) => id)).not.toContain('nodes-count-alone')
  })

  it('is named by the first request after each window, which it refuses', () => {
    const history = playedHistory(playedRun(lateToTurn, window, {}))
    expect(firstDiagnosis(history, window)?.id).toBe('first-of-window-refused')
  })

  // By turns a bucket, a log and clocked windows, of 12 to 95 % of the length that was said.
  it.each([1000, 1005, 1008, 1009, 1012, 1013, 1015])(
    'is named by its shorter window, however odd its length (seed %i)',
    (seed) => {
      const { history, window } = defectiveHistory('window-shorter', 1, seed)
      expect(firstDiagnosis(history, window, { otherLimits })?.id).toBe('window-shorter')
    },
  )

  it.each([1000, 1005])('is named by its nodes on a slow network too (seed %i)', (seed) => {
    const { history, window } = defectiveHistory('nodes-count-alone', 100, seed)
    expect(firstDiagnosis(history, window, { otherLimits })?.id).toBe('nodes-count-alone')
  })
})
