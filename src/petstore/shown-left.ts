import { plainlyAsked } from '../checks/framework/answers.js'
import { type ModelName, returningAtOnce } from '../contract/limiter-models.js'
import type { Evidence } from '../evidence/evidence.js'
import { type Answered, isAnswered } from '../evidence/exchange.js'
import { witnessText } from '../kit/witness.js'
import { logLosing, modelsLeft } from '../oracle/gives-back-at-once.js'
import type { JudgedKey } from '../oracle/judged-keys.js'
import { keepsWhatIsSpent } from '../oracle/keeps-what-is-spent.js'
import { countingBack } from '../oracle/shown-remaining.js'
import { answeredBefore } from '../readings/key-record.js'
import { numberOf } from '../readings/limit-values.js'
import { saidBy } from '../readings/readings.js'
import { areAllAccepted, writtenAtOnce } from './listed-pets.js'

/** How often at least, and without exception: other users of a key, and a bucket's refills, follow no such rule. */
export const least = 4

/** What an answer says about its limit and what is left of it. */
export const readingOf = (evidence: Evidence, x: Answered) => {
  const headers = saidBy(evidence, x)
  return { limit: numberOf(headers.limit), remaining: numberOf(headers.remaining) }
}

/** The statuses of rejected requests: each may be written in a place of its own. */
export const rejections = [400, 404]

/** Fewer answers that each show one more left may be earlier use that runs out in step with them by chance. */
const leastGivenBack = 8

/**
 * The longest row of 400s and 404s that each show one more left than the one before, in less time than a bucket takes
 * to refill that much, and a window after fewer requests than a log would have to forget for it.
 */
export const givenBackTwice = (evidence: Evidence, { name, record, window }: JudgedKey): readonly Answered[] => {
  let [row, longest]: Answered[][] = [[], []]
  const own = evidence.exchanges.filter((x) => x.key === name).toSorted((a, b) => a.sentAt - b.sentAt)
  for (const x of own) {
    if (!isAnswered(x)) continue
    const [was, is] = [...row.slice(-1), x].map((each) => readingOf(evidence, each))
    const rises = is !== undefined && is.limit === window.limit && is.remaining === (was.remaining ?? Number.NaN) + 1
    row = rejections.includes(x.response.status) ? [...(rises ? row : []), x] : []
    if (row.length > longest.length) longest = row
  }
  const [first, last] = [longest[0], longest.at(-1)]
  if (!last || longest.length < leastGivenBack) return []
  const tookMs = last.receivedAt - first.sentAt
  const agoMs = record.sentMs.map((sentMs) => first.sentAt - window.windowMs - sentMs)
  const forgotten = agoMs.filter((ms) => Math.abs(ms) <= 2 * tookMs).length
  const refilled = (tookMs / window.windowMs) * window.limit + 1
  return longest.length - 1 > Math.max(refilled, forgotten) ? longest : []
}

/**
 * Answers to one operation that show the whole limit left, though each request took one, sooner than a bucket gives one
 * back; those to other operations never do, though they show one less than the limit. A request after half a window of
 * silence is left out: it may open a window, and be free for that reason.
 */
export const leavingAll = (
  evidence: Evidence,
  { name, window: { limit, windowMs } }: JudgedKey,
): readonly Answered[] => {
  const own = evidence.exchanges.filter((x) => x.key === name).toSorted((a, b) => a.sentAt - b.sentAt)
  const soon = own.slice(1).flatMap((x, i) => {
    if (!isAnswered(x) || x.response.status !== 200 || x.operation === null) return []
    if (x.sentAt - own[i].sentAt > windowMs / 2 || (x.receivedAt - x.sentAt) * limit >= windowMs) return []
    const said = readingOf(evidence, x)
    return said.limit === limit && said.remaining !== undefined ? [{ x, spent: limit - said.remaining }] : []
  })
  for (const operation of new Set(soon.map(({ x }) => x.operation))) {
    const others = soon.filter(({ x }) => x.operation !== operation)
    const leaving = soon.filter(({ x, spent }) => x.operation === operation && spent === 0)
    const isOnly = others.filter(({ spent }) => spent === 1).length >= least && others.every(({ spent }) => spent !== 0)
    if (isOnly && leaving.length >= least) return leaving.map(({ x }) => x)
  }
  return []
}

/**
 * The answers of a key that show as much left as the one right before them, though nothing came back in between: their requests
 * were not counted. A server may answer some of an operation before it counts, as a PATCH to the quantity that a pet has already.
 *
 * Example: a reading shows 7, and a PATCH right behind it 7. One of both, or the answer before or behind them, that goes on with
 * their count, has to be of the ordinary request: a pet with a count of its own (QUOTA-6) shows another.
 */
export const unmoved = (evidence: Evidence, key: JudgedKey) => {
  const { record, window } = key
  const plain = plainlyAsked(evidence)
  const answered = answeredBefore(record)
  const [isKept, mayBeCountedBack] = [keepsWhatIsSpent(key), countingBack(key)]
  const isMeant = (row: number) =>
    record.status[row] === 200 && record.limit[row] === window.limit && plain.has(witnessText(record.witness(row)))
  const isAlone = (row: number) =>
    answered[row] <= record.sentMs[row] && !(record.sentMs[row + 1] < record.receivedMs[row])
  const isOfCount = (row: number, left: number) =>
    record.ordinary[row] === 1 && record.remaining[row] === left && isMeant(row) && isAlone(row)
  return Array.from({ length: Math.max(0, record.size - 1) }, (_, first) => first).flatMap((first) => {
    const second = first + 1
    const operation = record.operation(second)
    const left = record.remaining[first]
    if (operation === null || operation === undefined || record.remaining[second] !== left) return []
    if (![first, second].every((row) => isMeant(row) && isAlone(row))) return []
    const isOne =
      record.ordinary[first] + record.ordinary[second] === 1 ||
      isOfCount(first - 1, left + 1) ||
      isOfCount(second + 1, left - 1)
    if (!isOne || !isKept(first, second) || mayBeCountedBack(first, second)) return []
    return [{ operation, witnesses: [record.witness(first), record.witness(second)] as const }]
  })
}

/**
 * The times that simultaneous PATCHes took at least two less off Remaining than were sent, where no limiter that
 * explains the key gave so much back meanwhile, and no more was left before than a new window would show.
 */
export const fewerAtOnce = (evidence: Evidence, key: JudgedKey) => {
  const { limit, windowMs } = key.window
  const models = modelsLeft(key)
  const mayLose = logLosing(key)
  const givesBack = (model: ModelName, fromMs: number, untilMs: number, missing: number) =>
    model === 'sliding-log' ? mayLose(fromMs, untilMs) : ((untilMs - fromMs) / windowMs) * limit + 1 >= missing
  return writtenAtOnce(evidence).filter((each) => {
    const { before, patches, after } = each
    if (before.key !== key.name || !areAllAccepted(each)) return false
    const [was, is] = [readingOf(evidence, before), readingOf(evidence, after)]
    if (was.limit !== limit || is.limit !== limit || was.remaining === undefined || is.remaining === undefined)
      return false
    const sent = patches.length + 1
    const [fall, left] = [was.remaining - is.remaining, was.remaining]
    if (fall < 1 || sent - fall < 2 || left > limit - sent || models.length === 0) return false
    return !models.some(
      (model) => !returningAtOnce.has(model) && givesBack(model, before.sentAt, after.receivedAt, sent - fall),
    )
  })
}
