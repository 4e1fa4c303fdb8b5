import type { Clock } from '../../kit/clock.js'
import { defaultExchangeLimits, type ExchangeLimits } from '../../wire/http/exchange-limits.js'
import type { ExchangeSender } from '../../wire/http/exchange-sender.js'
import type { LoadEar } from '../../wire/load/load-spec.js'
import { Silence } from './silence.js'

/** The reason of a run that ended because its target stopped answering. */
export class TargetSilent extends Error {}

/** By so much a silence is longer than the longest exchange, whose own end is timed to some milliseconds. */
const marginMs = 1_000

/** How often the silence is measured. */
const everyMs = 250

/** A measurement that comes so much too late shows that this process stood still. */
const latestMs = 2_000

/**
 * The longest silence that a target may keep, in ms: a little more than one exchange may take, single or of a load, so
 * that whoever answers in time is never cut off. With the usual limits 46 s.
 *
 * @param loadMs what the head of an answer may take under load; its body may take as long again.
 */
export const longestSilenceMs = (limits: Partial<ExchangeLimits> | undefined, loadMs: number): number => {
  const { connectMs, headMs, bodyMs } = { ...defaultExchangeLimits, ...limits }
  const usual = defaultExchangeLimits.connectMs + defaultExchangeLimits.headMs + defaultExchangeLimits.bodyMs
  return Math.max(usual, connectMs + headMs + bodyMs, connectMs + 2 * loadMs) + marginMs
}

/** Follows everything that a run asks. */
export interface SilenceWatch {
  /** The sender to ask with. */
  readonly sender: ExchangeSender
  /** To be told what loads ask and get. */
  readonly ear: LoadEar
  /** Ends the watch. */
  stop(): void
}

/** Calls `onSilent`, once, when the target has been silent for longer than it may. */
export const watchSilence = (
  sender: ExchangeSender,
  clock: Clock,
  mostMs: number,
  onSilent: (why: TargetSilent) => void,
): SilenceWatch => {
  const silence = new Silence()
  const now = () => clock.monotonicMs()
  let lookedAt = now()
  const stop = () => clearInterval(timer)
  // By a timer, not from within a load: a run that ends while a load books a failure would book it twice.
  const look = () => {
    const lasted = silence.lastedMs(now())
    if (lasted < mostMs) return
    stop()
    const { failures, open } = silence
    const told = `${failures} ${failures === 1 ? 'question' : 'questions'} came to nothing, ${open} had no answer yet`
    onSilent(new TargetSilent(`no whole answer came for ${Math.round(lasted / 1000)} s (${told})`))
  }
  const timer = setInterval(() => {
    const lateMs = now() - lookedAt - everyMs
    lookedAt = now()
    // Answers that came while this process stood still have not been read yet.
    if (lateMs > latestMs) silence.deaf(lateMs)
    look()
  }, everyMs)
  const ear: LoadEar = {
    asked: (at) => silence.asked(at),
    answered: (at) => silence.answered(at),
    failed: (at) => silence.failed(at),
  }
  return {
    sender: {
      async send(ask, signal) {
        ear.asked(now())
        const x = await sender.send(ask, signal)
        // A body that was too long to be kept whole is an answer too.
        const isWhole = x.response !== null && (x.error === null || x.response.body.truncated)
        if (isWhole) ear.answered(now())
        else ear.failed(now())
        return x
      },
      close: () => sender.close(),
    },
    ear,
    stop,
  }
}
