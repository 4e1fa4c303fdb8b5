import { planName, type QuotaWindow, secondMs } from '../../contract/plans.js'
import { formatDuration } from '../../kit/words.js'
import { givesBackAtOnce, mayGiveBackAtOnce } from '../../oracle/gives-back-at-once.js'
import { type JudgedKey, judgedKeys } from '../../oracle/judged-keys.js'
import { isOwnRefusal } from '../../readings/key-history.js'
import type { KeyRecord } from '../../readings/key-record.js'
import { viewOf } from '../../readings/quota-views.js'
import { clocksDifferMs } from '../../readings/target-clock.js'
import { defineCheck } from '../framework/check.js'
import { fail } from '../framework/finding.js'
import { bringing } from '../framework/needs.js'

/**
 * Whether only limiters that give all back at once explain the key's history. In a log or a bucket Reset may just as well
 * be the moment at which everything that was spent until now is back.
 */
const hasWindows = (key: JudgedKey): boolean => givesBackAtOnce(key) && key.window.limit !== key.window.longer?.limit

interface EndedWindow {
  readonly refusal: number
  readonly answer: number
  readonly next: number
}

/** The refusals that show the minute, and before which nothing was answered that may be given back. */
const refusalsOfMinute = ({ record, window }: JudgedKey): number[] => {
  const { remaining, status, sentMs, receivedMs } = record
  const refusals: number[] = []
  let givenBackUntilMs = Number.NEGATIVE_INFINITY
  for (let i = 0; i < record.size; i += 1) {
    if (status[i] !== 200 && status[i] !== 429) givenBackUntilMs = sentMs[i] + window.windowMs
    const isSpent = showsMinute(record, i, window) && remaining[i] === 0
    if (isOwnRefusal(record, i, window) && isSpent && receivedMs[i] > givenBackUntilMs) refusals.push(i)
  }
  return refusals
}

const showsMinute = ({ limit, reset }: KeyRecord, row: number, window: QuotaWindow): boolean =>
  limit[row] === window.limit && Number.isFinite(reset[row])

/**
 * Each admission that was asked for after a refusal, with the refusal that names the latest Reset, and the answer that does of
 * those and of what loads were served before them: the window of each has ended by then. What is asked alone may have a count
 * of its own (QUOTA-6).
 */
function* endedWindows(key: JudgedKey): Generator<EndedWindow> {
  const { record, window } = key
  const byReceipt = (a: number, b: number) => record.receivedMs[a] - record.receivedMs[b]
  const refusals = refusalsOfMinute(key).sort(byReceipt)
  const isOfLoad = (i: number) => record.status[i] === 200 && record.ordinary[i] === 1 && 'row' in record.witness(i)
  const served = Array.from({ length: record.size }, (_, i) => i)
    .filter((i) => showsMinute(record, i, window) && isOfLoad(i))
    .sort(byReceipt)
  const later = (row: number, known: number | undefined): number =>
    known === undefined || record.reset[row] > record.reset[known] ? row : known
  let [refusal, answer]: (number | undefined)[] = []
  let [heard, before] = [0, 0]
  for (let next = 0; next < record.size; next += 1) {
    for (; record.receivedMs[refusals[heard]] <= record.sentMs[next]; heard += 1) {
      refusal = later(refusals[heard], refusal)
      answer = later(refusals[heard], answer)
      for (; record.receivedMs[served[before]] <= record.sentMs[refusals[heard]]; before += 1)
        answer = later(served[before], answer)
    }
    const isMeant = record.status[next] === 200 && record.ordinary[next] === 1
    if (isMeant && refusal !== undefined && answer !== undefined) yield { refusal, answer, next }
  }
}

/** An admission that comes so soon after a Reset, as a share of the window, shows that it did not name more too much. */
const soonAfter = 0.5

export const resetWithinWindow = defineCheck({
  id: 'rate.reset-within-window',
  promise: 'If a window returns its whole quota at once, it does not end long before the Reset in its answers.',
  clauses: ['RATE-5'],
  readsReset: true,
  advice: 'Check how Reset is computed: it must name the end of the window that refuses.',
  alone: [...bringing(429), ['isolation']],
  needs: { cases: 'windows that ended soon after the Reset of their refusals' },
  yields: true,
  judges: (_, quota) => mayGiveBackAtOnce(quota),
  judge(evidence, telling) {
    // What is counted from the receipt of an answer needs no clock of the target; its answer may have been on its way for long.
    const { namesWaits } = viewOf(evidence)
    for (const key of judgedKeys(evidence)) {
      const { record, plan, clock, window } = key
      if (!(clock.told || namesWaits) || !hasWindows(key)) continue
      for (const { refusal, answer, next } of endedWindows(key)) {
        const onItsWayMs = namesWaits ? record.receivedMs[answer] - record.sentMs[answer] : 0
        const namedMs = record.reset[answer] * 1000 - secondMs - clock.to - onItsWayMs
        const byMs = namedMs - clocksDifferMs - (clock.contradictionMs ?? 0) - record.receivedMs[next]
        if (byMs > 0) {
          const facts = { plan, reset: record.reset[answer], byMs: Math.round(byMs) }
          return fail('reset-after-window-ended', facts, record.witness(answer), record.witness(next))
        }
        const sinceMs = record.receivedMs[next] - (record.reset[refusal] * 1000 - clock.from)
        if (sinceMs <= soonAfter * window.windowMs) telling.add(record.witness(next))
      }
    }
    return telling.conclude()
  },
  sentences: {
    'reset-after-window-ended': (f) =>
      `on the ${planName(f.plan)} key the window ended ${formatDuration(f.byMs)} before the Reset (${f.reset}) that one of its answers had named, even allowing for rounding and clocks`,
  },
})
