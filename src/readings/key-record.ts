import type { Evidence } from '../evidence/evidence.js'
import type { Exchange } from '../evidence/exchange.js'
import { clockErrorOf, type Ledger, ledgerFlags } from '../evidence/ledger.js'
import { carriesKey } from '../evidence/redaction/credential-forms.js'
import { type Witness, witnessText } from '../kit/witness.js'
import { blockedRefusals } from './blocked-refusals.js'
import { type NumberHeader, readRetryAfter } from './limit-values.js'
import { rateHeaders } from './read-limits.js'
import type { TargetClock } from './target-clock.js'

/**
 * Everything that was sent with one key, in order of sending, as columns: single exchanges and lines of ledgers alike.
 * Times are milliseconds since the run's start; NaN is "none": no answer, no such header.
 */
export interface KeyRecord {
  readonly key: string
  readonly size: number
  readonly sentMs: Float64Array
  readonly receivedMs: Float64Array
  /** 0 where no answer came. */
  readonly status: Uint16Array
  /** 1 for the request that loads send too, `GET /inventory` with a bearer key, where nobody provoked a ban; else 0. */
  readonly ordinary: Uint8Array
  /** 1 for a refusal that another quota of the contract may have given. */
  readonly excused: Uint8Array
  /** 1 for a refusal within the time for which an earlier one blocks the key: no quota's, and spent nowhere. */
  readonly blocked: Uint8Array
  readonly limit: Float64Array
  readonly remaining: Float64Array
  readonly reset: Float64Array
  /** The wait that Retry-After names, counted from the receipt of the answer; NaN where it names none. */
  readonly waitMs: Float64Array
  /** 1 where Retry-After is a date: a moment, in place of whole seconds from the answer on. */
  readonly waitIsDate: Uint8Array
  /** How many units of the quota each costs; absent where all cost one. */
  readonly cost?: Uint16Array
  /** The operation that it asked for, or the probe of the contract; null where it is none of them. */
  operation(index: number): string | null
  /** The exchange or the row of a ledger that it is. */
  witness(index: number): Witness
}

interface Row {
  readonly sentMs: number
  readonly receivedMs: number
  readonly status: number
  readonly ordinary: boolean
  readonly limit: number
  readonly remaining: number
  readonly reset: number
  readonly waitMs: number
  readonly waitIsDate: boolean
}

const numeric = (header: NumberHeader): number => (header.state === 'number' ? header.value : Number.NaN)

/** This probe hammers a key until it is banned: its answers may be the ban's, and tell nothing of the quota. */
const provokingProbe = 'ban'

/** What loads ask for where no contract file names another. */
const ordinaryOperation = 'listInventory'

/** Whether it is the request that loads send too, spelt as the interface does; QUOTA-6 judges other spellings. */
const isOrdinary = (x: Exchange, view: Evidence['view']): boolean =>
  x.probe !== provokingProbe &&
  x.credential === 'bearer' &&
  !x.intent.spelling &&
  // A view of a quota holds the requests that count against it, and no others.
  (view !== undefined || (x.operation === ordinaryOperation && x.request.url.endsWith('/inventory')))

const waitOf = (x: Exchange, clock: TargetClock): number => {
  if (!x.response || x.receivedAt === null) return Number.NaN
  const retryAfter = readRetryAfter(x.response.headers)
  if (retryAfter.form === 'absent') return Number.NaN
  // A date is taken for the latest moment that it can mean on our clock.
  if (retryAfter.form === 'date') return retryAfter.epochMs - clock.from - x.receivedAt
  return retryAfter.seconds === null ? Number.NaN : retryAfter.seconds * 1000
}

const rowOfExchange = (x: Exchange, clock: TargetClock, view: Evidence['view']): Row => {
  const { limit, remaining, reset } = rateHeaders(x.response?.headers ?? [])
  return {
    sentMs: x.sentAt,
    receivedMs: x.receivedAt ?? Number.NaN,
    status: x.response?.status ?? 0,
    ordinary: isOrdinary(x, view),
    limit: numeric(limit),
    remaining: numeric(remaining),
    reset: numeric(reset),
    waitMs: waitOf(x, clock),
    waitIsDate: readRetryAfter(x.response?.headers ?? []).form === 'date',
  }
}

const finite = (value: number): number => (Number.isFinite(value) ? value : Number.NaN)

const rowOfLedger = ({ head, rows }: Ledger, i: number, clock: TargetClock): Row => {
  // What another machine sent happened at some time within the error of its clock.
  const errorMs = clockErrorOf(head)
  const receivedMs = rows.receivedUs[i] / 1000 + errorMs
  const retryAfter = finite(rows.retryAfter[i])
  const isDate = (rows.flags[i] & ledgerFlags.retryAfterIsDate) !== 0
  return {
    sentMs: rows.sentUs[i] / 1000 - errorMs,
    receivedMs,
    status: rows.status[i],
    ordinary: head.probe !== provokingProbe,
    limit: finite(rows.limit[i]),
    remaining: finite(rows.remaining[i]),
    reset: finite(rows.reset[i]),
    waitMs: isDate ? retryAfter * 1000 - clock.from - receivedMs : retryAfter * 1000,
    waitIsDate: isDate,
  }
}

interface Sources {
  readonly exchanges: readonly Exchange[]
  readonly ledgers: readonly Ledger[]
}

/** The requests in order of sending: of each its source (0: single exchanges, n: the n-th ledger) and place there. */
const sendingOrder = ({ exchanges, ledgers }: Sources): { source: Uint16Array; place: Uint32Array } => {
  const size = exchanges.length + ledgers.reduce((sum, { rows }) => sum + rows.length, 0)
  const source = new Uint16Array(size)
  const place = new Uint32Array(size)
  const sent = new Float64Array(size)
  let at = 0
  const add = (from: number, index: number, sentMs: number) => {
    source[at] = from
    place[at] = index
    sent[at] = sentMs
    at += 1
  }
  exchanges.forEach((x, index) => {
    add(0, index, x.sentAt)
  })
  ledgers.forEach(({ head, rows }, number) => {
    const errorMs = clockErrorOf(head)
    for (let i = 0; i < rows.length; i += 1) add(number + 1, i, rows.sentUs[i] / 1000 - errorMs)
  })
  const order = Uint32Array.from({ length: size }, (_, i) => i).sort((a, b) => sent[a] - sent[b])
  return { source: source.map((_, i) => source[order[i]]), place: place.map((_, i) => place[order[i]]) }
}

/** The static costs of a quota's probes; undefined where all are one. */
const costsOf = ({ view }: Evidence, size: number, operation: KeyRecord['operation']): Uint16Array | undefined => {
  const costs = view?.quota.cost ?? {}
  if (Object.values(costs).every((each) => each === 1)) return undefined
  return Uint16Array.from({ length: size }, (_, i) => costs[operation(i) ?? ''] ?? 1)
}

/** Collects what was sent with a key. Exchanges that never left are left out: they can't have been counted. */
export const keyRecord = (evidence: Evidence, key: string, clock: TargetClock): KeyRecord => {
  const sources: Sources = {
    exchanges: evidence.exchanges.filter(
      (x) => x.key === key && carriesKey(x.credential) && x.error?.phase !== 'connect',
    ),
    ledgers: evidence.ledgers.filter(({ head }) => head.key === key),
  }
  const { source, place } = sendingOrder(sources)
  const size = source.length
  const numbers = () => new Float64Array(size)
  const [sentMs, receivedMs, limit, remaining, reset, waitMs] = [
    numbers(),
    numbers(),
    numbers(),
    numbers(),
    numbers(),
    numbers(),
  ]
  const status = new Uint16Array(size)
  const ordinary = new Uint8Array(size)
  const waitIsDate = new Uint8Array(size)
  for (let i = 0; i < size; i += 1) {
    const row =
      source[i] === 0
        ? rowOfExchange(sources.exchanges[place[i]], clock, evidence.view)
        : rowOfLedger(sources.ledgers[source[i] - 1], place[i], clock)
    sentMs[i] = row.sentMs
    receivedMs[i] = row.receivedMs
    limit[i] = row.limit
    remaining[i] = row.remaining
    reset[i] = row.reset
    waitMs[i] = row.waitMs
    waitIsDate[i] = row.waitIsDate ? 1 : 0
    status[i] = row.status
    ordinary[i] = row.ordinary ? 1 : 0
  }
  const witness = (i: number): Witness =>
    source[i] === 0
      ? { id: sources.exchanges[place[i]].id }
      : { ledger: sources.ledgers[source[i] - 1].head.id, row: place[i] }
  const blocked = blockedRefusals(evidence.view?.blockedForMs ?? 0, { size, status, ordinary, sentMs, receivedMs })
  const excused = Uint8Array.from({ length: size }, (_, i) =>
    status[i] === 429 && evidence.view?.excused.has(witnessText(witness(i))) ? 1 : 0,
  )
  const operation = (i: number): string | null =>
    source[i] === 0
      ? sources.exchanges[place[i]].operation
      : (sources.ledgers[source[i] - 1].head.operation ?? ordinaryOperation)
  const cost = costsOf(evidence, size, operation)
  return {
    key,
    size,
    sentMs,
    receivedMs,
    status,
    ordinary,
    ...(cost && { cost }),
    excused,
    blocked,
    limit,
    remaining,
    reset,
    waitMs,
    waitIsDate,
    operation,
    witness,
  }
}

/**
 * Says of a span of time whether some row of a key may have been under way in it: sent by its end, and not answered before
 * its beginning. What was never answered is under way for ever. O(n) once, O(log n) for each span.
 */
export const underWay = (
  { size, sentMs, receivedMs }: KeyRecord,
  isMeant: (row: number) => boolean,
): ((fromMs: number, untilMs: number) => boolean) => {
  const rows = Array.from({ length: size }, (_, i) => i).filter(isMeant)
  let latest = Number.NEGATIVE_INFINITY
  const lastAnswerMs = rows.map((i) => {
    latest = Math.max(latest, Number.isNaN(receivedMs[i]) ? Number.POSITIVE_INFINITY : receivedMs[i])
    return latest
  })
  return (fromMs, untilMs) => {
    let [low, high] = [0, rows.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (sentMs[rows[middle]] <= untilMs) low = middle + 1
      else high = middle
    }
    return low > 0 && lastAnswerMs[low - 1] >= fromMs
  }
}
