import { carriesKey } from '../evidence/credential-forms.js'
import type { Evidence, QuotaView } from '../evidence/evidence.js'
import type { Exchange } from '../evidence/exchange.js'
import { countBelow } from '../kit/numbers.js'
import { type Witness, witnessText } from '../kit/witness.js'
import { blockedRefusals } from './blocks.js'
import { viewOf } from './quota-views.js'
import { type Readings, readingsOf, waitForms } from './readings.js'
import type { TargetClock } from './target-clock.js'

/** This probe hammers a key until it is banned: its answers may come from the ban, and say nothing about the quota. */
const provokingProbe = 'ban'

/** What loads under the bundled contract request; their heads do not say. */
const unsaidOperation = 'listInventory'

/** Whether this is the request that loads send too, spelt as documented; other spellings are judged elsewhere. */
const isOrdinary = (x: Exchange, view: QuotaView): boolean =>
  x.probe !== provokingProbe && x.credential === 'bearer' && !x.intent.spelling && view.isOrdinary(x)

/** The rows of a key in order of sending, without exchanges that never left: they cannot have been counted. */
const rowsOfKey = ({ size, sentMs, exchange, load }: Readings, key: string): Uint32Array => {
  const rows = new Uint32Array(size)
  let found = 0
  let isInOrder = true
  for (let row = 0; row < size; row += 1) {
    const x = exchange(row)
    const isOfKey = x
      ? x.key === key && carriesKey(x.credential) && x.error?.phase !== 'connect'
      : load(row)?.key === key
    if (!isOfKey) continue
    isInOrder &&= found === 0 || sentMs[rows[found - 1]] <= sentMs[row]
    rows[found] = row
    found += 1
  }
  const ofKey = rows.slice(0, found)
  return isInOrder ? ofKey : ofKey.sort((a, b) => sentMs[a] - sentMs[b])
}

const finite = (value: number): number => (Number.isFinite(value) ? value : Number.NaN)

/** The fixed cost of each request in a quota; undefined if all cost 1. */
const costsOf = (
  { quota }: QuotaView,
  size: number,
  operation: (i: number) => string | null,
): Uint16Array | undefined => {
  const costs = quota.cost
  if (Object.values(costs).every((each) => each === 1)) return undefined
  return Uint16Array.from({ length: size }, (_, i) => costs[operation(i) ?? ''] ?? 1)
}

/**
 * Collects everything that was sent with a key.
 *
 * @param refusedElsewhere refusals that another quota of the contract may have made, as the texts of their witnesses.
 */
export const keyRecord = (
  evidence: Evidence,
  key: string,
  clock: TargetClock,
  refusedElsewhere: ReadonlySet<string> = new Set(),
) => {
  const table = readingsOf(evidence)
  const view = viewOf(evidence)
  const rows = rowsOfKey(table, key)
  const size = rows.length
  const numbers = (column: Float64Array): Float64Array => {
    const cells = new Float64Array(size)
    for (let i = 0; i < size; i += 1) cells[i] = finite(column[rows[i]])
    return cells
  }
  const [sentMs, receivedMs] = [numbers(table.sentMs), numbers(table.receivedMs)]
  const status = new Uint16Array(size)
  const waitIsDate = new Uint8Array(size)
  const ordinary = new Uint8Array(size)
  for (let i = 0; i < size; i += 1) {
    const row = rows[i]
    const x = table.exchange(row)
    status[i] = table.status[row]
    if (table.waitForm[row] === waitForms.date) waitIsDate[i] = 1
    if (x ? isOrdinary(x, view) : table.load(row)?.probe !== provokingProbe) ordinary[i] = 1
  }
  // A date is taken as the latest moment that it can mean on our clock.
  const waitMs = numbers(table.wait).map((seconds, i) =>
    waitIsDate[i] === 1 ? seconds * 1000 - clock.from - receivedMs[i] : seconds * 1000,
  )
  const witness = (i: number): Witness => table.witness(rows[i])
  const operation = (i: number): string | null => {
    const x = table.exchange(rows[i])
    return x ? x.operation : (table.load(rows[i])?.operation ?? unsaidOperation)
  }
  const blocked = blockedRefusals(view, { size, status, ordinary, sentMs, receivedMs })
  const excused = new Uint8Array(size)
  for (let i = 0; i < size && refusedElsewhere.size > 0; i += 1)
    if (status[i] === 429 && refusedElsewhere.has(witnessText(witness(i)))) excused[i] = 1
  const cost = costsOf(view, size, operation)
  return {
    key,
    size,
    sentMs,
    receivedMs,
    /** 0 if no answer came. */
    status,
    /** 1 for the request that loads send too, `GET /inventory` with a bearer key, outside the ban probe; else 0. */
    ordinary,
    ...(cost && { cost }),
    /** 1 for a refusal that another quota of the contract may have made. */
    excused,
    /** 1 for a refusal while an earlier one blocks the key: no quota made it, and it spends nothing. */
    blocked,
    limit: numbers(table.limit),
    remaining: numbers(table.remaining),
    reset: numbers(table.reset),
    /** The wait that Retry-After names, counted from the receipt of the answer; NaN if it names none. */
    waitMs,
    /** 1 if Retry-After is a date, not whole seconds from the answer on. */
    waitIsDate,
    /** The requested operation, or the contract's request; null if it is neither. */
    operation,
    /** Where it was sent from; undefined for the machine that played the run. */
    origin: (i: number) => table.load(rows[i])?.origin,
    /** The exchange, or the ledger row, behind the row. */
    witness,
  }
}

/**
 * Everything that was sent with one key, in order of sending, as columns: single exchanges and ledger rows alike. Times are
 * milliseconds since the run's start; NaN means none: no answer, no such header.
 */
export type KeyRecord = ReturnType<typeof keyRecord>

/** For each index, when everything sent before it had been answered; Infinity if something never was. */
export const answeredBefore = ({ receivedMs }: KeyRecord): number[] => {
  let until = Number.NEGATIVE_INFINITY
  return Array.from(receivedMs, (heardAt) => {
    const before = until
    until = Math.max(until, Number.isNaN(heardAt) ? Number.POSITIVE_INFINITY : heardAt)
    return before
  })
}

/** The first row that is meant among those sent after a row's answer; undefined if none is. */
export const firstAfter = (
  { size, sentMs, receivedMs }: KeyRecord,
  isMeant: (row: number) => boolean,
): ((answer: number) => number | undefined) => {
  const next = new Int32Array(size + 1).fill(-1)
  for (let i = size - 1; i >= 0; i -= 1) next[i] = isMeant(i) ? i : next[i + 1]
  return (answer) => {
    const found = next[countBelow(sentMs, receivedMs[answer])]
    return found < 0 ? undefined : found
  }
}

/**
 * The first ordinary request that was sent after an answer and admitted; undefined if none was. Quota was available by then,
 * so any refusal's promise for that moment or later was kept.
 */
export const admissionAfter = (record: KeyRecord) =>
  firstAfter(record, (i) => record.status[i] === 200 && record.ordinary[i] === 1)
