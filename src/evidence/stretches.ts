import { onceFor } from '../kit/once-for.js'
import type { Evidence } from './evidence.js'
import type { Exchange } from './exchange.js'
import type { RunEvent } from './journal.js'
import { type Ledger, ledgerFlags, makeColumns } from './ledger.js'

/** An event with the moment from which the target was back to normal. Times are milliseconds since the run's start. */
export interface SettledEvent extends RunEvent {
  /** When the first request answered properly after the command's end was sent; Infinity if none was. */
  readonly overAt: number
}

/** Whether a target gave an answer of its own: a gateway, or a server that is starting, sends a 5xx. */
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

export const settledEvents = onceFor((evidence: Evidence): readonly SettledEvent[] =>
  evidence.events.map((event) => settled(evidence, event)),
)

/**
 * A part of a run, between two events or its ends. Requests sent while the event before went on, or not answered when the
 * next one began, may or may not have been counted: only their sending is known.
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
    // Requests never answered next to an event are its doing too.
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
 * The stretches of a run before, between and after its events, each as the evidence of its own run; the run itself if there
 * were no events. Use of a key in an earlier stretch is as unknown as its use before the run.
 */
export const stretchesOf = onceFor((evidence: Evidence): readonly Evidence[] => {
  const events = settledEvents(evidence)
  if (events.length === 0) return [evidence]
  return [undefined, ...events].map((after, i) => cut(evidence, { after, before: events[i] }))
})

/**
 * The run around an event, from the end of the event before it to the beginning of the next, as if it had not happened; after
 * it, only as long as it may have an effect.
 */
export const aroundEvent = (evidence: Evidence, event: SettledEvent, forMs: number): Evidence => {
  const events = settledEvents(evidence)
  const place = events.findIndex((each) => each.at === event.at)
  const at = Math.min(event.overAt + forMs, events[place + 1]?.at ?? Number.POSITIVE_INFINITY)
  return cut(evidence, { after: events[place - 1], before: { at } })
}

/** A request sent this late had no connection. A busy sender is late by some tens of milliseconds at any target. */
const heldUpMs = 100

/** All rows of loads not answered by a moment; times in milliseconds. */
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

/**
 * How long an event kept the target from answering: from the first failed request, or when the first delayed one was due, to
 * the first good answer after them. Null if everything was answered as before, or nothing was sent.
 */
export const outageMsOf = ({ ledgers }: Evidence, { at, overAt }: SettledEvent): number | null => {
  let fromMs = Number.POSITIVE_INFINITY
  let lastMs = Number.NEGATIVE_INFINITY
  for (const row of rowsSince(ledgers, at)) {
    const { sentMs, dueMs } = row
    const isFailed = sentMs < overAt && !row.isGood
    const isHeldUp = dueMs >= at && dueMs < overAt && sentMs - dueMs > heldUpMs
    if (!isFailed && !isHeldUp) continue
    fromMs = Math.min(fromMs, isFailed ? Math.max(at, sentMs) : dueMs)
    lastMs = Math.max(lastMs, sentMs)
  }
  let untilMs = Number.POSITIVE_INFINITY
  // A delayed request ends the outage with its own answer.
  for (const row of rowsSince(ledgers, at))
    if (row.isGood && row.sentMs >= lastMs) untilMs = Math.min(untilMs, row.receivedMs)
  return fromMs < untilMs && untilMs < Number.POSITIVE_INFINITY ? untilMs - fromMs : null
}
