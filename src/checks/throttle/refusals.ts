import { contractOf } from '../../contract/petstore/petstore.js'
import { planName } from '../../contract/plans.js'
import { spellingKinds } from '../../contract/request-spellings.js'
import type { Evidence } from '../../evidence/evidence.js'
import { type Exchange, type HeaderLine, headerValues } from '../../evidence/exchange.js'
import { type Ledger, lastAnswerUs, ledgerFlags, rowWitness } from '../../evidence/ledger.js'
import { parseHttpDate } from '../../kit/http-date.js'
import type { Witness } from '../../kit/witness.js'
import { count, formatDuration, listInWords } from '../../kit/words.js'
import { viewOf } from '../../readings/quota-views.js'
import { refusalOf } from '../../readings/refusals.js'
import type { Finding } from '../../verdict/verdict.js'
import { keptRefusals } from '../framework/answers.js'
import { byCode, defineCheck } from '../framework/check.js'
import { fail, inconclusive } from '../framework/finding.js'
import { bringing, spendingProbes, statusKinds } from '../framework/needs.js'
import { bareSpending, spentAgain } from '../framework/spent-again.js'

/** The longest that a request over the limit may be held, whatever the window (THROTTLE-1). */
const longestHeldMs = 10_000

/** The same, but no longer than half a window. */
const mostHeldMs = (windowMs: number): number => Math.min(windowMs / 2, longestHeldMs)

const tallyOf = ({ rows }: Ledger, limit: number) => {
  let [admitted, refused] = [0, 0]
  /**
   * The answers that were neither admitted nor 429, by status. `over`: may be over the limit, if one request before the
   * load was counted; `told`: say themselves that nothing is left, and until when.
   */
  const others = new Map<number, { count: number; over: number; told: number; row: number }>()
  let longest = { heldMs: 0, row: 0 }
  const served: { readonly heldMs: number; readonly receivedUs: number }[] = []
  for (let i = 0; i < rows.length; i += 1) {
    const status = rows.status[i]
    if (status === 429) refused += 1
    else if (status >= 200 && status < 300) admitted += 1
    else if (status > 0) {
      const known = others.get(status) ?? { count: 0, over: 0, told: 0, row: i }
      const isTold = rows.remaining[i] === 0 && rows.retryAfter[i] > 0
      const over = known.over + Number(isTold || i + 1 >= limit)
      others.set(status, { ...known, count: known.count + 1, over, told: known.told + Number(isTold) })
    }
    const timedOut = (rows.flags[i] & ledgerFlags.timedOut) !== 0
    const heldMs = timedOut ? Number.POSITIVE_INFINITY : (rows.receivedUs[i] - rows.sentUs[i]) / 1000
    if (i >= limit && heldMs > longest.heldMs) longest = { heldMs, row: i }
    if (status !== 429) served.push({ heldMs, receivedUs: timedOut ? Number.POSITIVE_INFINITY : rows.receivedUs[i] })
  }
  // Of requests sent at once, any may be within the limit: here those that were served first.
  const within = served.sort((a, b) => a.receivedUs - b.receivedUs).slice(0, limit)
  return { admitted, refused, others, longest, withinMs: Math.max(0, ...within.map(({ heldMs }) => heldMs)) }
}

/** What a server answers by itself if a request's head did not come in time: it has read none (RFC 9110 §15.5.9). */
const requestTimeout = 408

/** Fewer 5xx over the limit may be a gateway's, and so may a smaller share of all that were not admitted. */
const [leastOver, leastOtherwiseShare] = [3, 1 / 5]

const overLimitLedgers = (evidence: Evidence) =>
  evidence.ledgers.flatMap((ledger) => {
    const key = evidence.run.keys.find(({ name }) => name === ledger.head.key)
    return key && ledger.rows.length > key.quota.limit ? [{ ledger, key }] : []
  })

/** Milliseconds as a fact: -1 for longer than the time limit. */
const finite = (ms: number): number => (Number.isFinite(ms) ? Math.round(ms) : -1)

/** A held request takes at least twice as long as those that need not be held. */
const slowShare = 1 / 2

/**
 * Whether requests within the limit took about as long as the slowest one beyond it: then the target or the machine is
 * slow, and nothing is held back. Requests sent at once wait for each other: of 100 on a limit of 5, the last may take
 * ten times as long as the tenth.
 */
const isSlow = ({ rows }: Ledger, limit: number, withinMs: number, heldMs: number): boolean =>
  withinMs * Math.max(1, rows.length / (2 * limit)) >= slowShare * Math.min(heldMs, longestHeldMs)

interface Held {
  readonly ledger: Ledger
  readonly facts: { readonly plan: string; readonly heldMs: number; readonly mostMs: number }
  readonly witness: Witness
}

/** The finding if requests within the limit took about as long. */
const slowWithin = (plan: string, withinMs: number, witness: Witness) =>
  inconclusive('slow-within-limit', { plan, withinMs: finite(withinMs) }, witness)

const endUs = ({ rows }: Ledger): number => lastAnswerUs(rows, rows.sentUs[0])

/**
 * Whether one of two loads was over before the other began. A machine that stalls for seconds delays everything in
 * flight; if that seems to happen in both loads, and to nothing within the limit, it is the target's doing.
 */
const isApart = (one: Ledger, other: Ledger): boolean =>
  endUs(one) < other.rows.sentUs[0] || endUs(other) < one.rows.sentUs[0]

/**
 * Requests of another operation over the limit that all got something other than 429, each right before a 429 to
 * another operation: so it was no ban, and no gateway. A GET must have been served on the key while it had room.
 */
const operationOtherwise = ({ exchanges }: Evidence, key: string): readonly Exchange[] => {
  const own = exchanges.filter((x) => x.key === key).toSorted((a, b) => a.sentAt - b.sentAt)
  const asked = own.filter(
    ({ step, intent }) =>
      step === 'write-refused' || (step === 'spelling' && spellingKinds([intent.spelling]).includes('operation')),
  )
  const isMeant = ({ response, operation, endedAt }: Exchange) =>
    response?.status !== 429 &&
    own.find((x) => x.sentAt >= endedAt && x.operation !== operation)?.response?.status === 429
  for (const operation of new Set(asked.map((x) => x.operation))) {
    const isServed = (x: Exchange) => x.operation === operation && x.response?.status === 200
    const unserved = asked.filter((x) => x.operation === operation && !isServed(x))
    const isKnown = operation === 'updateInventory' || own.some((x) => isServed(x) && !asked.includes(x))
    if (isKnown && unserved.length > 1 && unserved.every(isMeant)) return unserved
  }
  return []
}

const askedAgain = (finding: Finding) =>
  finding.code === 'held-back-once' || finding.code === 'slow-within-limit'
    ? bareSpending
    : spentAgain.settings(finding)

export const refusedAtOnce = defineCheck({
  id: 'throttle.refused-at-once',
  promise: 'A request over the limit gets 429, and is not held until the quota is available again.',
  clauses: ['THROTTLE-1'],
  advice: byCode('Check what answers beyond the limit, a gateway perhaps: it must be a 429.', {
    'held-back': 'Check whether the limiter queues requests: it must refuse them at once.',
  }),
  reads: ['burst', 'split', 'while-refused'],
  needs: { cases: 'loads over the limit that were partly refused' },
  again: { ...spentAgain, settings: askedAgain },
  judge(evidence, telling) {
    const loads = overLimitLedgers(evidence)
    const held: Held[] = []
    let slow: ReturnType<typeof slowWithin> | undefined
    const mostMs = mostHeldMs(viewOf(evidence).windowMs)
    for (const { name, plan } of evidence.run.keys) {
      const otherwise = operationOtherwise(evidence, name)
      const { operation, response } = otherwise[0] ?? {}
      const facts = { plan, status: response?.status ?? 0, count: otherwise.length }
      if (response && operation === 'updateInventory') return fail('update-refused-otherwise', facts, ...otherwise)
      if (response && operation) return fail('operation-refused-otherwise', { ...facts, operation }, ...otherwise)
    }
    for (const { ledger, key } of loads) {
      const limit = key.quota.limit
      const { admitted, refused, others, longest, withinMs } = tallyOf(ledger, limit)
      const at = (row: number) => rowWitness(ledger, row)
      for (const [status, { count, over, told, row }] of others) {
        // A 403 after a 429 is a ban.
        const isBan = status === 403 && refused > 0
        const isUnread = status === requestTimeout && told === 0
        const isMany = (status < 500 || over >= leastOver) && count >= leastOtherwiseShare * (count + refused)
        const isSpent = admitted + 1 >= limit || told >= leastOver
        if (!isBan && !isUnread && isSpent && isMany)
          return fail('refused-with-another-status', { plan: key.plan, status, admitted, limit, count }, at(row))
      }
      // While the generator stood still, nothing was read: that time is not the target's.
      if (longest.heldMs - ledger.head.stoodStillMs > mostMs) {
        // Everything after bodies without end may have waited for them, on either side.
        if (ledger.rows.flags.subarray(0, longest.row).some((flags) => (flags & ledgerFlags.bodyCut) !== 0))
          return inconclusive('bodies-without-end', {}, at(longest.row))
        if (isSlow(ledger, limit, withinMs, longest.heldMs)) {
          slow ??= slowWithin(key.plan, withinMs, at(longest.row))
          continue
        }
        const facts = { plan: key.plan, heldMs: finite(longest.heldMs), mostMs }
        held.push({ ledger, facts, witness: at(longest.row) })
        continue
      }
      if (refused > 0) telling.add(at(ledger.rows.status.indexOf(429)))
    }
    const [first] = held
    // If requests within the limit were as slow in some load, that explains what held up the others.
    if (first && !slow && held.some(({ ledger }) => isApart(ledger, first.ledger)))
      return fail('held-back', first.facts, ...held.map(({ witness }) => witness))
    if (slow) return slow
    if (first) return inconclusive('held-back-once', first.facts, first.witness)
    return telling.conclude()
  },
  sentences: {
    'refused-with-another-status': (f) =>
      `on the ${planName(f.plan)} key ${count(f.count)} requests over the limit were answered ${f.status}, not 429 (${count(f.admitted)} of ${count(f.limit)} were admitted)`,
    'update-refused-otherwise': (f) =>
      `on the ${planName(f.plan)} key ${count(f.count)} PATCHes over the limit were answered ${f.status}, and other requests 429`,
    'operation-refused-otherwise': (f) =>
      `on the ${planName(f.plan)} key ${count(f.count)} requests of ${f.operation} over the limit were answered ${f.status}, and other requests 429`,
    'held-back-once': (f) =>
      `on the ${planName(f.plan)} key, a request over the limit was held for ${f.heldMs < 0 ? 'longer than the time limit' : formatDuration(f.heldMs)} in one load and in no other; a stalled machine would explain that too`,
    'slow-within-limit': (f) =>
      `on the ${planName(f.plan)} key requests within the limit took ${f.withinMs < 0 ? 'longer than the time limit' : `up to ${formatDuration(f.withinMs)}`}, so it is unclear whether those beyond it were held back`,
    'bodies-without-end': () => 'some bodies in the load did not end, and later requests may have waited for them',
    'held-back': (f) =>
      `on the ${planName(f.plan)} key, a request over the limit was held for ${f.heldMs < 0 ? 'longer than the time limit' : formatDuration(f.heldMs)}; at most ${formatDuration(f.mostMs)} is allowed`,
  },
})

function* refusalsIn({ exchanges, ledgers }: Evidence): Generator<Witness> {
  for (const { id, response } of exchanges) if (response?.status === 429) yield { id }
  for (const ledger of ledgers) {
    const { length, status } = ledger.rows
    for (let row = 0; row < length; row += 1) if (status[row] === 429) yield rowWitness(ledger, row)
  }
}

/** The 429s that no rule of the contract calls a refusal or a ban; none if a rule takes any 429. */
const unagreedRefusals = (evidence: Evidence): Witness[] => {
  const { run, exchanges, ledgers } = evidence
  const refused = new Set(exchanges.flatMap(({ id, response }) => (response?.status === 429 ? [id] : [])))
  const single = viewOf(evidence).whole.exchanges.flatMap(({ id, response }) => {
    if (!response || !refused.has(id)) return []
    const { status, headers, body } = response
    return refusalOf({ status, headers, body: body.content }, contractOf(run)) === undefined ? [{ id }] : []
  })
  const told = ledgerFlags.refusedByRule | ledgerFlags.bannedByRule
  const loads = ledgers.flatMap((ledger) => {
    const { rows } = ledger
    const row = rows.status.findIndex((status, i) => status === 429 && (rows.flags[i] & told) === 0)
    return row < 0 ? [] : [rowWitness(ledger, row)]
  })
  return [...single, ...loads]
}

/** A 429 means a refusal by itself (RFC 6585 §4): one that the contract's rules do not know was not agreed. */
export const refusedAsAgreed = defineCheck({
  id: 'throttle.refused-as-agreed',
  promise: 'A refusal has the status, the headers and the body that were agreed.',
  clauses: ['THROTTLE-1'],
  of: 'contract-file',
  advice: 'Check what builds a refusal (perhaps a gateway): status, headers and body as in the contract.',
  reads: spendingProbes,
  needs: { cases: 'refusals' },
  again: spentAgain,
  judge(evidence, telling) {
    const [unagreed] = unagreedRefusals(evidence)
    const agreed = contractOf(evidence.run).refusals.flatMap(({ is, status }) => (is === 'quota' ? status : []))
    if (unagreed) return fail('refused-otherwise', { agreed: [...new Set(agreed)].map(String) }, unagreed)
    for (const each of refusalsIn(evidence)) telling.add(each)
    return telling.conclude()
  },
  sentences: {
    'refused-otherwise': ({ agreed }) =>
      `a request got 429, which is not a refusal by the contract: the contract says ${listInWords(agreed)}`,
  },
})

/** Whether it has a lifetime above zero, or `public`, and no `no-store`. A client's own cache stores `private` too. */
const allowsStoring = (cacheControl: string): boolean => {
  const directives = cacheControl
    .toLowerCase()
    .split(',')
    .map((each) => each.trim())
  if (directives.includes('no-store')) return false
  return directives.some((each) => each === 'public' || /^(s-maxage|max-age)="?0*[1-9]/.test(each))
}

/** Directives about the lifetime, because of which Expires is ignored (RFC 9111 §5.3). */
const speaksOfLifetime = /\b(?:no-store|no-cache|max-age|s-maxage)\b/i

/** An Expires after the answer's Date, if Cache-Control leaves the decision to it; one that is no date has expired. */
const laterExpires = (headers: readonly HeaderLine[], cacheControl: string) => {
  const [[expires = ''], [date = '']] = [headerValues(headers, 'Expires'), headerValues(headers, 'Date')]
  const [until, from] = [parseHttpDate(expires), parseHttpDate(date)]
  const isLater = until !== undefined && from !== undefined && until > from
  return isLater && !speaksOfLifetime.test(cacheControl) ? { expires, date } : undefined
}

export const notCacheable = defineCheck({
  id: 'throttle.not-cacheable',
  promise: 'A 429 is not marked as cacheable.',
  clauses: ['THROTTLE-8'],
  advice: 'Check Cache-Control and Expires of a 429: it needs no-store, also behind a gateway or CDN.',
  alone: bringing(429),
  needs: { cases: '429s recorded in full' },
  judge(evidence, telling) {
    const seen = keptRefusals(evidence)
    for (const { witness, headers } of seen) {
      const cacheControl = headerValues(headers, 'Cache-Control').join(', ')
      if (allowsStoring(cacheControl))
        return fail('refusal-cacheable', { cacheControl: cacheControl.slice(0, 80) }, witness)
      const later = laterExpires(headers, cacheControl)
      if (later) return fail('refusal-expires-later', later, witness)
      telling.add(witness, '429')
    }
    return telling.conclude({ kinds: statusKinds(429) })
  },
  sentences: {
    'refusal-expires-later': ({ expires, date }) =>
      `a 429 is marked as cacheable: Expires: ${expires}, with Date: ${date}`,
    'refusal-cacheable': ({ cacheControl }) => `a 429 is marked as cacheable: Cache-Control: ${cacheControl}`,
  },
})
