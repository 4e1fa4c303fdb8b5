import { bucketModels, type ModelName, returningAtOnce } from '../contract/limiter-models.js'
import { mostAtOnce, type QuotaWindow } from '../contract/plans.js'
import { firstThat, placesOf } from '../kit/numbers.js'
import { type History, historyAt, outcomes, recast, withOutcomes } from '../readings/history.js'
import type { KeyRecord } from '../readings/key-record.js'
import { explainedByRenewal, type Renewing } from './diagnosis/defect-fits.js'
import { unweightedWindowMs } from './diagnosis/effective-quota.js'
import { type QuotaJudgement, withoutRefusals } from './judge-quota.js'
import { explaining, isExplained } from './models/explain.js'
import { admissibleModels } from './models/explanation.js'
import { leftShown, type Shown, shownHistory, takingAllLeft } from './shown-history.js'
import { lacksTheSame } from './steady-lack.js'

/** Another key of the run that kept its quota, and the models that explain it. */
interface PassedKey extends Shown {
  readonly models: readonly ModelName[]
}

type LessBy = (window: QuotaWindow, by: number) => QuotaWindow

const lowerLimit: LessBy = (window, by) => ({ ...window, limit: window.limit - by })

/** The bucket that holds that many fewer, with the same inflow. */
const smallerBucket: LessBy = (window, by) => (by === 0 ? window : { ...window, burst: mostAtOnce(window) - by })

const lessOf = (model: ModelName): LessBy => (bucketModels.includes(model) ? smallerBucket : lowerLimit)

/** How much smaller a quota makes no refusal early: the most others can have spent, at the one that needs most. */
const lackIn = (model: ModelName, given: History, window: QuotaWindow, lessBy = lessOf(model)): number => {
  const history = recast(given, 'admitted', 'unknown')
  const most = Math.ceil(Math.min(mostAtOnce(window), window.limit)) - 1
  return firstThat(0, most - 1, (by) => isExplained(model, history, lessBy(window, by)))
}

/** How many answers, evenly spread, are checked for showing more than can be left. */
const looks = 64

/** Whether an answer after the first window shows more left than a limiter can have had, given what it admitted. */
const showsMore = (model: ModelName, { history, left }: Shown, window: QuotaWindow): boolean => {
  const since = history.sentMs[0] + window.windowMs
  const rows = placesOf(left.length, (i) => !Number.isNaN(left[i]) && history.sentMs[i] > since)
  const stride = Math.max(1, rows.length / looks)
  return rows.some((row, place) => {
    if (Math.floor(place / stride) === Math.floor((place - 1) / stride)) return false
    return !isExplained(model, takingAllLeft(history, row, left[row], window.windowMs), window)
  })
}

/** The history with each row that may have been counted listed twice; the second time it shows what is left. */
const countedTwice = ({ history, left, window }: Shown): Shown => {
  const isCounted = (row: number) =>
    history.outcome[row] === outcomes.admitted || history.outcome[row] === outcomes.unknown
  const rows = placesOf(history.size).flatMap((row) => (isCounted(row) ? [row, row] : [row]))
  return {
    history: historyAt(history, rows),
    left: Float64Array.from(rows, (row, place) => (rows[place + 1] === row ? Number.NaN : left[row])),
    window,
  }
}

/** A bucket that fills slightly more slowly cannot be told from one that somebody else takes a little from. */
const leastLonger = 1.03
/** The longest window that is tried, as a multiple, and the factor from each length to the next. */
const [mostLonger, longerBy] = [2.1, 1.003]

/** The shortest window, up to a longest, with which a model lacks nothing of what was shown; infinity if none. */
const shortestLonger = (model: ModelName, seen: History, window: QuotaWindow): number => {
  const early = recast(seen, 'admitted', 'unknown')
  let [low, high] = [leastLonger * window.windowMs, mostLonger * window.windowMs]
  if (!isExplained(model, early, { ...window, windowMs: high })) return Number.POSITIVE_INFINITY
  while (high / low > longerBy) {
    const middle = Math.sqrt(low * high)
    if (isExplained(model, early, { ...window, windowMs: middle })) high = middle
    else low = middle
  }
  return high
}

/** The least that a spent quota was given back: what an admission behind a refusal shows, or another that was under way with it. */
const leastRefill = ({ history: { size, outcome, sentMs, receivedMs }, left, window }: Shown): number => {
  let [least, most] = [window.limit, 0]
  let [refusedMs, untilMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let row = 0; row <= size; row += 1) {
    if (most > 0 && !(sentMs[row] <= untilMs)) {
      least = Math.min(least, most)
      ;[most, refusedMs, untilMs] = [0, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    }
    if (outcome[row] === outcomes.refused) refusedMs = receivedMs[row]
    else if (sentMs[row] > refusedMs && left[row] >= most) {
      most = left[row] + 1
      untilMs = Math.min(untilMs, receivedMs[row])
    }
  }
  return least
}

const isOfLength = (model: ModelName, keys: readonly Shown[], windowMs: number): boolean =>
  keys.every(({ history, window }) => isExplained(model, history, { ...window, windowMs }))

/** Whether a limiter of a model that counts wrong in some way, or has one of these window lengths, explains what was shown. */
type CountingWrong = (
  model: ModelName,
  shown: Shown,
  seen: History,
  lengths: readonly number[],
  passed: readonly PassedKey[],
) => boolean

/** Whether windows that hold less, last longer or count twice explain what was shown. */
const windowsCountWrong: CountingWrong = (model, shown, seen, lengths, passed) => {
  const { window } = shown
  const refill = leastRefill(shown)
  // With less, a few answers fit by chance to somebody who takes nearly all.
  const isTold = 4 * refill >= window.limit && refill < window.limit
  const isAlways = (counted: Shown, held: QuotaWindow): boolean =>
    isExplained(model, recast(shownHistory(counted.history, counted.left), 'admitted', 'unknown'), held) &&
    !showsMore(model, counted, held)
  return (
    isAlways(shown, lowerLimit(window, lackIn(model, seen, window))) ||
    lengths.some((windowMs) => isAlways(shown, { ...window, windowMs }) && isOfLength(model, passed, windowMs)) ||
    isAlways(countedTwice(shown), window) ||
    (isTold && lacksTheSame(model, shown, window, { refill }))
  )
}

/** So many refusals may cost as much as one admission. */
const refusalsTried = [1, 2, 3, 4, 5, 10]

/** The same for a limiter whose Remaining is known at every moment; refusals that count are tried too. */
const momentsCountWrong: CountingWrong = (model, shown, seen, lengths, passed) => {
  const { history, window } = shown
  const admitted = withoutRefusals(history)
  const isLonger = (windowMs: number): boolean => {
    const held = { ...window, windowMs }
    return lacksTheSame(model, shown, held) && isExplained(model, admitted, held) && isOfLength(model, passed, windowMs)
  }
  if (
    lacksTheSame(model, shown, window) ||
    refusalsTried.some((refusalsIn) => lacksTheSame(model, shown, window, { refusalsIn })) ||
    lengths.some(isLonger)
  )
    return true
  const less = bucketModels.includes(model) ? lackIn(model, seen, window, lowerLimit) : 0
  if (less > 0 && lacksTheSame(model, shown, lowerLimit(window, less))) return true
  const isTwice = isExplained(model, withoutRefusals(countedTwice(shown).history), window)
  if (isTwice && lacksTheSame(model, shown, window, { each: 2 })) return true
  const shortest = shortestLonger(model, seen, window)
  for (let windowMs = shortest; windowMs <= mostLonger * window.windowMs; windowMs *= longerBy)
    if (isLonger(windowMs)) return true
  return false
}

const renewing: readonly Renewing[] = ['every', 'admitted', 'refused']

/** Whether a limiter that always counts wrong in the same way explains what was shown, both admissions and refusals. */
const countsWrong = (
  shown: Shown,
  seen: History,
  admitting: readonly ModelName[],
  passed: readonly PassedKey[],
): boolean => {
  const { history, left, window } = shown
  const most = left.reduce((max, each) => (each > max ? each : max), 0)
  // Others do not take up half of a quota all the time.
  if (2 * (most + 1) <= mostAtOnce(window)) return true
  const isRenewed = (by: Renewing) => [shown, ...passed].every((key) => explainedByRenewal(key.history, key.window, by))
  if (renewing.some(isRenewed)) return true
  const found = [history, seen].map((each) => unweightedWindowMs(each, window) ?? 0)
  const lengths = [...found, 2 * window.windowMs].filter((each) => each > leastLonger * window.windowMs)
  return admitting.some((model) =>
    (returningAtOnce.has(model) ? windowsCountWrong : momentsCountWrong)(model, shown, seen, lengths, passed),
  )
}

/** The refusals of windows, told apart by Reset, in which this run was shown every count: nobody else used them. */
const refusalsOfOwnWindows = (
  { status, reset }: SpentKey['record'],
  left: Float64Array,
  { limit }: QuotaWindow,
): Set<number> => {
  const shownIn = new Map<number, Set<number>>()
  left.forEach((each, row) => {
    if (!Number.isNaN(each + reset[row])) shownIn.set(reset[row], (shownIn.get(reset[row]) ?? new Set()).add(each))
  })
  const rows = placesOf(status.length, (row) => status[row] === 429)
  return new Set(rows.filter((row) => shownIn.get(reset[row])?.size === limit))
}

const excusingAllBut = (rows: ReadonlySet<number>, history: History): History => ({
  ...withOutcomes(history, (each, row) => (each === outcomes.refused && !rows.has(row) ? outcomes.excused : each)),
  isShared: true,
})

/**
 * Whether somebody else may have spent the quota that refusals found spent: under no admissible limiter do all answers show
 * as much left as the run's own requests leave; a correct one that also explains the other keys explains all admissions; and
 * no refusal lacks more than such an answer does. False if a limiter that always counts wrong in one way shows the same: one
 * that holds less, or for longer, counts each request twice, counts refusals, or renews its window.
 *
 * Example, with 60 in 60 s: 55 were admitted and the next one refused, and after ten of them 45 were left.
 *
 * @param ownRefusals rows of refusals that nobody else can have caused.
 */
export const othersMaySpend = (
  shown: Shown,
  passed: readonly PassedKey[] = [],
  ownRefusals: ReadonlySet<number> = new Set(),
): boolean => {
  const { history, left, window } = shown
  if (left.every(Number.isNaN)) return false
  const seen = shownHistory(history, left)
  const [alone] = explaining(admissibleModels(window), seen, window)
  if (alone !== undefined) return false
  const among = admissibleModels(window).filter((model) => passed.every(({ models }) => models.includes(model)))
  const admitting = [...explaining(among, excusingAllBut(ownRefusals, history), window)]
  const isOthers = admitting.some((model) => lackIn(model, history, window) <= lackIn(model, seen, window))
  return isOthers && !countsWrong(shown, seen, admitting, passed)
}

/** A key with its verdict, as far as needed to tell who spent it. */
export interface SpentKey {
  readonly record: Pick<KeyRecord, 'status' | 'limit' | 'remaining' | 'reset' | 'cost'>
  readonly history: History
  readonly window: QuotaWindow
  readonly agreed: QuotaWindow
  readonly judgement: QuotaJudgement | null
}

/**
 * The keys that failed and that somebody else may have spent. One limiter serves all keys. So if most of them pass, it does
 * not over-admit on another one, nor have a longer or renewed window, which a passing key refutes. If any key shows it to be
 * broken all the same, nobody else is blamed.
 */
export const spentByOthers = <K extends SpentKey>(keys: readonly K[]): readonly K[] => {
  const shownOf = ({ record, history, window, agreed }: K): Shown => {
    return { history, left: leftShown(record, history, window), window: agreed }
  }
  const passed = keys.flatMap((key) =>
    key.judgement?.verdict === 'pass' && !key.record.cost ? [{ ...shownOf(key), models: key.judgement.models }] : [],
  )
  const isSpent = (key: K, others: readonly PassedKey[]): boolean => {
    const shown = shownOf(key)
    return !key.record.cost && othersMaySpend(shown, others, refusalsOfOwnWindows(key.record, shown.left, key.window))
  }
  const failed = keys.filter(({ judgement }) => judgement?.verdict === 'fail')
  const alone = failed.filter(
    (key) => key.judgement?.verdict === 'fail' && key.judgement.side === 'early-refusal' && isSpent(key, []),
  )
  const isAll = passed.length > failed.length && failed.every((key) => alone.includes(key) || isSpent(key, passed))
  return isAll ? failed : alone
}
