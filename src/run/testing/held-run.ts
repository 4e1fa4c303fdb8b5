import type { Exchange } from '../../evidence/exchange.js'
import type { JournalRecord } from '../../evidence/journal.js'
import { wallStartMs } from '../../evidence/testing/made-evidence.js'
import { type ExchangePart, madeExchange } from '../../evidence/testing/made-exchange.js'
import type { Clock } from '../../kit/clock.js'
import { petstoreSubject } from '../../petstore/subject.js'
import type { KeyFacts } from '../../probes/probe.js'
import type { Ask, ExchangeSender } from '../../wire/http/exchange-sender.js'
import type { Budget } from '../plan/budget.js'
import { createKeySession, type KeySession } from '../playing/key-session.js'
import type { Progress } from '../playing/progress.js'
import { createRunLog, type RunLog } from '../playing/run-log.js'
import { createUsageBook, type UsageBook } from '../playing/usage-book.js'

/** A clock that moves only when somebody sleeps or a request takes time. */
export const heldClock = (): Clock & { pass(ms: number): void } => {
  let now = 0
  return {
    monotonicMs: () => now,
    wallMs: () => wallStartMs + now,
    async sleep(ms, signal) {
      signal?.throwIfAborted()
      now += Math.max(0, ms)
    },
    pass(ms) {
      now += ms
    },
  }
}

export interface HeldRun {
  readonly clock: ReturnType<typeof heldClock>
  readonly sender: ExchangeSender
  /** Opens another sender with its own record. */
  readonly openSender: (record: (x: Exchange) => void) => ExchangeSender
  readonly log: RunLog
  /** Every request that went out, in order. */
  readonly asked: readonly Ask[]
  readonly exchanges: readonly Exchange[]
  readonly written: readonly JournalRecord[]
  readonly seen: readonly Progress[]
}

/** A run without a target: `answer` makes the response to each request. Each takes 10 ms. */
export const heldRun = (answer: (ask: Ask, nth: number) => ExchangePart): HeldRun => {
  const clock = heldClock()
  const asked: Ask[] = []
  const exchanges: Exchange[] = []
  const written: JournalRecord[] = []
  const seen: Progress[] = []
  const journal = { write: (each: JournalRecord) => written.push(each), keep: () => {}, close: () => {} }
  const openSender = (record: (x: Exchange) => void): ExchangeSender => ({
    async send(ask) {
      asked.push(ask)
      const { probe, step, intent, method, path, asksAgain } = ask
      const part = answer(ask, asked.length)
      const x = madeExchange({
        id: `x${asked.length}`,
        probe,
        step,
        intent,
        method,
        path,
        asksAgain,
        operation: ask.operation as ExchangePart['operation'],
        credential: ask.credential.form,
        sentAt: clock.monotonicMs(),
        tookMs: 10,
        ...part,
      })
      clock.pass(part.tookMs ?? 10)
      exchanges.push(x)
      record(x)
      return x
    },
    close: async () => {},
  })
  const log = createRunLog(journal, { wallStartMs, keys: [] }, (event) => seen.push(event))
  return { clock, sender: openSender(log.exchange), openSender, log, asked, exchanges, written, seen }
}

/** A session on a Petstore key in such a run, whose minute lasts a second. */
export const heldSession = (
  { sender, clock, log }: Pick<HeldRun, 'sender' | 'clock' | 'log'>,
  key: KeyFacts,
  budget: Budget,
  { signal = new AbortController().signal, startedAt = 0 }: { signal?: AbortSignal; startedAt?: number } = {},
): { readonly session: KeySession; readonly book: UsageBook } => {
  const section = { ...petstoreSubject([key]), windowMs: 1_000 }
  const head = { wallStartMs, timeScale: 60 }
  const book = createUsageBook([section.quota], head.timeScale)
  const session = createKeySession({ key, section, head, book, sender, clock, startedAt, log, budget, signal })
  return { session, book }
}
