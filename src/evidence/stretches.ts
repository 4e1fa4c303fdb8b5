import { onceFor } from '../kit/once-for.js'
import type { Evidence } from './evidence.js'
import type { Exchange } from './exchange.js'
import type { RunEvent } from './journal.js'
import { type Ledger, ledgerFlags, makeColumns } from './ledger.js'

/** An event with the moment from which the target was its own again. Times are milliseconds since the run's start. */
export interface SettledEvent extends RunEvent {
  /** When the first request left that was answered after the command had ended; Infinity where none was. */
  readonly overAt: number
}

/** Whether a target gave an answer of its own: a gateway's, or that of a server that is starting, is a 5xx. */
const isGood = (status: number): boolean => status > 0 && status < 500

const settled = ({ exchanges, ledgers }: Evidence, event: RunEvent): SettledEvent => {
  let overAt = Number.POSITIVE_INFINITY
  for (const { sentAt, response } of exchanges)
    if (sentAt >= event.endedAt && isGood(response?.status ?? 0)) overAt = Math.min(overAt, sentAt)
  for (const { rows } of ledgers) {
    const row = rows.sentUs.findIndex((us, i) => us / 1000 >= event.endedAt && isGood(rows.status[i]))
    if (row >= 0) overAt = Math.min(overAt, rows.sentUs[row] / 1000)
  }
  return { ...event, overAt }
}

/** The events of a run, each with its end. */
export const settledEvents = onceFor((evidence: Evidence): readonly SettledEvent[] =>
  evidence.events.map((event) => settled(evidence, event)),
)

/**
 * A part of a run, between two events or its ends. What left while the event before it went on, and what was not answered
 * when the next one began, may have been counted or not: of these nothing is known but that they were sent.
 */
interface Part {
  readonly after?: Pick<SettledEvent, 'at' | 'overAt'>
  readonly before?: Pick<SettledEvent, 'at'>
}

const isSentIn = ({ after, before }: Part, sentAt: number): boolean =>
  (after === undefined || sentAt >= after.at) && (before === undefined || sentAt < before.at)

const isKnownIn = ({ after, before }: Part, sentAt: number, receivedAt: number): boolean =>
  (after === undefined || sentAt >= after.overAt) && (before === undefined || receivedAt <= before.at)

const untold = { phase: 'head', code: 'INTERRUPTED', message: 'an event was under way' } as const

const exchangeIn = (part: Part, x: Exchange): Exchange =>
  isKnownIn(part, x.sentAt, x.endedAt) ? x : { ...x, receivedAt: null, response: null, error: untold }

const ledgerIn = (part: Part, ledger: Ledger): Ledger[] => {
  const { head, rows } = ledger
  const firstRow = rows.sentUs.findIndex((us) => isSentIn(part, us / 1000))
  if (firstRow < 0) return []
  const length = rows.sentUs.findLastIndex((us) => isSentIn(part, us / 1000)) + 1 - firstRow
  const columns = makeColumns((name) => rows[name].slice(firstRow, firstRow + length))
  let unknown = 0
  for (let row = 0; row < length; row += 1) {
    // What was never answered beside an event is its doing, too.
    if (isKnownIn(part, columns.sentUs[row] / 1000, columns.receivedUs[row] / 1000)) continue
    unknown += 1
    for (const name of ['receivedUs', 'limit', 'remaining', 'reset', 'retryAfter'] as const)
      columns[name][row] = Number.NaN
    columns.status[row] = 0
    columns.flags[row] = ledgerFlags.lost
  }
  const samples = head.samples.flatMap(({ row, ...sample }) =>
    columns.status[row - firstRow] > 0 ? [{ ...sample, row: row - firstRow }] : [],
  )
  const lost = columns.status.reduce((sum, status) => sum + (status === 0 ? 1 : 0), 0) - unknown
  const counts = {
    planned: length,
    sent: length - unknown,
    answered: length - unknown - lost,
    errors: 0,
    timeouts: 0,
    lost,
  }
  return [{ head: { ...head, samples, counts }, rows: { ...columns, length }, firstRow }]
}

const cut = (evidence: Evidence, part: Part): Evidence => ({
  ...evidence,
  exchanges: evidence.exchanges.filter(({ sentAt }) => isSentIn(part, sentAt)).map((x) => exchangeIn(part, x)),
  ledgers: evidence.ledgers.flatMap((ledger) => ledgerIn(part, ledger)),
  events: [],
})

/**
 * The stretches of a run before, between and after its events, each as the evidence of a run of its own; the run itself
 * where nothing happened. What a key was used for in an earlier one is as unknown as its use before the run.
 */
export const stretchesOf = onceFor((evidence: Evidence): readonly Evidence[] => {
  const events = settledEvents(evidence)
  if (events.length === 0) return [evidence]
  return [undefined, ...events].map((after, i) => cut(evidence, { after, before: events[i] }))
})

/**
 * The run about an event, from the end of the one before it to the beginning of the next, as if it had not happened; of what
 * came after it only as long a time as it may have a say in.
 */
export const aroundEvent = (evidence: Evidence, event: SettledEvent, forMs: number): Evidence => {
  const events = settledEvents(evidence)
  const place = events.findIndex((each) => each.at === event.at)
  const at = Math.min(event.overAt + forMs, events[place + 1]?.at ?? Number.POSITIVE_INFINITY)
  return cut(evidence, { after: events[place - 1], before: { at } })
}

/** For how long a target did not answer. */
interface Outage {
  /** Requests that came to nothing, or to a 5xx. */
  readonly failed: number
  /** From the first of them, or from when the first that it held up was due, to the first good answer after them. */
  readonly lastedMs: number
}

/**
 * A request that left so much later than it was due was held up: no connection was to be had. A busy machine that sends is
 * late by some tens of milliseconds whatever the target does.
 */
const heldUpMs = 100

/** What was sent and not answered by then, of all loads; times in milliseconds. */
function* rowsSince(ledgers: Evidence['ledgers'], at: number) {
  for (const { rows } of ledgers) {
    for (let row = 0; row < rows.length; row += 1) {
      const receivedMs = rows.receivedUs[row] / 1000
      if (receivedMs < at) continue
      const [sentMs, dueMs] = [rows.sentUs[row] / 1000, rows.plannedUs[row] / 1000]
      yield { sentMs, receivedMs, dueMs, isGood: isGood(rows.status[row]) }
    }
  }
}

/** What an event kept from being answered; null where all was answered as before, or nobody asked. */
export const outageOf = ({ ledgers }: Evidence, { at, overAt }: SettledEvent): Outage | null => {
  let failed = 0
  let fromMs = Number.POSITIVE_INFINITY
  let lastMs = Number.NEGATIVE_INFINITY
  for (const row of rowsSince(ledgers, at)) {
    const { sentMs, dueMs } = row
    const isFailed = sentMs < overAt && !row.isGood
    const isHeldUp = dueMs >= at && dueMs < overAt && sentMs - dueMs > heldUpMs
    if (isFailed) failed += 1
    if (!isFailed && !isHeldUp) continue
    fromMs = Math.min(fromMs, isFailed ? Math.max(at, sentMs) : dueMs)
    lastMs = Math.max(lastMs, sentMs)
  }
  let untilMs = Number.POSITIVE_INFINITY
  // What was held up ends it with its own answer.
  for (const row of rowsSince(ledgers, at))
    if (row.isGood && row.sentMs >= lastMs) untilMs = Math.min(untilMs, row.receivedMs)
  return fromMs < untilMs && untilMs < Number.POSITIVE_INFINITY ? { failed, lastedMs: untilMs - fromMs } : null
}
