import { isLate, joinRows, type Ledger } from '../../evidence/ledger.js'
import type { LoadOrder, LoadPart } from '../../wire/load/load-order.js'

/** The record of what one machine sent of a load: how it kept its plan, and for how long its process stood still. */
export const ledgerOf = (order: LoadOrder, { result, stoodStillMs, origin }: LoadPart): Ledger => {
  const { planned, sent, answered, errors, timeouts, lost, samples, scheduleErrorMs, problem, rows } = result
  const { id, probe, key, request, quota, isSpread } = order
  return {
    head: {
      id: origin && isSpread ? `${id}-${origin.agent}` : id,
      probe,
      key,
      ...(quota === null ? {} : { operation: request ?? undefined, quota }),
      ...(origin && { origin }),
      phases: [{ name: 'load', fromRow: 0, startUs: rows.length > 0 ? rows.sentUs[0] : 0 }],
      samples: [...samples],
      counts: { planned, sent, answered, errors, timeouts, lost },
      scheduleErrorMs,
      stoodStillMs,
      problem,
    },
    rows,
  }
}

/** The parts of a load as one, for the probe that asked for it. */
export const joinedLedger = (parts: readonly Ledger[]): Ledger => {
  const [first, ...others] = parts
  if (others.length === 0) return first
  const counts = { ...first.head.counts }
  for (const { head } of others) {
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) counts[name] += head.counts[name]
  }
  return { head: { ...first.head, counts, samples: [] }, rows: joinRows(parts.map(({ rows }) => rows)) }
}

/** What is to be said of a load that was not sent as planned; null where it was. */
export const latenessOf = ({ head }: Ledger): string | null =>
  isLate(head)
    ? `${head.id} was not sent as planned (p99 ${head.scheduleErrorMs?.p99.toFixed(0)} ms late): its schedule proves nothing`
    : null
