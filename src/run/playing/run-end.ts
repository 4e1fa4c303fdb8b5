import type { RunEndCause, RunHead } from '../../evidence/journal.js'
import type { Clock } from '../../kit/clock.js'
import { type Deadline, startDeadline } from '../../kit/deadline.js'
import { whyOf } from '../../kit/usage-error.js'
import { counted } from '../../kit/words.js'
import { defaultExchangeLimits, type ExchangeLimits } from '../../wire/http/exchange-limits.js'
import type { ExchangeSender } from '../../wire/http/exchange-sender.js'
import type { LoadEar } from '../../wire/load/load-order.js'
import type { RunSetup } from '../run-setup.js'
import { EventFailed } from './events.js'
import { type LoadWays, loadTimeoutMs } from './play-load.js'

/** So many questions in a row have to fail before a time without questions counts as the target's silence. */
const fewestFailures = 5

/**
 * How long a target has been silent, on all connections of a run together. Times are milliseconds on one clock that
 * never steps back.
 *
 * An answer is a whole one, head and body, that came within the limits of its exchange, whatever it says. Silence
 * begins with the last answer if other questions were open then, else with the next question, and ends with the next
 * answer. A time in which no question was open counts only once several questions in a row have failed.
 *
 * So a target that answers each question within its limits is never silent for longer than these limits, and the
 * time-outs of one question after the other add up. Example: questions at 0, 20 and 40 s each time out after 10 s. At
 * 50 s the silence has lasted 30 s, without the two pauses of 10 s; the pause before a fifth failure would count.
 */
export const createSilence = () => {
  let [open, failures] = [0, 0]
  let since: number | undefined
  /** When the last open question failed. */
  let idleSince = 0
  /** Time since `since` that is not held against the target. */
  let excusedMs = 0
  /** Time without an open question since the last failure: whether it is excused, the next outcome says. */
  let idleMs = 0
  return {
    failures: () => failures,
    open: () => open,
    /** A question went out, or a connection for it was asked for. */
    asked(at: number): void {
      if (open === 0 && since !== undefined) idleMs += Math.max(0, at - idleSince)
      since ??= at
      open += 1
    },
    answered(at: number): void {
      open -= 1
      since = open > 0 ? at : undefined
      failures = excusedMs = idleMs = 0
    },
    /** A question failed: no connection, no answer, or only a part of one. */
    failed(at: number): void {
      open -= 1
      failures += 1
      if (failures < fewestFailures) excusedMs += idleMs
      idleMs = 0
      if (open === 0) idleSince = at
    },
    /** This process stood still for so long, and read no answers. */
    deaf(ms: number): void {
      if (open > 0) excusedMs += ms
    },
    lastedMs: (now: number): number =>
      since === undefined ? 0 : (open > 0 ? now : idleSince) - since - excusedMs - idleMs,
  }
}

class TargetSilent extends Error {}

/** By so much a silence is longer than the longest exchange, whose own end is timed to some milliseconds. */
const marginMs = 1_000

/** How often the silence is measured. */
const everyMs = 250

/** A measurement that comes so much too late shows that this process stood still. */
const latestMs = 2_000

/** The longest silence in ms, a little more than one exchange may take: usually 46 s. `loadMs`: a head under load. */
const longestSilenceMs = (limits: Partial<ExchangeLimits> | undefined, loadMs: number): number => {
  const { connectMs, headMs, bodyMs } = { ...defaultExchangeLimits, ...limits }
  const usual = defaultExchangeLimits.connectMs + defaultExchangeLimits.headMs + defaultExchangeLimits.bodyMs
  return Math.max(usual, connectMs + headMs + bodyMs, connectMs + 2 * loadMs) + marginMs
}

/** Calls `onSilent`, once, when the target has been silent for longer than it may. */
const watchSilence = (sender: ExchangeSender, clock: Clock, mostMs: number, onSilent: (why: TargetSilent) => void) => {
  const silence = createSilence()
  const now = () => clock.monotonicMs()
  let lookedAt = now()
  const stop = () => clearInterval(timer)
  // By a timer, not from within a load: a run that ends while a load books a failure would book it twice.
  const look = () => {
    const lasted = silence.lastedMs(now())
    if (lasted < mostMs) return
    stop()
    const told = `${counted(silence.failures(), 'question')} failed, ${silence.open()} had no answer yet`
    onSilent(new TargetSilent(`no complete answer came for ${Math.round(lasted / 1000)} s (${told})`))
  }
  const timer = setInterval(() => {
    const lateMs = now() - lookedAt - everyMs
    lookedAt = now()
    // Answers that came while this process stood still have not been read yet.
    if (lateMs > latestMs) silence.deaf(lateMs)
    look()
  }, everyMs)
  const ear: LoadEar = silence
  const followed: ExchangeSender = {
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
  }
  return { sender: followed, ear, stop }
}

/** How long putting the inventory back may take once the run was ended early: short enough for a user who waits. */
const restoreTimeMs = 30_000
/** The same where the target has stopped answering: 46 s of silence and this are less than a minute. */
const silentRestoreTimeMs = 5_000

/** What can end a run before everything was played: the user, its journal, its time limit, a target gone silent, an event. */
export interface RunEnd extends LoadWays {
  /** Aborted where the journal could not be written any more, with what was in the way. */
  readonly broken: AbortSignal
  /** The run's sender, whose answers are followed, so that silence is noticed. */
  readonly sender: ExchangeSender
  /** What ended the run; undefined while nothing has. */
  cause(): RunEndCause | 'interrupted' | undefined
  /** Ends the run, for the command of an event did not do what it was to do. */
  fail(why: EventFailed): void
  /** The same as a sentence for the record; undefined also where the user did it. */
  told(): string | undefined
  /** The time that is left for putting the inventory back. */
  restoring(): Deadline
  /** Lets go of all timers. */
  clear(): void
}

/** The default time limit of a run: so many times its plan, what may be played again, and this. */
const plansAllowed = 3
const beyondPlansMs = 60_000
const usualLimitMs = ({ durationMs, againMs = 0 }: RunHead['planned']): number =>
  plansAllowed * durationMs + againMs + beyondPlansMs

/** Watches over a run from now on, and ends it early where it has to be. */
export const watchRunEnd = (setup: RunSetup, sender: ExchangeSender, broken: AbortSignal): RunEnd => {
  const { head, clock, limits, interrupt, timeLimitMs = usualLimitMs(head.planned) } = setup
  const dropped = new AbortController()
  const limit = startDeadline({
    ms: timeLimitMs,
    reason: new DOMException('the time limit of the run was reached', 'TimeoutError'),
    follows: [interrupt, broken],
  })
  const watch = watchSilence(sender, clock, longestSilenceMs(limits, loadTimeoutMs(setup)), (why) => {
    dropped.abort(why)
    limit.end(why)
  })
  const { signal } = limit
  const cause = () => {
    if (broken.aborted) return 'journal-broken'
    if (!signal.aborted) return undefined
    if (interrupt.aborted) return 'interrupted'
    if (signal.reason instanceof EventFailed) return 'event-failed'
    return signal.reason instanceof TargetSilent ? 'target-silent' : 'time-limit'
  }
  const sentences = {
    'journal-broken': () => `the journal could not be written any more, so the run was ended: ${whyOf(broken.reason)}`,
    'time-limit': () => 'the time limit of the run was reached',
    'target-silent': () => `the target stopped answering, so the run was ended: ${whyOf(signal.reason)}`,
    'event-failed': () => `${whyOf(signal.reason)}, so the run was ended`,
    interrupted: () => undefined,
  } as const
  return {
    broken,
    sender: watch.sender,
    ear: watch.ear,
    signal,
    dropped: dropped.signal,
    cause,
    fail: (why) => limit.end(why),
    told() {
      const why = cause()
      return why && sentences[why]()
    },
    restoring() {
      if (!signal.aborted) return { signal, end: limit.end, clear: () => {} }
      const ms = cause() === 'target-silent' ? silentRestoreTimeMs : restoreTimeMs
      return startDeadline({ ms, reason: new DOMException('there was no time left to put back', 'TimeoutError') })
    },
    clear() {
      limit.clear()
      watch.stop()
    },
  }
}
