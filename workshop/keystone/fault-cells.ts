import type { ClauseId } from '../../src/contract/clauses.js'

/** A limiter fault of the catalogue, the clause that shows it, and the mildest certificate defect that covers it. */
interface FaultCell {
  readonly fault: string
  readonly clause: ClauseId
  readonly cell: string
}

const cells: Readonly<Partial<Record<ClauseId, Readonly<Record<string, string>>>>> = {
  'QUOTA-1': {
    'limit-plus-one': 'limit+1',
    'limit-only-shown': 'no-limit',
    'check-then-increment': 'race-1ms',
    'race-at-the-last-slot': 'race-1ms',
    'nodes-count-alone': 'nodes-4',
    'window-too-short': 'window-half',
    'window-ends-early': 'window-5%',
    'first-request-free': 'first-free',
    'counts-lost': 'lost-1-in-10',
    'slow-store-admits': 'fail-open-1-in-10',
    'window-opener-not-counted': 'first-free',
  },
  'QUOTA-2': {
    'limit-minus-one': 'limit-1',
    'window-too-long': 'window+10%',
    'requests-count-twice': 'limit-1',
    'refused-requests-count': 'refusals-count',
    'refused-requests-renew-the-window': 'refusals-push',
    'every-request-renews-the-window': 'requests-push',
    'later-windows-one-less': 'later-one-less',
    'refused-once-idle': 'idle-2w',
    'plan-ignored': 'limit-of-free',
  },
  'QUOTA-4': { 'plans-share-a-bucket': 'shares-with-pro' },
  'QUOTA-5': { 'enterprise-limit-plus-one': 'limit+1', 'enterprise-limit-halved': 'limit-1' },
  'QUOTA-6': { 'operation-opens-bucket': 'routes-apart' },
  'THROTTLE-4': {
    'retry-after-short': 'wait-1s',
    'retry-after-cut-off': 'wait-1s',
    'retry-after-rounded': 'wait-0.3s',
    'retry-after-date-cut-off': 'wait-1s',
    'retry-after-zero': 'wait-half',
  },
  'RATE-4': {
    'remaining-frozen': 'remaining-frozen',
    'remaining-before-counting': 'remaining+1',
    'remaining-too-low': 'remaining-1',
    'remaining-lags': 'remaining-frozen',
  },
  'RATE-6': { 'reset-too-early': 'reset-half' },
}

/** The limiter faults that a defect of the certificate stands for. */
export const faultCells: readonly FaultCell[] = Object.entries(cells).flatMap(([clause, ofClause]) =>
  Object.entries(ofClause).map(([fault, cell]) => ({ fault, clause: clause as ClauseId, cell })),
)
