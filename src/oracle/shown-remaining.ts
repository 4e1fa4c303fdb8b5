import { bucketModels } from '../contract/limiter-models.js'
import { secondMs } from '../contract/plans.js'
import { countBelow, countUpTo, placesOf } from '../kit/numbers.js'
import type { Witness } from '../kit/witness.js'
import { outcomes } from '../readings/history.js'
import { clockErrorMs } from '../readings/key-history.js'
import { answeredBefore, firstAfter } from '../readings/key-record.js'
import { underWay } from '../readings/passage.js'
import { countsBackWhole, modelsLeft } from './gives-back-at-once.js'
import type { JudgedKey } from './judged-keys.js'
import { keepsWhatIsSpent } from './keeps-what-is-spent.js'

/** Half a second: a target that takes a failed request off its count does so just after answering it. */
const countedBackMs = 500

/** The admissions that show how much of the quota remains. */
const showsLeft = ({ record, window }: JudgedKey, i: number): boolean =>
  record.status[i] === 200 && record.ordinary[i] === 1 && record.limit[i] === window.limit && record.remaining[i] >= 0

/** Says whether, between two rows, a request may have been in transit that the target has taken off its count since. */
export const countingBack = ({ record }: JudgedKey): ((first: number, second: number) => boolean) => {
  const failed = underWay(record, (i) => record.status[i] !== 200 && record.status[i] !== 429)
  return (first, second) => failed(record.sentMs[first] - countedBackMs, record.receivedMs[second])
}

/**
 * Whether what is left is a whole number: a bucket may show it rounded up. The oracle passes no key that others spend, so
 * nobody else took what is missing.
 */
export const countsWhole = ({ judgement, window }: JudgedKey): boolean =>
  judgement?.verdict === 'pass' &&
  !judgement.models.some((model) => bucketModels.includes(model)) &&
  window.limit !== window.longer?.limit

/** An answer that shows Remaining, and the next refusal by the same quota. */
interface SpentToRefusal {
  readonly answer: number
  readonly refusal: number
  /** How many requests can have been counted between the decisions on the answer and on the refusal. */
  readonly spent: number
}

/** For each answer, the first refusal of a later request, if it certainly belongs to the key's own quota. */
const refusalBehind = ({
  record,
  window,
  history,
  isOnlyQuota,
}: JudgedKey): ((answer: number) => number | undefined) => {
  const next = firstAfter(record, (i) => record.status[i] === 429)
  const showsMinute = (i: number) => record.limit[i] === window.limit || (isOnlyQuota && Number.isNaN(record.limit[i]))
  const isOfMinute = (i: number) => history.outcome[i] === outcomes.refused && showsMinute(i)
  return (answer) => {
    const found = next(answer)
    if (found === undefined || record.receivedMs[found] > record.sentMs[answer] + window.windowMs) return undefined
    return isOfMinute(found) ? found : undefined
  }
}

/**
 * How many requests can have been counted between two rows: all but refusals and those answered before the first was sent. A
 * request without an answer, or with a gateway's, may be counted at any later time.
 */
const spentBetween = ({ record }: JudgedKey): ((answer: number, refusal: number) => number) => {
  const counted = placesOf(record.size, (i) => record.status[i] !== 429)
  const sent = Float64Array.from(counted, (i) => record.sentMs[i])
  const answered = Float64Array.from(counted, (i) =>
    Number.isNaN(record.receivedMs[i]) || record.status[i] >= 500 ? Number.POSITIVE_INFINITY : record.receivedMs[i],
  ).sort()
  return (answer, refusal) =>
    countUpTo(sent, record.receivedMs[refusal]) - countUpTo(answered, record.sentMs[answer]) - 1
}

/**
 * The answers that showed Remaining and after which the quota was spent. If quota comes back bit by bit, only those that show
 * all of it, or all but one, are used: a sliding counter may round the rest. Showing more than the limit concerns RATE-3.
 */
export function* spentToRefusal(key: JudgedKey): Generator<SpentToRefusal> {
  const { record, window } = key
  const [behind, spent] = [refusalBehind(key), spentBetween(key)]
  const refused = underWay(record, (i) => record.status[i] === 429)
  const another = underWay(record, (i) => record.ordinary[i] === 0)
  const least = countsBackWhole(key) ? 1 : window.limit - 1
  for (let answer = 0; answer < record.size; answer += 1) {
    const remaining = record.remaining[answer]
    if (!showsLeft(key, answer) || remaining < least || remaining > window.limit) continue
    // A refusal that counts after all takes from the shown Remaining, and so does another operation that counts twice.
    if (refused(record.sentMs[answer], record.receivedMs[answer])) continue
    const refusal = behind(answer)
    if (refusal === undefined || another(record.sentMs[answer], record.receivedMs[refusal])) continue
    yield { answer, refusal, spent: spent(answer, refusal) }
  }
}

/** Whether a row may have been in transit as its window began: its headers may be from that one and the one before. */
export const metEdge = ({ record, window, clock }: JudgedKey, row: number): boolean => {
  let endMs = Number.NEGATIVE_INFINITY
  for (let i = 0; i < record.size && record.sentMs[i] < record.sentMs[row]; i += 1) {
    const isBefore = record.receivedMs[i] <= record.sentMs[row] && record.limit[i] === window.limit
    if (isBefore && record.reset[i] * 1000 > endMs) endMs = record.reset[i] * 1000
  }
  const isSame = record.reset[row] * 1000 - endMs <= secondMs
  const isOver = Number.isFinite(endMs) && endMs + secondMs - (clock.likely ?? clock).from <= record.sentMs[row]
  return !isSame && !isOver
}

/**
 * Whether the window that a row shows was about to end when it was answered. A target that reads its headers apart from its
 * count may show what is left of the next one: of 20, all 20.
 */
export const metEnd = ({ record, clock }: JudgedKey, row: number): boolean =>
  record.reset[row] * 1000 - (clock.likely ?? clock).to - secondMs <= record.receivedMs[row]

/**
 * For each admission, two earlier ones of its operation, answered before it was sent: the last one, and the last one with the
 * same Remaining; where certainly nothing came back in between. An admission that shows 0 is skipped: below 0 Remaining cannot
 * fall.
 */
export function* successions(key: JudgedKey): Generator<{ first: number; second: number }> {
  const { record } = key
  const [isKept, mayBeCountedBack] = [keepsWhatIsSpent(key), countingBack(key)]
  const bySending = placesOf(record.size, (i) => showsLeft(key, i))
  const byAnswer = bySending.toSorted((a, b) => record.receivedMs[a] - record.receivedMs[b])
  const lastOf = new Map<string, number>()
  let answered = 0
  for (const second of bySending) {
    for (; record.receivedMs[byAnswer[answered]] <= record.sentMs[second]; answered += 1) {
      const row = byAnswer[answered]
      lastOf.set(`${record.operation(row)}`, row)
      lastOf.set(`${record.operation(row)} ${record.remaining[row]}`, row)
    }
    if (record.remaining[second] === 0) continue
    const operation = `${record.operation(second)}`
    const before = [lastOf.get(`${operation} ${record.remaining[second]}`), lastOf.get(operation)]
    for (const first of new Set(before))
      if (first !== undefined && isKept(first, second) && !mayBeCountedBack(first, second)) yield { first, second }
  }
}

/** Admitting more than the limit concerns another clause, and so does a day that cannot be told from the minute. */
export const keepsLimit = ({ judgement, window }: JudgedKey): boolean =>
  judgement?.verdict === 'pass' && window.limit !== window.longer?.limit

/** An answer that shows Remaining, and at least that many admissions after it. */
interface Spent {
  readonly answer: number
  readonly remaining: number
  /** The admissions sent after the answer came, and admitted before anything came back. */
  readonly admitted: readonly number[]
}

/** The answers that show Remaining, and after which that was spent while certainly nothing came back. */
export function* spentBehind(key: JudgedKey): Generator<Spent> {
  const { record } = key
  const [isKept, mayBeCountedBack] = [keepsWhatIsSpent(key), countingBack(key)]
  const admissions = Uint32Array.from(
    placesOf(record.size, (i) => record.status[i] === 200 && record.ordinary[i] === 1),
  )
  const sent = Float64Array.from(admissions, (i) => record.sentMs[i])
  for (const answer of admissions.filter((i) => showsLeft(key, i))) {
    const remaining = record.remaining[answer]
    const behind = admissions.subarray(countBelow(sent, record.receivedMs[answer]))
    const nth = (n: number): boolean => n > 0 && n <= behind.length && isKept(answer, behind[n - 1])
    if (!nth(remaining) && !nth(remaining + 1)) continue
    // All of them are checked only if one too many seems to be admitted: a load has a million of these answers.
    const most = nth(remaining + 1) ? behind.length : remaining
    const admitted = Array.from(behind.subarray(0, most)).filter((each) => isKept(answer, each))
    if (admitted.length < remaining || mayBeCountedBack(answer, admitted[admitted.length - 1])) continue
    yield { answer, remaining, admitted }
  }
}

/**
 * The admissions that came alone, after so long a silence that no limiter which explains the key counted anything: one less
 * than the limit is left. They need no Reset to tell which window they are of.
 */
export function* answersWhenFull(key: JudgedKey): Generator<number> {
  const { record, window } = key
  // A sliding counter weighs the window before.
  const silence = modelsLeft(key).includes('sliding-counter') ? 2 : 1
  const silentMs = silence * (window.windowMs + clockErrorMs(window.windowMs))
  const before = answeredBefore(record)
  for (let row = 1; row < record.size; row += 1) {
    const isAlone = !(record.sentMs[row + 1] <= record.receivedMs[row])
    if (isAlone && showsLeft(key, row) && before[row] + silentMs < record.sentMs[row]) yield row
  }
}

/** What an admission of a bucket should show: the least and the most, as it is not known to the moment when it was decided. */
interface BucketShows {
  readonly x: Witness
  readonly plan: string
  readonly limit: number
  readonly remaining: number
  readonly least: number
  readonly most: number
}

/** A level that is nearly a whole number may have lost that much in a computation. */
const hair = 0.05

/**
 * What the key should show after an admission that came to a full bucket, and after each that followed it alone; nothing if other
 * limiters explain the key too.
 *
 * Example: of 20, with five back each second, 19 are left; after a second admission, decided 0.1 to 0.12 s later, 18.5 to 18.6,
 * so both show 18.
 */
const bucketShows = (key: JudgedKey): readonly BucketShows[] => {
  const { record, plan, window } = key
  const { limit, windowMs, burst, exact } = window
  const models = modelsLeft(key)
  const isBucket = models.length > 0 && models.every((model) => bucketModels.includes(model))
  if (!isBucket || burst !== undefined || exact !== undefined) return []
  const isAlone = (row: number) => !(record.sentMs[row + 1] <= record.receivedMs[row])
  const backAfter = (ms: number, held: number) => Math.min(limit, held + (ms * limit) / windowMs) - 1
  const shown = (row: number) => ({ x: record.witness(row), plan, limit, remaining: record.remaining[row] })
  return [...answersWhenFull(key)].flatMap((full) => {
    const found: BucketShows[] = [{ ...shown(full), least: limit - 1, most: limit - 1 }]
    let [least, most] = [limit - 1, limit - 1]
    for (let row = full + 1; row < record.size && showsLeft(key, row) && isAlone(row); row += 1) {
      least = backAfter(record.sentMs[row] - record.receivedMs[row - 1], least)
      most = backAfter(record.receivedMs[row] - record.sentMs[row - 1], most)
      found.push({ ...shown(row), least: Math.floor(least - hair), most: Math.floor(most + hair) })
    }
    return found
  })
}

/**
 * The first of two or more answers of buckets that show more than is held, or less; undefined if there are none, or if any is
 * certainly right: one limiter serves all keys. What is computed in floating-point numbers is one too low for some limits only.
 */
export const bucketShownOtherwise = (keys: readonly JudgedKey[], way: 'more' | 'less'): BucketShows | undefined => {
  // No answer shows less than nothing.
  const shown = keys.flatMap(bucketShows).filter(({ least }) => way === 'more' || least > 0)
  const isRight = shown.some(({ remaining, least, most }) => least === most && remaining === least)
  const otherwise = shown.filter(({ remaining, least, most }) =>
    way === 'more' ? remaining > most : remaining < least,
  )
  return !isRight && otherwise.length > 1 ? otherwise[0] : undefined
}
