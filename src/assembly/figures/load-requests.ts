import type { Evidence } from '../../evidence/evidence.js'
import { type Ledger, ledgerFlags } from '../../evidence/ledger.js'
import type { LoadRequest } from '../../report/formats/csv/load-request.js'

const flagWords: Readonly<Record<keyof typeof ledgerFlags, string>> = {
  retryAfterIsDate: 'retry-after-is-date',
  closedAfter: 'closed-after',
  timedOut: 'timed-out',
  lost: 'lost',
  failed: 'failed',
  duplicateHeader: 'duplicate-header',
  bodyCut: 'body-cut',
  refusedByRule: 'refused-by-rule',
  bannedByRule: 'banned-by-rule',
  unruled: 'unruled',
  resetFromNow: 'reset-from-now',
  untold: 'untold',
}

const readFields = { limit: 'limit', remaining: 'remaining', reset: 'reset', retryAfter: 'retry-after' } as const

const wordsOf = ({ rows }: Ledger, row: number): string[] => [
  ...Object.entries(flagWords).flatMap(([name, word]) =>
    (rows.flags[row] & ledgerFlags[name as keyof typeof ledgerFlags]) !== 0 ? [word] : [],
  ),
  ...Object.entries(readFields).flatMap(([name, word]) =>
    rows[name as keyof typeof readFields][row] === Number.POSITIVE_INFINITY ? [`${word}-unreadable`] : [],
  ),
]

const known = (value: number): number | null => (Number.isFinite(value) ? value : null)

/** A moment to the microsecond, which a Date does not hold; null where no calendar has it. */
const momentOf = (wallStartMs: number, sentUs: number): string | null => {
  const us = Math.round(wallStartMs * 1000 + sentUs)
  const whole = new Date(Math.floor(us / 1000))
  if (Number.isNaN(whole.getTime())) return null
  return whole.toISOString().replace('Z', `${String(us - whole.getTime() * 1000).padStart(3, '0')}Z`)
}

const requestOf = (ledger: Ledger, row: number, phase: string | null, wallStartMs: number): LoadRequest => {
  const { head, rows } = ledger
  const receivedMs = known(rows.receivedUs[row] / 1000)
  const sentMs = rows.sentUs[row] / 1000
  return {
    ledger: head.id,
    row,
    probe: head.probe,
    key: head.key,
    operation: head.operation ?? null,
    quota: head.quota ?? null,
    phase,
    sentAt: momentOf(wallStartMs, rows.sentUs[row]),
    plannedMs: known(rows.plannedUs[row] / 1000),
    sentMs,
    receivedMs,
    latencyMs: receivedMs === null ? null : receivedMs - sentMs,
    status: rows.status[row] === 0 ? null : rows.status[row],
    limit: known(rows.limit[row]),
    remaining: known(rows.remaining[row]),
    reset: known(rows.reset[row]),
    retryAfter: known(rows.retryAfter[row]),
    connection: rows.connection[row],
    flags: wordsOf(ledger, row),
  }
}

/** Every request of every load of a run, a row each, in the order in which the loads began; made one at a time. */
export function* loadRequests({ run, ledgers }: Pick<Evidence, 'run' | 'ledgers'>): Generator<LoadRequest> {
  for (const ledger of ledgers) {
    const { phases } = ledger.head
    let at = -1
    for (let row = 0; row < ledger.rows.length; row += 1) {
      while (at + 1 < phases.length && phases[at + 1].fromRow <= row) at += 1
      yield requestOf(ledger, row, phases[at]?.name ?? null, run.wallStartMs)
    }
  }
}
