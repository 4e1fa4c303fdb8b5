import type { QuotaWindow } from '../../contract/plans.js'
import type { MadeRow } from '../../evidence/testing/made-ledger.js'
import { type HistoryEvent, historyOf } from '../../oracle/testing/made-history.js'
import type { History } from '../../readings/history.js'
import type { Limiter } from '../limiters.js'

/** A request as a client saw it, with what it cost. */
export interface Played {
  readonly sentMs: number
  readonly isAdmitted: boolean
  readonly cost: number
}

const tookMs = 0.4

/** Sends requests to an honest limiter as a key does, one after the other, and records what it sees. */
export class Client {
  readonly played: Played[] = []
  private readonly limiter: Limiter

  /** `make` makes the same limiter each time. */
  constructor(private readonly make: () => Limiter) {
    this.limiter = make()
  }

  /** One request, not before the last one is answered; decided halfway between sending and answer. */
  ask(atMs: number, cost = 1): boolean {
    const last = this.played.at(-1)
    const sentMs = Math.max(atMs, last ? last.sentMs + tookMs : Number.NEGATIVE_INFINITY)
    const isAdmitted = this.limiter.decide(sentMs + tookMs / 2, cost)
    this.played.push({ sentMs, isAdmitted, cost })
    return isAdmitted
  }

  lastMs(): number {
    return this.played.at(-1)?.sentMs ?? 0
  }

  load(atMs: number, amount: number, cost = 1): void {
    for (let i = 0; i < amount; i += 1) this.ask(atMs, cost)
  }

  /** Polls around a window's end until it is served, 1.5 % of a window apart. */
  pollEnd(endMs: number, windowMs: number): void {
    for (let share = -0.06; share <= 0.06; share += 0.015) if (this.ask(endMs + share * windowMs)) return
  }

  /** When a wait in whole seconds of a minute is over. A twin of the limiter tells: what it refuses does not count. */
  retryAt(fromMs: number, windowMs: number): number {
    const twin = this.make()
    for (const { sentMs, cost } of this.played) twin.decide(sentMs + tookMs / 2, cost)
    let atMs = fromMs
    while (!twin.decide(atMs)) atMs += windowMs / 1_000
    return fromMs + (Math.ceil(((atMs - fromMs) * 60) / windowMs) * windowMs) / 60
  }
}

type Window = Pick<QuotaWindow, 'limit' | 'windowMs' | 'burst'>

/** The phases of a run, each starting from when the key was last used. */
const phases = {
  /** An opener, one and a half times the bucket, two single requests, and one after the wait that a refusal names. */
  burst(client: Client, atMs: number, { limit, windowMs, burst = limit }: Window) {
    client.ask(atMs)
    client.load(atMs + 0.001 * windowMs, Math.ceil(1.5 * burst) - 1)
    for (const share of [0.2, 0.4]) client.ask(atMs + share * windowMs)
    client.ask(client.retryAt(atMs + 0.41 * windowMs, windowMs))
  },
  /** Half, the whole, and the next window; without `polls` nobody polls at the ends of the two windows. */
  split(client: Client, atMs: number, { limit, windowMs, burst = limit }: Window, polls = true) {
    client.load(atMs + 0.4 * windowMs, Math.floor(burst / 2))
    client.load(atMs + 0.8 * windowMs, burst)
    if (polls) client.pollEnd(atMs + windowMs, windowMs)
    client.ask(atMs + 1.5 * windowMs)
    client.load(atMs + 1.75 * windowMs, Math.ceil(1.15 * burst))
    if (!polls) return
    // Between the polls of the first.
    client.pollEnd(atMs + 1.9925 * windowMs, windowMs)
    const endedMs = client.lastMs()
    client.load(endedMs, Math.ceil(1.15 * burst))
    client.pollEnd(endedMs + windowMs, windowMs)
  },
  /** Slightly more than the bucket, after two idle windows. */
  again(client: Client, atMs: number, { limit, windowMs, burst = limit }: Window) {
    client.ask(atMs + 2.1 * windowMs)
    client.load(atMs + 2.101 * windowMs, Math.ceil(1.05 * burst))
  },
}

/** What a run's phases see of an honest limiter on one key; `make` makes the same limiter each time. */
export const playedRun = (
  make: () => Limiter,
  window: Window,
  { polls = true, startMs = 1_000 }: { readonly polls?: boolean; readonly startMs?: number } = {},
): Played[] => {
  const client = new Client(make)
  const lastMs = () => client.played.at(-1)?.sentMs ?? startMs
  phases.burst(client, startMs, window)
  phases.split(client, lastMs(), window, polls)
  phases.again(client, lastMs(), window)
  return client.played
}

/** As the rows of a ledger. */
export const rowsOf = (played: readonly Played[]): MadeRow[] =>
  played.map(({ sentMs, isAdmitted }) => ({
    sentMs,
    tookMs,
    status: isAdmitted ? 200 : 429,
    retryAfter: isAdmitted ? undefined : 55,
  }))

/** As the history that the oracle judges; the key had not been used before. */
export const playedHistory = (played: readonly Played[]): History =>
  historyOf(
    played.map(
      ({ sentMs, isAdmitted }): HistoryEvent => ({
        sentMs,
        receivedMs: sentMs + tookMs,
        outcome: isAdmitted ? 'admitted' : 'refused',
      }),
    ),
  )
