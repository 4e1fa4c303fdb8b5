import { planName } from '../../contract/plans.js'
import { secondMs } from '../../contract/whole-seconds.js'
import { formatDuration } from '../../kit/duration.js'
import { givesBackAtOnce } from '../../oracle/gives-back-at-once.js'
import { type JudgedKey, judgedKeys } from '../../oracle/judged-keys.js'
import { isBeyondMinute } from '../../readings/key-history.js'
import { bringing } from '../framework/asking-probes.js'
import { defineCheck } from '../framework/check.js'
import { fail } from '../framework/finding.js'
import { concluded, tellingCases } from '../framework/needs.js'

/** The clock behind `Date` may be another one than that behind Reset. */
const clocksDifferMs = 1_000

/**
 * Whether only limiters that give all back at once explain the key's history. In a log or a bucket Reset may just as well
 * be the moment at which everything that was spent until now is back.
 */
const hasWindows = (key: JudgedKey): boolean =>
  givesBackAtOnce(key) && key.window.quota.limit !== key.window.quota.longer

/** A refusal in a window of the minute, and the admission that shows it over. */
interface EndedWindow {
  readonly refusal: number
  readonly next: number
}

/** The refusals that show the minute, and before which nothing was answered that may be given back. */
const refusalsOfMinute = ({ record, window }: JudgedKey): number[] => {
  const { limit, remaining, status, sentMs, receivedMs, reset } = record
  const refusals: number[] = []
  let givenBackUntilMs = Number.NEGATIVE_INFINITY
  for (let i = 0; i < record.size; i += 1) {
    if (status[i] !== 200 && status[i] !== 429) givenBackUntilMs = sentMs[i] + window.minuteMs
    const showsMinute = limit[i] === window.quota.limit && remaining[i] === 0 && Number.isFinite(reset[i])
    const isRefusal = status[i] === 429 && record.ordinary[i] === 1 && !isBeyondMinute(record, i, window)
    if (isRefusal && showsMinute && receivedMs[i] > givenBackUntilMs) refusals.push(i)
  }
  return refusals
}

/** Each admission that was asked for after a refusal, with the one of those whose Reset is the latest. */
function* endedWindows(key: JudgedKey): Generator<EndedWindow> {
  const { record } = key
  const refusals = refusalsOfMinute(key).sort((a, b) => record.receivedMs[a] - record.receivedMs[b])
  let latest: number | undefined
  let heard = 0
  for (let next = 0; next < record.size; next += 1) {
    for (; record.receivedMs[refusals[heard]] <= record.sentMs[next]; heard += 1) {
      if (latest === undefined || record.reset[refusals[heard]] > record.reset[latest]) latest = refusals[heard]
    }
    if (latest !== undefined && record.status[next] === 200 && record.ordinary[next] === 1) {
      yield { refusal: latest, next }
    }
  }
}

/** An admission that comes so soon after a Reset, as a share of the window, shows that it did not name more too much. */
const soonAfter = 0.5

const needs = { cases: 'windows that were seen to end soon after the Reset of their refusals', least: 1 }

export const resetWithinWindow = defineCheck({
  id: 'rate.reset-within-window',
  promise: 'A window that gives everything back at once is not over long before the Reset that its refusals named.',
  clauses: ['RATE-5'],
  advice: 'Look at how Reset is computed: it has to name the end of the window that refuses.',
  reads: 'everything',
  alone: [...bringing(429), ['isolation']],
  needs,
  yields: true,
  judge(evidence) {
    const telling = tellingCases()
    for (const key of judgedKeys(evidence)) {
      const { record, plan, clock, window } = key
      if (!clock.told || !hasWindows(key)) continue
      for (const { refusal, next } of endedWindows(key)) {
        const namedMs = record.reset[refusal] * 1000 - secondMs - clock.to
        const byMs = namedMs - clocksDifferMs - (clock.contradictionMs ?? 0) - record.receivedMs[next]
        if (byMs > 0) {
          const facts = { plan, reset: record.reset[refusal], byMs: Math.round(byMs) }
          return fail('reset-after-window-ended', facts, record.witness(refusal), record.witness(next))
        }
        const sinceMs = record.receivedMs[next] - (record.reset[refusal] * 1000 - clock.from)
        if (sinceMs <= soonAfter * window.minuteMs) telling.add(record.witness(next))
      }
    }
    return concluded(evidence, needs, telling)
  },
  sentences: {
    'reset-after-window-ended': (f) =>
      `on the ${planName(f.plan)} key the window was over ${formatDuration(f.byMs)} before the Reset (${f.reset}) that a refusal in it had named, rounding and clocks allowed for`,
  },
})
