import { planName } from '../../contract/plans.js'
import { count } from '../../kit/words.js'
import { keepsWhatIsSpent } from '../../oracle/gives-back-at-once.js'
import { type JudgedKey, judgedKeys } from '../../oracle/judged-keys.js'
import { isBeyondMinute } from '../../readings/key-history.js'
import { heldBackKey } from '../../readings/other-users.js'
import { byCode, defineCheck } from '../framework/check.js'
import { fail } from '../framework/finding.js'
import { concluded, spendingWhole, tellingCases } from '../framework/needs.js'
import { heldByAnotherKey } from '../framework/unplayed.js'
import { allCostOne } from './costs.js'
import { countingBack, countsWhole, showsLeft } from './shown-left.js'

/** The first refusal of the minute within a window after an answer, asked for when that answer was there. */
const refusalAfter = ({ record, window }: JudgedKey, first: number): number | undefined => {
  const untilMs = record.sentMs[first] + window.windowMs
  for (let i = first + 1; i < record.size && record.sentMs[i] < untilMs; i += 1) {
    if (record.status[i] !== 429 || record.sentMs[i] < record.receivedMs[first]) continue
    const isOfMinute = record.limit[i] === window.limit && !isBeyondMinute(record, i, window)
    return isOfMinute && record.receivedMs[i] <= untilMs ? i : undefined
  }
  return undefined
}

/** How many requests can have been counted after the answer was decided, and before the refusal was. */
const spentBetween = ({ record }: JudgedKey, answer: number, refusal: number): number => {
  let spent = 0
  for (let i = 0; i < record.size && record.sentMs[i] <= record.receivedMs[refusal]; i += 1) {
    const wasBefore = record.receivedMs[i] <= record.sentMs[answer]
    if (i !== answer && record.status[i] !== 429 && !wasBefore) spent += 1
  }
  return spent
}

/**
 * The answers that said how much of the minute remains, at the beginning of a quota that was then spent. More than the
 * limit is RATE-3's matter. One answer of each quota will do, unless it says that all of it is left.
 */
function* wholeQuotas(key: JudgedKey): Generator<{ answer: number; refusal: number; spent: number }> {
  const { record, window } = key
  const { limit } = window
  let spentUntil = -1
  for (let answer = 0; answer < record.size; answer += 1) {
    const remaining = record.remaining[answer]
    const isWhole = remaining === limit || (remaining === limit - 1 && answer > spentUntil)
    const isAdmission = record.status[answer] === 200 && record.ordinary[answer] === 1
    if (!isWhole || !isAdmission || record.limit[answer] !== limit) continue
    const refusal = refusalAfter(key, answer)
    if (refusal === undefined) continue
    spentUntil = refusal
    yield { answer, refusal, spent: spentBetween(key, answer, refusal) }
  }
}

export const remainingKept = defineCheck({
  id: 'rate.remaining-kept',
  promise: 'Where an admitted request says that the whole limit remains, so many more are admitted before a refusal.',
  clauses: ['RATE-4'],
  advice: 'Check whether the headers and the limiter read the same count: Remaining promises more than is admitted.',
  reads: spendingWhole,
  needs: {
    cases: 'quotas that were spent from their first request on, and counted in whole requests',
    least: 1,
  },
  judges: allCostOne,
  yields: true,
  judge(evidence, needs) {
    const shared = heldBackKey(evidence)
    if (shared) return heldByAnotherKey(shared.plan, shared.x)
    const telling = tellingCases()
    for (const key of judgedKeys(evidence).filter(countsWhole)) {
      const { record, plan, window } = key
      const limit = window.limit
      for (const { answer, refusal, spent } of wholeQuotas(key)) {
        const shown = [record.witness(answer), record.witness(refusal)]
        const isKept = record.remaining[answer] < limit || spent >= limit
        if (!isKept) return fail('refused-with-some-left', { plan, limit, spent }, ...shown)
        telling.add(record.witness(answer))
      }
    }
    return concluded(evidence, needs, telling)
  },
  sentences: {
    'refused-with-some-left': (f) =>
      `on the ${planName(f.plan)} key an admitted request said that all ${count(f.limit)} remain, and after ${count(f.spent)} more the key was refused`,
  },
})

/** A second: Reset is rounded to whole ones. */
const roundedMs = 1_000

/**
 * Whether a row may have been under way when the window that it shows began: what it shows may be of that one and of the
 * one before.
 */
const metEdge = ({ record, window, clock }: JudgedKey, row: number): boolean => {
  let endMs = Number.NEGATIVE_INFINITY
  for (let i = 0; i < record.size && record.sentMs[i] < record.sentMs[row]; i += 1) {
    const isBefore = record.receivedMs[i] <= record.sentMs[row] && record.limit[i] === window.limit
    if (isBefore && record.reset[i] * 1000 > endMs) endMs = record.reset[i] * 1000
  }
  const isSame = record.reset[row] * 1000 - endMs <= roundedMs
  const isOver = Number.isFinite(endMs) && endMs + roundedMs - (clock.likely ?? clock).from <= record.sentMs[row]
  return !isSame && !isOver
}

/**
 * Whether the window that a row shows was about to end when it was answered. A target that reads its headers apart from its
 * count may show what is left of the next one: of 20, all 20.
 */
const metEnd = ({ record, clock }: JudgedKey, row: number): boolean =>
  record.reset[row] * 1000 - (clock.likely ?? clock).to - roundedMs <= record.receivedMs[row]

/**
 * Of each admission those of its operation that were answered before it was sent: the last one, and the last one that shows
 * the same Remaining. One that shows nothing left follows none: below 0 it can't fall.
 */
function* successions(key: JudgedKey): Generator<{ first: number; second: number }> {
  const { record } = key
  const bySending = Array.from({ length: record.size }, (_, i) => i).filter((i) => showsLeft(key, i))
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
    for (const first of new Set(before)) if (first !== undefined) yield { first, second }
  }
}

/** The row falls by one each as far as a refill may hide nothing; a window that gives nothing back hides none at all. */
export const remainingRepeated = defineCheck({
  id: 'rate.remaining-repeated',
  promise: 'Within a window that gives nothing back, a request that follows an admitted one shows less Remaining.',
  clauses: ['RATE-4'],
  advice: byCode(
    'Check whether every request is counted before its headers are written, and all of them in one place.',
    {
      'window-opener-not-counted': 'Check the request that begins a window: it must be counted like the others.',
      'remaining-rises': 'Check the request that begins a window: its Remaining and its Reset must be of one window.',
    },
  ),
  reads: spendingWhole,
  needs: { cases: 'requests that followed another within a window that gives nothing back', least: 1 },
  judges: allCostOne,
  yields: true,
  judge(evidence, needs) {
    const shared = heldBackKey(evidence)
    if (shared) return heldByAnotherKey(shared.plan, shared.x)
    const telling = tellingCases()
    for (const key of judgedKeys(evidence).filter(({ window }) => window.limit !== window.longer?.limit)) {
      const { record, plan, window } = key
      const limit = window.limit
      const [isKept, mayBeCountedBack] = [keepsWhatIsSpent(key), countingBack(key)]
      const repeated = []
      for (const each of successions(key)) {
        const { first, second } = each
        if (!isKept(first, second) || mayBeCountedBack(first, second)) continue
        const [from, to] = [record.remaining[first], record.remaining[second]]
        if (from > to) telling.add(record.witness(second))
        else if (from === to) repeated.push(each)
        else if (!metEdge(key, first) && !metEnd(key, second)) {
          return fail('remaining-rises', { plan, limit, from, to }, record.witness(first), record.witness(second))
        }
      }
      // Where only openers are not counted, nothing below them is shown twice.
      const further = repeated.find(({ second }) => record.remaining[second] < limit - 1)
      const shown = further ?? repeated[0]
      if (shown === undefined) continue
      const facts = { plan, limit, remaining: record.remaining[shown.second] }
      const witnesses = [record.witness(shown.first), record.witness(shown.second)]
      return further
        ? fail('remaining-repeated', facts, ...witnesses)
        : fail('window-opener-not-counted', facts, ...witnesses)
    }
    return concluded(evidence, needs, telling)
  },
  sentences: {
    'window-opener-not-counted': (f) =>
      `on the ${planName(f.plan)} key the first request of a window and one that followed it both say that ${count(f.remaining)} of ${count(f.limit)} remain`,
    'remaining-rises': (f) =>
      `on the ${planName(f.plan)} key two requests of one window, the second sent when the first was answered, say that ${count(f.from)} and then that ${count(f.to)} of ${count(f.limit)} remain`,
    'remaining-repeated': (f) =>
      `on the ${planName(f.plan)} key two requests of one window, the second sent when the first was answered, both say that ${count(f.remaining)} of ${count(f.limit)} remain`,
  },
})
