import { hiddenDefects } from '../../certificate/certificates.js'
import { isAgreedPlan } from '../../contract/petstore/petstore.js'
import { planName, type QuotaWindow } from '../../contract/plans.js'
import { type Evidence, exchangesOf } from '../../evidence/evidence.js'
import type { Exchange } from '../../evidence/exchange.js'
import { placesOf } from '../../kit/numbers.js'
import { count } from '../../kit/words.js'
import { countsBackWhole } from '../../oracle/gives-back-at-once.js'
import { heldBackKey } from '../../oracle/held-back-key.js'
import { judgedKeys } from '../../oracle/judged-keys.js'
import { isOwnRefusal, showsOwnLimit } from '../../readings/key-history.js'
import { numberOf } from '../../readings/limit-values.js'
import { viewOf } from '../../readings/quota-views.js'
import { saidBy } from '../../readings/readings.js'
import { settledStatus, statusOfExchange } from '../../readings/refusals.js'
import { byCode, defineCheck } from '../framework/check.js'
import { fail, inconclusive, notTested } from '../framework/finding.js'
import { hiding, mayHideSentence } from '../framework/judged-clause.js'
import { noRoomFor } from '../framework/loads.js'

/** Whether a burst on the key was admitted about that limit, and was refused beyond it. */
const wasReached = ({ ledgers }: Evidence, key: string, limit: number): boolean =>
  ledgers.some(({ head, rows }) => {
    if (head.key !== key || head.id !== `burst-${key}`) return false
    const admitted = rows.status.reduce((sum, status) => sum + (status === 200 ? 1 : 0), 0)
    return Math.abs(admitted - limit) <= 2 + limit * 0.02 && rows.status.includes(429)
  })

/** The most that is left of a full quota with an even refill after these admissions, in order of sending. */
const leftOf = ({ limit, windowMs }: QuotaWindow, admittedAtMs: readonly number[], atMs: number): number => {
  let [left, lastMs] = [limit, admittedAtMs[0] ?? atMs]
  const backBy = (ms: number) => Math.min(limit, left + ((ms - lastMs) * limit) / windowMs)
  for (const ms of admittedAtMs) [left, lastMs] = [Math.max(0, backBy(ms) - 1), ms]
  return backBy(atMs) + 1
}

/**
 * Whether the other key's requests would have spent this key, had they counted on it. Either as many as its limit were
 * admitted within a window, and nothing comes back within one, or the answer shows more left than would have come back.
 * Or the other key, whose limit is no smaller, was refused so shortly before that no bucket had a token back: a limiter
 * that may refuse early never admits as many.
 */
const wouldHaveSpent = (evidence: Evidence, beside: Exchange): boolean => {
  const of = (name: string | null) => judgedKeys(evidence).find((each) => each.name === name)
  const [own, other] = [of(beside.key), of(beside.intent.spent)]
  if (!own || !other) return false
  const { sentAt, receivedAt } = beside
  const [{ limit }, { record, window: spent }] = [own.window, other]
  const sinceMs = (receivedAt ?? Number.POSITIVE_INFINITY) - spent.windowMs / spent.limit
  const rows = placesOf(record.status.length, (i) => record.sentMs[i] < sentAt)
  const admittedAtMs = rows
    .filter((i) => record.status[i] === 200 && record.sentMs[i] > sentAt - spent.windowMs)
    .map((i) => record.sentMs[i])
  const isJustBefore = (i: number) => record.sentMs[i] > sinceMs && record.receivedMs[i] <= sentAt
  // A refusal by another quota says nothing about this one.
  const showsSpent = (i: number) => record.remaining[i] === 0 && showsOwnLimit(record, i, spent)
  const isOwn = (i: number) => isOwnRefusal(record, i, spent) && (other.isOnlyQuota || showsSpent(i))
  const isRefused = rows.some((i) => isJustBefore(i) && isOwn(i) && record.excused[i] === 0)
  const left = own.record.remaining[own.record.sentMs.indexOf(sentAt)]
  const wouldShow =
    countsBackWhole(other) || left > leftOf(own.window, admittedAtMs, receivedAt ?? Number.POSITIVE_INFINITY)
  return (admittedAtMs.length >= limit && wouldShow) || (isRefused && spent.limit >= limit)
}

/** How many served requests of another caller show whether they draw from the key. */
const leastServed = 3

/**
 * What a request beside another caller shows, whose requests count in other quotas only: how many of these were served
 * since the request ahead, how many of the key's own were sent, and by how much its Remaining fell (NaN if not shown).
 */
const besideCaller = (evidence: Evidence, x: Exchange) => {
  const { whole, contract, quota } = viewOf(evidence)
  const isAhead = ({ key, intent, sentAt }: Exchange) =>
    key === x.key && intent.spent === x.intent.spent && sentAt < x.sentAt
  const ahead = exchangesOf(evidence, 'isolation', 'ahead').findLast(isAhead)
  if (!ahead) return undefined
  const isBetween = ({ sentAt }: Exchange) => sentAt > ahead.sentAt && sentAt <= x.sentAt
  const served = exchangesOf(whole, 'isolation', 'by-another').filter(
    (each) =>
      each.quota === quota.id &&
      each.key === x.intent.spent &&
      isBetween(each) &&
      statusOfExchange(each, contract) === settledStatus.served,
  ).length
  const own = evidence.exchanges.filter((each) => each.key === x.key && isBetween(each)).length
  const left = (each: Exchange) =>
    each.response?.status === 200 ? (numberOf(saidBy(evidence, each).remaining) ?? Number.NaN) : Number.NaN
  return { served, own, fall: left(ahead) - left(x) }
}

/** So many PATCHes in a row nobody else keeps time with. */
const leastChanges = 3

/**
 * The PATCHes of one key between two requests of another, if Remaining of that one fell by the PATCH too, each time, and often
 * enough that nobody else keeps time with them.
 */
const drawnByChanges = (evidence: Evidence) => {
  const row = evidence.exchanges.filter(({ probe }) => probe === 'isolation').sort((a, b) => a.sentAt - b.sentAt)
  const left = (x: Exchange | undefined) =>
    x?.response?.status === 200 ? (numberOf(saidBy(evidence, x).remaining) ?? Number.NaN) : Number.NaN
  const changes = row.flatMap((patch, at) => {
    const [before, after] = [row[at - 1], row[at + 1]]
    return patch.step === 'patch' ? [{ before, patch, after, fall: left(before) - left(after) }] : []
  })
  const [first] = changes
  const isDrawn = changes.every(({ before, after, fall }) => fall === 2 && before.key === after.key)
  return first && isDrawn && changes.length >= leastChanges ? { ...first, times: changes.length } : undefined
}

/** Whether it would have shown if the other caller's requests drew from the key. */
const wouldHaveDrawn = ({ run }: Evidence, x: Exchange, beside: ReturnType<typeof besideCaller>): boolean => {
  if (!beside || beside.served < leastServed) return false
  const { served, own, fall } = beside
  const { limit = Number.POSITIVE_INFINITY } = run.keys.find(({ name }) => name === x.key)?.quota ?? {}
  return (fall >= 1 && fall <= own) || (Number.isNaN(fall) && served >= limit)
}

export const plansApart = defineCheck({
  id: 'quota.plans-apart',
  promise: "Each plan has its own limits, and no key is held back by another plan's requests.",
  clauses: ['QUOTA-4'],
  advice: byCode("Check what the limiter's key is made of: each API key needs its own count.", {
    'limit-of-another-plan': "Check how the server finds a key's plan: this key gets the limit of another plan.",
  }),
  reads: ['isolation'],
  needs: { cases: "requests admitted after another plan's key had sent as many as this plan's limit" },
  again: {
    probe: 'isolation',
    beside: ['isolation'],
    settings: ({ code }) => (code === 'not-told' || code === 'defect-may-hide' ? {} : undefined),
    dearest: {},
  },
  judge(evidence, telling) {
    const asked = exchangesOf(evidence, 'isolation', 'beside')
    const lacking = noRoomFor(evidence, ['isolation'])
    if (asked.length === 0) return lacking ? inconclusive('no-room-in-day', lacking) : notTested('one-plan-only', {})
    const held = heldBackKey(evidence)
    if (held) {
      const { x, sent, limit } = held
      const beside = besideCaller(evidence, x)
      const facts = { plan: x.key ?? '', spent: x.intent.spent, sent, limit }
      if (beside) return fail('held-back-by-another-caller', { ...facts, served: beside.served }, x)
      return fail('held-back-by-another-plan', facts, x)
    }
    for (const x of asked) {
      const { served, own, fall } = besideCaller(evidence, x) ?? { served: 0, own: 0, fall: 0 }
      if (served < leastServed || fall !== own + served) continue
      return fail('drawn-by-another-caller', { plan: x.key ?? '', spent: x.intent.spent, served, own, fall }, x)
    }
    const drawn = drawnByChanges(evidence)
    if (drawn) {
      const { before, patch, after, times } = drawn
      const facts = { plan: before.key ?? '', spent: patch.key ?? '', times }
      return fail('drawn-by-another-plan', facts, before, patch, after)
    }
    for (const { name, plan, window, diagnosis } of judgedKeys(evidence)) {
      if (diagnosis?.id !== 'limit-of-another-plan' || isAgreedPlan(evidence.run, plan)) continue
      if (!wasReached(evidence, name, Number(diagnosis.facts.limit))) continue
      const facts = {
        plan,
        limit: window.limit,
        seen: Number(diagnosis.facts.limit),
        other: String(diagnosis.facts.plan),
      }
      return fail('limit-of-another-plan', facts)
    }
    const refused = asked.find((x) => x.response?.status === 429)
    if (refused) return inconclusive('key-spent-already', { plan: refused.key ?? '' }, refused)
    if (lacking) return inconclusive('no-room-in-day', lacking)
    const hidden = hiding(hiddenDefects(evidence, 'QUOTA-4', (name) => asked.some(({ key }) => key === name)))
    if (hidden) return hidden
    for (const x of asked) {
      const isTold = wouldHaveSpent(evidence, x) || wouldHaveDrawn(evidence, x, besideCaller(evidence, x))
      if (x.response?.status === 200 && isTold) telling.add(x, x.key ?? '')
    }
    const kinds = Object.fromEntries(asked.map(({ key }) => [key ?? '', []]))
    return telling.conclude({ kinds })
  },
  sentences: {
    ...mayHideSentence,
    'held-back-by-another-plan': (f) =>
      `the ${planName(f.plan)} key was refused right after the ${planName(f.spent)} key had been spent, although only ${count(f.sent)} of its own ${count(f.limit)} requests had been sent`,
    'held-back-by-another-caller': (f) =>
      `the ${planName(f.plan)} key was refused right after ${count(f.served)} requests of ${f.spent}, which count in other quotas, although only ${count(f.sent)} of its own ${count(f.limit)} had been sent`,
    'drawn-by-another-caller': (f) =>
      `Remaining of the ${planName(f.plan)} key fell by ${f.fall} while ${f.own} of its own requests were sent, and ${f.served} of ${f.spent}, which count in other quotas`,
    'drawn-by-another-plan': (f) =>
      `${f.times} of ${f.times} times Remaining of the ${planName(f.plan)} key fell by 2 from one of its requests to the next, with one PATCH of the ${planName(f.spent)} key between them`,
    'limit-of-another-plan': (f) =>
      `the ${planName(f.plan)} plan has a limit of ${count(f.seen)} a minute, that of the ${planName(f.other)} plan, instead of ${count(f.limit)}`,
    'one-plan-only': () => 'this needs keys of two plans, but the run has keys of one',
    'key-spent-already': (f) => `the ${planName(f.plan)} key was refused, and may have been spent before`,
  },
})
