import type { Exchange } from '../../evidence/exchange.js'
import type { JournalRecord } from '../../evidence/journal.js'
import { wallStartMs } from '../../evidence/testing/made-evidence.js'
import { type ExchangePart, madeExchange } from '../../evidence/testing/made-exchange.js'
import type { Clock } from '../../kit/clock.js'
import type { Ask, ExchangeSender } from '../../wire/http/exchange-sender.js'
import { createRunLog, type Progress, type RunLog } from '../playing/run-log.js'

/** A clock that moves only when somebody sleeps, or when a request takes its time. */
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
  /** The same for another record. */
  readonly openSender: (record: (x: Exchange) => void) => ExchangeSender
  readonly log: RunLog
  /** Every request that went out, in order. */
  readonly asked: readonly Ask[]
  readonly exchanges: readonly Exchange[]
  readonly written: readonly JournalRecord[]
  readonly seen: readonly Progress[]
}

/** A run without a target: `answer` says what each request gets. Each one takes 10 ms. */
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
  const log = createRunLog(journal, wallStartMs, (event) => seen.push(event))
  return { clock, sender: openSender(log.exchange), openSender, log, asked, exchanges, written, seen }
}
