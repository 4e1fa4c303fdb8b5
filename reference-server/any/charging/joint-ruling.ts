import { type Ruling, refuse, ruled, type Tally } from '../../metering/ruling.js'

/** One who is charged for a request, and what it costs there. */
export interface Charged {
  readonly tally: Tally
  readonly cost: number
}

/** Whether less is left of some quota than the request costs. */
export const isExceeded = ({ tally, cost }: Charged, nowMs: number): boolean =>
  tally.meters.some((meter) => meter.available(nowMs) < cost)

/**
 * Judges one request in all quotas that it counts against, in a single step: it spends its cost in each of them, or
 * nothing in any. Those that would have let it pass do not refuse, and their refusals in a row stay as they are.
 */
export const decideJointly = (charged: readonly Charged[], nowMs: number): Ruling => {
  const banned = charged.some(({ tally }) => nowMs < tally.bannedUntilMs)
  if (!banned && !charged.some((each) => isExceeded(each, nowMs))) {
    for (const { tally, cost } of charged) spend(tally, cost, nowMs)
    return joined(charged.map(({ tally }) => ruled(tally, nowMs, 'admitted')))
  }
  const rulings = charged.map((each) => {
    if (nowMs < each.tally.bannedUntilMs) return ruled(each.tally, nowMs, 'banned', each.cost)
    return !banned && isExceeded(each, nowMs)
      ? refuse(each.tally, nowMs, each.cost)
      : ruled(each.tally, nowMs, 'admitted', each.cost)
  })
  return joined(rulings)
}

/** Takes the cost, and ends the row of refusals. */
const spend = (tally: Tally, cost: number, nowMs: number): void => {
  for (const meter of tally.meters) for (let taken = 0; taken < cost; taken += 1) meter.take(nowMs)
  tally.refusedInARow = 0
}

/** Takes the cost, or less where less is left. */
export const spendWhatIsLeft = ({ tally, cost }: Charged, nowMs: number): void => {
  for (const meter of tally.meters)
    for (let taken = 0; taken < cost && meter.available(nowMs) > 0; taken += 1) meter.take(nowMs)
}

/** What several rulings on one request are together: the gravest outcome, and the longest wait. */
export const joined = (rulings: readonly Ruling[]): Ruling => ({
  outcome:
    (['banned', 'refused'] as const).find((outcome) => rulings.some((each) => each.outcome === outcome)) ?? 'admitted',
  windows: rulings.flatMap(({ windows }) => windows),
  retryAfterMs: Math.max(0, ...rulings.map(({ retryAfterMs }) => retryAfterMs)),
})
