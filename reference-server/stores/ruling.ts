import type { PlanName, QuotaWindow } from '../../src/contract/plans.js'
import type { Meter } from '../limiters/limiter.js'

/** A window in which the requests of a subject are counted. */
export interface NamedWindow extends QuotaWindow {
  /** `minute` or `day`; for a contract file, the quota's id. */
  readonly name: string
}

export const mostLeft = ({ limit, burst }: NamedWindow): number => burst ?? limit

/** A sender of requests: a key, or an address without a valid one. */
export interface Subject {
  readonly id: string
  /** Undefined without a valid key. */
  readonly plan?: PlanName
  readonly windows: readonly NamedWindow[]
  /** When refusals in a row cause a ban; undefined for subjects that are never banned. */
  readonly ban?: BanRule
}

/** A ban after more than `threshold` refusals in a row, the last at most `withinMs` after the first. */
export interface BanRule {
  readonly threshold: number
  readonly withinMs: number
  readonly lengthMs: number
}

/** The state of a window after a request was judged. Times in milliseconds since the epoch. */
export interface WindowState {
  readonly window: NamedWindow
  readonly remaining: number
  readonly resetMs: number
  /** Whether this window is why the request was refused. */
  readonly refused: boolean
}

export interface Ruling {
  /** `unavailable`: it could not be counted, and such requests are not served. */
  readonly outcome: 'admitted' | 'refused' | 'banned' | 'unavailable'
  readonly windows: readonly WindowState[]
  /** The wait until a request is admitted; 0 if this one was. */
  readonly retryAfterMs: number
  /** When it was decided, if the store has its own clock. */
  readonly decidedAtMs?: number
  /** Whether it could not be counted, and the windows are made up. */
  readonly uncounted?: boolean
}

export interface Tally {
  readonly subject: Subject
  /** One for each window of the subject, in the same order. */
  readonly meters: readonly Meter[]
  refusedInARow: number
  refusedSinceMs: number
  bannedUntilMs: number
  askedAtMs: number
}

export const freshTally = (subject: Subject, meters: readonly Meter[], nowMs: number): Tally => ({
  subject,
  meters,
  refusedInARow: 0,
  refusedSinceMs: nowMs,
  bannedUntilMs: Number.NEGATIVE_INFINITY,
  askedAtMs: nowMs,
})

/** A subject that is charged for a request, and the cost. */
export interface Charge {
  readonly subject: Subject
  readonly cost: number
}

export interface Charged {
  readonly tally: Tally
  readonly cost: number
}

/** Counts the refusal of a request of this cost, which starts the ban if it is one too many. The windows do not change. */
export const refuse = (tally: Tally, nowMs: number, cost = 1): Ruling => {
  const { ban } = tally.subject
  if (ban) {
    if (tally.refusedInARow === 0 || nowMs - tally.refusedSinceMs > ban.withinMs) {
      tally.refusedInARow = 0
      tally.refusedSinceMs = nowMs
    }
    tally.refusedInARow += 1
    if (tally.refusedInARow > ban.threshold) {
      tally.refusedInARow = 0
      tally.bannedUntilMs = nowMs + ban.lengthMs
      return ruled(tally, nowMs, 'banned', cost)
    }
  }
  return ruled(tally, nowMs, 'refused', cost)
}

/** A ruling with the state of the windows. The wait is the longest of any refusing window or the ban. */
export const ruled = (tally: Tally, nowMs: number, outcome: Ruling['outcome'], cost = 1): Ruling => {
  const banLeftMs = outcome === 'banned' ? tally.bannedUntilMs - nowMs : 0
  const windows: WindowState[] = []
  let retryAfterMs = banLeftMs
  for (let index = 0; index < tally.meters.length; index += 1) {
    const meter = tally.meters[index]
    const available = meter.available(nowMs)
    const refused = outcome !== 'admitted' && available < cost
    if (refused) retryAfterMs = Math.max(retryAfterMs, meter.admitsAtMs(nowMs, cost) - nowMs)
    windows.push({
      window: tally.subject.windows[index],
      remaining: outcome === 'banned' ? 0 : available,
      resetMs: Math.max(meter.resetMs(nowMs), nowMs + banLeftMs),
      refused: refused || outcome === 'banned',
    })
  }
  return { outcome, windows, retryAfterMs }
}

/** The window that headers show: the one nearest to exhaustion or, of several that refused, the one with the latest Reset. */
export const nearestToExhaustion = ({ windows, outcome }: Ruling): WindowState => {
  let shown = windows[0]
  for (const state of windows) if (nearer(state, shown, outcome)) shown = state
  return shown
}

const nearer = (one: WindowState, other: WindowState, outcome: Ruling['outcome']): boolean => {
  if (outcome === 'admitted') return one.remaining / mostLeft(one.window) < other.remaining / mostLeft(other.window)
  if (one.refused !== other.refused) return one.refused
  return one.resetMs > other.resetMs
}

/** Whether less is left of some quota than the request costs. */
export const isExceeded = ({ tally, cost }: Charged, nowMs: number): boolean => {
  for (const meter of tally.meters) if (meter.available(nowMs) < cost) return true
  return false
}

/**
 * Judges one request in all windows of all its quotas, in a single step: it spends its cost in each of them, or nothing in
 * any. A refused request counts nowhere and prolongs nothing; too many in a row start the ban. Quotas that would have
 * admitted it do not refuse, and their refusals in a row do not change.
 */
export const decide = (charged: readonly Charged[], nowMs: number): Ruling => {
  // Most requests count against one quota: this is the hot path.
  if (charged.length === 1) return decideAlone(charged[0], nowMs)
  const banned = charged.some(({ tally }) => nowMs < tally.bannedUntilMs)
  if (!banned && !charged.some((each) => isExceeded(each, nowMs))) {
    for (const each of charged) spend(each, nowMs)
    return joined(charged.map(({ tally }) => ruled(tally, nowMs, 'admitted')))
  }
  const rulings = charged.map((each) =>
    nowMs < each.tally.bannedUntilMs || (!banned && isExceeded(each, nowMs))
      ? decideAlone(each, nowMs)
      : ruled(each.tally, nowMs, 'admitted', each.cost),
  )
  return joined(rulings)
}

const decideAlone = (charged: Charged, nowMs: number): Ruling => {
  const { tally, cost } = charged
  if (nowMs < tally.bannedUntilMs) return ruled(tally, nowMs, 'banned', cost)
  if (isExceeded(charged, nowMs)) return refuse(tally, nowMs, cost)
  spend(charged, nowMs)
  return ruled(tally, nowMs, 'admitted')
}

const spend = ({ tally, cost }: Charged, nowMs: number): void => {
  for (const meter of tally.meters) for (let taken = 0; taken < cost; taken += 1) meter.take(nowMs)
  tally.refusedInARow = 0
}

/** Takes the cost, or what is left if that is less. */
export const spendWhatIsLeft = ({ tally, cost }: Charged, nowMs: number): void => {
  for (const meter of tally.meters)
    for (let taken = 0; taken < cost && meter.available(nowMs) > 0; taken += 1) meter.take(nowMs)
}

/** Joins several rulings on one request: the gravest outcome and the longest wait. */
export const joined = (rulings: readonly Ruling[]): Ruling => ({
  outcome:
    (['banned', 'refused'] as const).find((outcome) => rulings.some((each) => each.outcome === outcome)) ?? 'admitted',
  windows: rulings.flatMap(({ windows }) => windows),
  retryAfterMs: Math.max(0, ...rulings.map(({ retryAfterMs }) => retryAfterMs)),
})

/** A store's answer: the state of the charged subjects after a request was judged or given back. */
export const judged = <Answer>(
  act: 'take' | 'peek' | 'refund',
  charged: readonly Charged[],
  nowMs: number,
  step: (charged: readonly Charged[], nowMs: number) => Answer,
): Answer | Ruling => {
  if (act === 'take') return step(charged, nowMs)
  if (act === 'refund') for (const { tally } of charged) for (const meter of tally.meters) meter.refund(nowMs)
  return joined(charged.map(({ tally }) => ruled(tally, nowMs, 'admitted')))
}

/** The seconds to wait: whole ones, rounded up, at least 1 (RFC 9110 §10.2.3). */
export const retryAfterSeconds = ({ retryAfterMs }: Ruling): number => Math.max(1, Math.ceil(retryAfterMs / 1000))
