import type { QuotaWindow } from '../contract/plans.js'
import { onceFor } from '../kit/once-for.js'
import type { KeyRecord } from './key-record.js'
import { mostIn, passageOf } from './passage.js'

/** So many equal falls of more than one are a limiter that counts requests twice: nobody else spends so evenly. */
const leastFalls = 3

/** The same of falls that grow during the run: somebody else may begin then, and keep time with us for a while. */
const leastFallsAfterChange = 10

/** By how much Remaining fell between two requests in a row while nothing else of the run was under way on the key. */
interface UnexplainedFall {
  readonly limit: number
  readonly by: number
  /** Whether nothing was left after it, so that it could not have fallen further. */
  readonly toZero: boolean
  readonly row: number
}

/** By so much the same end differs, in seconds, from answer to answer where each tells it in whole seconds from its own moment on. */
const countedDownS = 1.05

/** Whether two Resets are of one window. Those that were told as a moment are whole seconds; one that was counted down is not. */
const isSameEnd = (a: number, b: number): boolean =>
  a === b || (!Number.isInteger(a) && Math.abs(a - b) <= countedDownS)

/** Whether more was admitted than an answer showed to be left of its window: then it showed too little, and nobody had spent the rest. */
const isBelied = ({ size, status, limit, remaining, reset }: KeyRecord, row: number): boolean => {
  let admitted = 0
  for (let i = row + 1; i < size && admitted <= remaining[row]; i += 1)
    if (status[i] === 200 && limit[i] === limit[row] && isSameEnd(reset[i], reset[row])) admitted += 1
  return admitted > remaining[row]
}

/** Whether an answer shows no more to be used of its window than this run was served in it: then an answer before showed too much. */
const isAccounted = ({ status, limit, remaining, reset }: KeyRecord, row: number): boolean => {
  let served = 0
  for (let i = 0; i <= row; i += 1)
    if (status[i] === 200 && limit[i] === limit[row] && isSameEnd(reset[i], reset[row])) served += 1
  return limit[row] - remaining[row] <= served
}

const fallsAlone = (record: KeyRecord): UnexplainedFall[] => {
  const falls: UnexplainedFall[] = []
  let heardBefore = Number.NEGATIVE_INFINITY
  for (let i = 0; i + 1 < record.size; i += 1) {
    const [first, second] = [record.receivedMs[i], record.receivedMs[i + 1]]
    const isPlain = record.ordinary[i] === 1 && record.ordinary[i + 1] === 1 && record.limit[i] === record.limit[i + 1]
    const isPair = isPlain && record.status[i] === 200 && record.status[i + 1] === 200
    const isAlone =
      heardBefore <= record.sentMs[i] &&
      first <= record.sentMs[i + 1] &&
      (i + 2 === record.size || second <= record.sentMs[i + 2])
    const by = record.remaining[i] - record.remaining[i + 1]
    if (isPair && isAlone && by > 0 && !(by > 1 && (isBelied(record, i + 1) || isAccounted(record, i + 1))))
      falls.push({ limit: record.limit[i], by, toZero: record.remaining[i + 1] === 0, row: i + 1 })
    heardBefore = Math.max(heardBefore, Number.isNaN(first) ? Number.POSITIVE_INFINITY : first)
  }
  return falls
}

/** Whether all falls are by one; or, from the start or later on, all by the same larger step: 1, 1, 1, 2, 2, 2 ... */
const isRegular = (falls: readonly UnexplainedFall[]): boolean => {
  const larger = falls.findIndex(({ by }) => by > 1)
  if (larger === -1) return true
  const [before, after] = [falls.slice(0, larger), falls.slice(larger)]
  const least = before.length === 0 ? leastFalls : leastFallsAfterChange
  const step = after[0].by
  return after.length >= least && after.every(({ by, toZero }) => by === step || (toZero && by < step))
}

/** A request of another kind may cost so much; that it does is another clause's matter. */
const mostOfOthers = 2

/**
 * Whether Remaining fell within one window, shown by Limit and Reset, by more than this run can have spent meanwhile, however many
 * requests were under way: of 60, 57 answers from 59 down to 0 are three too few. Where it fell by half as much again or more, the
 * limiter counts some of them twice.
 */
const fallsBeyondOwn = ({
  size,
  status,
  ordinary,
  limit,
  remaining,
  reset,
  sentMs,
  receivedMs,
}: KeyRecord): boolean => {
  const rows = Array.from({ length: size }, (_, i) => i)
  const windows = new Map<number, number[]>()
  // What a minute refuses may count in the day beside it.
  const shortest = limit.reduce((least, each) => (each < least ? each : least), Number.POSITIVE_INFINITY)
  for (const i of rows) {
    if (status[i] !== 200 || ordinary[i] !== 1 || limit[i] !== shortest || Number.isNaN(remaining[i] + reset[i]))
      continue
    const end = windows.has(reset[i]) ? reset[i] : [...windows.keys()].find((each) => isSameEnd(reset[i], each))
    if (end === undefined) windows.set(reset[i], [i])
    else windows.get(end)?.push(i)
  }
  const counted = rows
    .filter((i) => status[i] !== 429)
    .flatMap((i) => Array<number>(ordinary[i] === 1 ? 1 : mostOfOthers).fill(i))
  const passage = passageOf({ sentMs, receivedMs }, counted)
  return [...windows.values()].some((shown) => {
    const last = shown.reduce((least, i) => (remaining[i] <= remaining[least] ? i : least))
    const before = shown.filter((i) => receivedMs[i] <= sentMs[last])
    const first = before.reduce((most, i) => (remaining[i] > remaining[most] ? i : most), last)
    const own = mostIn(passage, sentMs[first], receivedMs[last]) - 1
    const beyond = remaining[first] - remaining[last] - own
    return beyond > 0 && 2 * beyond < own
  })
}

/**
 * Whether nobody else spends the key, as far as Remaining tells: from one request to the next, with nothing else under
 * way, it never falls by more than one. 40, 39, 36 says that somebody else sent two. But where it always falls by the
 * same larger step (40, 38, 36, 34), the limiter counts each request twice.
 */
export const isQuiet = onceFor((record: KeyRecord): boolean => {
  const falls = fallsAlone(record)
  const limits = new Set(falls.map(({ limit }) => limit))
  return (
    [...limits].every((limit) => isRegular(falls.filter((each) => each.limit === limit))) && !fallsBeyondOwn(record)
  )
})

/** Reset is rounded to whole seconds. */
const roundedSeconds = 1

/**
 * Whether somebody else may have spent part of a window that was refused then: Remaining fell by more than one less than a
 * window before a refusal, and no Reset shows that this is of a later window.
 */
export const spendsBeforeRefusal = (record: KeyRecord, windowMs: number): boolean => {
  const { size, sentMs, receivedMs, status, reset } = record
  const isRefused = ({ row }: UnexplainedFall) => {
    const isLater = (i: number) => reset[i] - reset[row] >= windowMs / 1000 - roundedSeconds
    for (let i = row + 1; i < size && sentMs[i] < receivedMs[row] + windowMs; i += 1)
      if (status[i] === 429 && !isLater(i)) return true
    return false
  }
  return fallsAlone(record).some((fall) => fall.by > 1 && isRefused(fall))
}

/** Requests with less than this share of a window between them are one stretch of sending; what is between stretches is a pause. */
const pauseShare = 0.01

/** Requests with no pause between them, and what their answers show of one window; `reset` is null where they show several. */
interface Stretch {
  readonly startMs: number
  endMs: number
  reset: number | null | undefined
  most: number
  least: number
  own: number
  readonly firstCosts: number
}

const stretchesOf = (record: KeyRecord, { limit, windowMs }: QuotaWindow): readonly Stretch[] => {
  const { size, status, ordinary, remaining, reset, sentMs, receivedMs } = record
  const stretches: Stretch[] = []
  for (let row = 0; row < size; row += 1) {
    // What is refused costs nothing, and shows nothing left.
    if (status[row] === 429) continue
    const costs = ordinary[row] === 1 ? 1 : mostOfOthers
    let last = stretches.at(-1)
    if (last === undefined || sentMs[row] - last.endMs > pauseShare * windowMs) {
      const nothing = { reset: undefined, most: Number.NEGATIVE_INFINITY, least: Number.POSITIVE_INFINITY, own: 0 }
      last = { startMs: sentMs[row], endMs: sentMs[row], ...nothing, firstCosts: costs }
      stretches.push(last)
    }
    last.own += costs
    if (receivedMs[row] > last.endMs) last.endMs = receivedMs[row]
    if (record.limit[row] !== limit || !Number.isInteger(reset[row]) || Number.isNaN(remaining[row])) continue
    last.reset = last.reset === undefined || last.reset === reset[row] ? reset[row] : null
    last.most = Math.max(last.most, remaining[row])
    last.least = Math.min(last.least, remaining[row])
  }
  return stretches
}

/** How likely at most `most` of `count` things are that each come with this chance. */
const chanceOfAtMost = (most: number, count: number, chance: number): number => {
  let [each, sum] = [(1 - chance) ** count, 0]
  for (let i = 0; i <= most; i += 1) {
    sum += each
    each *= ((count - i) / (i + 1)) * (chance / (1 - chance))
  }
  return sum
}

/** The first request behind a pause may be one that counts twice: so many more fell in pauses at most, as a share of the others. */
const mostInPauses = 0.25

/** Of runs in which somebody else uses the keys, one in 10,000 may blame the limiter. */
const leastLikely = 1e-4

/**
 * Whether Remaining falls by more than this run spends only while it sends, and hardly ever in its pauses. Then nobody else uses
 * the keys: the limiter counts some requests twice. Only windows that Reset names tell.
 *
 * Example: 19 stretches of 4 s in all each show a few too many spent, and pauses of 27 s in all show none. Somebody else would
 * come 19 times in those 4 s of 31 by a chance of (4 / 31) ^ 19.
 */
export const fallsOnlyWhileSending = (
  keys: readonly { readonly record: KeyRecord; readonly window: QuotaWindow }[],
): boolean => {
  let [sendingMs, pausedMs, whileSending, inPauses] = [0, 0, 0, 0]
  for (const { record, window } of keys) {
    const stretches = stretchesOf(record, window)
    for (const [place, { startMs, endMs, reset, most, least, own, firstCosts }] of stretches.entries()) {
      if (reset === undefined || reset === null) continue
      const before = stretches[place - 1]
      if (before?.reset === reset && before.least > 0) {
        pausedMs += startMs - before.endMs
        inPauses += Math.max(0, before.least - firstCosts - most)
      }
      sendingMs += endMs - startMs
      const beyond = most - least + 1 - own
      if (beyond > 0 && 2 * beyond < own) whileSending += 1
    }
  }
  const pauses = pausedMs / (sendingMs + pausedMs)
  const isSeldom = inPauses <= mostInPauses * whileSending
  return isSeldom && chanceOfAtMost(inPauses, whileSending + inPauses, pauses) < leastLikely
}
