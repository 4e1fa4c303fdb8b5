import { hiddenInAnswers } from '../../certificate/certificates.js'
import { planName, secondMs } from '../../contract/plans.js'
import type { Evidence } from '../../evidence/evidence.js'
import { type Answered, headerValues, isAnswered } from '../../evidence/exchange.js'
import { parseHttpDate } from '../../kit/http-date.js'
import { placesOf } from '../../kit/numbers.js'
import { onceFor } from '../../kit/once-for.js'
import { type Witness, witnessText } from '../../kit/witness.js'
import { count, formatDuration, listInWords } from '../../kit/words.js'
import { isKeyQuiet, type JudgedKey, judgedKeys } from '../../oracle/judged-keys.js'
import { silentWaits } from '../../oracle/silent-waits.js'
import { isBeyondMinute, isOwnRefusal } from '../../readings/key-history.js'
import { admissionAfter } from '../../readings/key-record.js'
import { byCode, defineCheck } from '../framework/check.js'
import { fail, inconclusive, notTested } from '../framework/finding.js'
import { hiding, judgedClause, mayHideSentence } from '../framework/judged-clause.js'
import { bringing, statusKinds } from '../framework/needs.js'
import { spentAgainAfter } from '../framework/spent-again.js'
import { quotaNotJudged } from '../framework/unplayed.js'
import { cameOf, countWaits, roundingInWords, waitErrors } from './waits.js'

/**
 * The refusals whose named moment passed while the key was still refused, with only refusals since: of each stretch the
 * first that shows it. No admissible limiter counts refusals, but one case alone is no proof, as the key was not
 * silent. Example: a refusal at 1 s names 6 s, and the key is refused at 8 s.
 */
function* overtakenWaits({ record, window }: JudgedKey): Generator<{ refusal: number; later: number }> {
  const ordinary = record.ordinary.indexOf(1)
  // The same quota refuses another operation; a request that was to provoke a ban may be refused by the ban.
  const promises = (i: number): boolean =>
    record.excused[i] === 0 &&
    (record.ordinary[i] === 1 || (record.operation(i) !== null && record.operation(i) !== record.operation(ordinary)))
  let answeredUntil = Number.NEGATIVE_INFINITY
  let soonest: { readonly refusal: number; readonly dueMs: number } | undefined
  let isTold = false
  for (let i = 0; i < record.size; i += 1) {
    if (record.status[i] !== 429 || isBeyondMinute(record, i, window)) {
      soonest = undefined
      isTold = false
      const heardAt = record.receivedMs[i]
      answeredUntil = Math.max(answeredUntil, Number.isNaN(heardAt) ? Number.POSITIVE_INFINITY : heardAt)
      continue
    }
    const isAlone = !(record.sentMs[i + 1] < record.receivedMs[i])
    const isOvertaking = isAlone && record.ordinary[i] === 1 && record.excused[i] === 0
    if (soonest && !isTold && isOvertaking && record.sentMs[i] > soonest.dueMs) {
      isTold = true
      yield { refusal: soonest.refusal, later: i }
    }
    if (!promises(i)) continue
    const dueMs = record.receivedMs[i] + record.waitMs[i]
    const isAfterAll = record.sentMs[i] >= answeredUntil
    if (isAfterAll && dueMs < (soonest?.dueMs ?? Number.POSITIVE_INFINITY)) soonest = { refusal: i, dueMs }
  }
}

/** How many windows have to show an overtaken wait. */
const leastOvertaken = 2

/**
 * Waits during which other requests came. If refusals are known not to count (QUOTA-2), the key would have been refused
 * in silence as well: two windows that show it prove that.
 */
const overtakenIn = (evidence: Evidence, keys: readonly JudgedKey[]) => {
  // A quota that promises nothing about early refusals may count them: then requests in between make the wait longer.
  const told = keys.filter((key) => isKeyQuiet(key) && key.agreed.exact?.early !== null)
  const waits = told.flatMap((key) =>
    [...overtakenWaits(key)].map(({ refusal, later }) => ({
      witnesses: [key.record.witness(refusal), key.record.witness(later)],
      plan: key.plan,
      promisedMs: Math.round(key.record.waitMs[refusal]),
      refusedAfterMs: Math.round(key.record.sentMs[later] - key.record.receivedMs[refusal]),
    })),
  )
  if (waits.length === 0) return undefined
  const [{ witnesses, ...facts }] = waits
  // One of several quotas of a contract may count what another refused.
  const isOfOneQuota = told.every((key) => key.isOnlyQuota || key.window.longer !== undefined)
  if (isOfOneQuota && waits.length >= leastOvertaken && judgedClause(evidence, 'QUOTA-2').verdict === 'pass') {
    const shown = waits.slice(0, leastOvertaken).flatMap((each) => each.witnesses)
    return fail('refused-after-overtaken-waits', { ...facts, times: waits.length }, ...shown)
  }
  return inconclusive('wait-overtaken', facts, ...witnesses)
}

/** A request that was admitted this soon after the named moment was still sent because of it. */
const keptWithinMs = 300

/** The refusals by whose named moment, or just after, a request was admitted. A date is taken at its earliest. */
const keptWaits = ({ record, window, clock }: JudgedKey): Witness[] => {
  const admitted = admissionAfter(record)
  const dateErrorMs = (clock.likely ?? clock).to - clock.from
  return placesOf(record.size).flatMap((i) => {
    const next = isOwnRefusal(record, i, window) ? admitted(i) : undefined
    if (next === undefined) return []
    const namedMs = record.waitMs[i] - (record.waitIsDate[i] === 1 ? dateErrorMs : 0)
    const isKept = record.sentMs[next] - record.receivedMs[i] <= namedMs + keptWithinMs
    return isKept ? [record.witness(i)] : []
  })
}

/** Dates this close may mean one moment: they are whole seconds, and the clocks of several nodes may differ. */
const sameDateMs = secondMs + 100

const dateOf = onceFor(({ response: { headers } }: Answered): number | undefined =>
  parseHttpDate(headerValues(headers, 'Date')[0] ?? ''),
)

/** What a repeated answer has in common, word for word: when it was written, how long to wait, and the body. */
const wordingOf = ({ response: { headers, body } }: Answered): string =>
  JSON.stringify([headerValues(headers, 'Date'), headerValues(headers, 'Retry-After'), body.content])

/**
 * A refusal that a cache repeated after its wait was over: it has an Age, or a Date more than a second old while other
 * answers show that Date moves on. Nobody decided about the second request, so no other request excuses it.
 */
const repeatedIn = ({ exchanges }: Evidence, { name, plan, record }: JudgedKey) => {
  const answered = exchanges.filter(isAnswered)
  const own = answered.filter((x) => x.key === name && x.response.status === 429)
  const movedOn = (since: Answered, x: Answered) =>
    answered.some(
      (each) => each.endedAt <= x.sentAt && (dateOf(each) ?? 0) > (dateOf(since) ?? Number.POSITIVE_INFINITY),
    )
  const waitOf = new Map(Array.from(record.waitMs, (ms, i) => [witnessText(record.witness(i)), ms]))
  const first = new Map<string, Answered>()
  for (const x of own.filter(({ response }) => headerValues(response.headers, 'Date').length > 0)) {
    const wording = wordingOf(x)
    const written = first.get(wording) ?? x
    first.set(wording, written)
    const promisedMs = waitOf.get(written.id) ?? Number.NaN
    const afterMs = Math.round(x.sentAt - written.receivedAt)
    if (!(afterMs > promisedMs)) continue
    const isAged = Number(headerValues(x.response.headers, 'Age')[0]) >= 1
    if (isAged || (afterMs > sameDateMs && movedOn(written, x)))
      return fail('refusal-repeated', { plan, promisedMs, afterMs }, written, x)
  }
  return undefined
}

/** Counts the refusals, those that name a wait, and those whose wait is longer than a minute. */
const countRefusals = (keys: readonly JudgedKey[]) => {
  const counts = { refused: 0, named: 0, beyond: 0 }
  for (const { record, window } of keys) {
    for (let i = 0; i < record.size; i += 1) {
      // Requests that were to provoke a ban did not wait.
      if (record.status[i] !== 429 || record.ordinary[i] === 0) continue
      counts.refused += 1
      if (isBeyondMinute(record, i, window)) counts.beyond += 1
      if (!Number.isNaN(record.waitMs[i])) counts.named += 1
    }
  }
  return counts
}

/** By how much the Reset of a refusal lies beyond its Retry-After, at least; null if it does not. */
const resetLaterMs = ({ record, clock, window }: JudgedKey, refusal: number): number | null => {
  const dueMs = record.receivedMs[refusal] + record.waitMs[refusal]
  const laterMs = Math.floor(record.reset[refusal] * 1000 - clock.to - dueMs)
  return laterMs > 0 && laterMs <= window.windowMs ? laterMs : null
}

const breachIn = (keys: readonly JudgedKey[]) => {
  for (const key of keys) {
    const { plan, record } = key
    for (const wait of silentWaits(record)) {
      if (cameOf(key, wait) !== 'refused') continue
      // Somebody else who spends the key may have taken what was there.
      if (!isKeyQuiet(key)) return quotaNotJudged(plan, 'key-not-quiet')
      const { refusal, retry } = wait
      const facts = {
        plan,
        promisedMs: Math.round(record.waitMs[refusal]),
        waitedMs: Math.round(record.sentMs[retry] - record.receivedMs[refusal]),
        status: 429,
        nextWaitMs: Number.isNaN(record.waitMs[retry]) ? null : Math.round(record.waitMs[retry]),
        resetLaterMs: resetLaterMs(key, refusal),
        ...waitErrors(keys),
        waits: countWaits(keys),
      }
      return fail('refused-after-waiting', facts, record.witness(refusal), record.witness(retry))
    }
  }
  return undefined
}

/** What the refusal at the end of a wait says: 0 s more is the rest of a second that was cut off. */
const secondWait = (nextWaitMs: number | null, errors: ReturnType<typeof waitErrors>): string => {
  if (nextWaitMs === null) return ''
  return nextWaitMs === 0
    ? ` The second refusal asks for 0 s more${roundingInWords(errors)}.`
    : ` The second refusal asks for ${formatDuration(nextWaitMs)} more.`
}

/** How many waits were too short: `Too short was 1 of 4 waits on Free; on Pro 0 of 6`. */
const waitsInWords = (waits: ReturnType<typeof countWaits>): string => {
  const short = waits.filter(({ tooShort }) => tooShort > 0)
  const kept = waits.filter(({ tooShort }) => tooShort === 0)
  const tried = kept.reduce((sum, each) => sum + each.tried, 0)
  const told = short.map(
    ({ plan, tried: of, tooShort }, at) =>
      `${count(tooShort)} of ${count(of)}${at > 0 ? '' : of === 1 ? ' wait' : ' waits'} on ${planName(plan)}`,
  )
  const few = short.length === 1 && short[0].tooShort === 1
  const rest = kept.length > 0 ? `; on ${listInWords(kept.map(({ plan }) => planName(plan)))} 0 of ${count(tried)}` : ''
  return `Too short ${few ? 'was' : 'were'} ${listInWords(told)}${rest}`
}

export const retryAfterHonest = defineCheck({
  id: 'throttle.retry-after-honest',
  promise: 'A client that stays silent for as long as Retry-After says is then admitted.',
  clauses: ['THROTTLE-4'],
  advice: byCode(
    'Check how Retry-After is computed: from the window that refuses, rounded up to whole seconds, never down.',
    {
      'refusal-repeated': 'Check what stands before the limiter: a cache there must not store a 429.',
    },
  ),
  alone: bringing(429),
  needs: { cases: 'refusals with a request admitted by the time they named' },
  again: spentAgainAfter('not-told', 'wait-overtaken', 'defect-may-hide'),
  ofApartKeys: true,
  judge(evidence, telling) {
    const keys = judgedKeys(evidence)
    const found =
      breachIn(keys) ?? keys.flatMap((key) => repeatedIn(evidence, key) ?? []).at(0) ?? overtakenIn(evidence, keys)
    if (found) return found
    const { refused, named, beyond } = countRefusals(keys)
    if (refused > 0 && beyond === refused) return notTested('waits-of-a-day', { refused })
    if (refused > 0 && named === 0) return inconclusive('no-usable-wait', {})
    const hidden = hiding(hiddenInAnswers(evidence, 'THROTTLE-4'))
    if (hidden) return hidden
    for (const witness of keys.flatMap(keptWaits)) telling.add(witness)
    return telling.conclude({ kinds: refused > 0 ? {} : statusKinds(429) })
  },
  sentences: {
    ...mayHideSentence,
    'refused-after-waiting': (f) =>
      `on the ${planName(f.plan)} key a request was refused again (429) although it came ${count(f.waitedMs)} ms after a refusal with a Retry-After of ${count(f.promisedMs)} ms, so ${count(f.waitedMs - f.promisedMs)} ms later than asked, with nothing sent in between.${secondWait(f.nextWaitMs, f)}${f.resetLaterMs === null ? '' : ` Reset in the same answer names a moment ${formatDuration(f.resetLaterMs)} later than Retry-After.`} ${waitsInWords(f.waits)}`,
    'refusal-repeated': (f) =>
      `on the ${planName(f.plan)} key a refusal that named a wait of ${formatDuration(f.promisedMs)} came again, word for word, for a request ${formatDuration(f.afterMs)} later: a cache repeats it`,
    'wait-overtaken': (f) =>
      `on the ${planName(f.plan)} key a refusal named a wait of ${formatDuration(f.promisedMs)}, and ${formatDuration(f.refusedAfterMs)} later the key was still refused; but other requests came in between, so this alone proves nothing`,
    'refused-after-overtaken-waits': (f) =>
      `on the ${planName(f.plan)} key a refusal named a wait of ${formatDuration(f.promisedMs)}, and ${formatDuration(f.refusedAfterMs)} later the key was still refused; ${count(f.times)} windows show that, with nothing in between but refused requests, which do not count here`,
    'waits-of-a-day': (f) =>
      `all ${f.refused} refusals came from a daily quota or a ban; a run does not wait for their end`,
    'no-usable-wait': () => 'no 429 named a usable wait',
  },
})
