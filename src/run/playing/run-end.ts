import type { RunEndCause } from '../../evidence/journal.js'
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

/** How many requests in a row have to fail before a pause without open requests counts as silence. */
const fewestFailures = 5

/**
 * How long a target has been silent on all connections of a run. Times are milliseconds of a monotonic clock.
 *
 * Only a whole response counts, head and body, within the limits of its exchange, whatever it says. Silence begins with
 * the last response if other requests were open then, else with the next request; it ends with the next response. A pause
 * in which no request was open counts only once several requests in a row have failed.
 *
 * So a target that answers each request within its limits is never silent for longer than these limits, and time-outs of
 * consecutive requests add up. Example: requests at 0, 20 and 40 s each time out after 10 s. At 50 s the silence has
 * lasted 30 s, without the two pauses of 10 s; the pause before a fifth failure would count.
 */
export const createSilence = () => {
  let [open, failures] = [0, 0]
  let since: number | undefined
  /** When the last open request failed. */
  let idleSince = 0
  /** Time since `since` that is not held against the target. */
  let excusedMs = 0
  /** Time without an open request since the last failure; the next outcome decides whether it is excused. */
  let idleMs = 0
  return {
    failures: () => failures,
    open: () => open,
    /** A request was sent, or asked for a connection. */
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
    /** A request failed: no connection, no response, or only part of one. */
    failed(at: number): void {
      open -= 1
      failures += 1
      if (failures < fewestFailures) excusedMs += idleMs
      idleMs = 0
      if (open === 0) idleSince = at
    },
    /** This process stalled for this long and read no responses. */
    deaf(ms: number): void {
      if (open > 0) excusedMs += ms
    },
    lastedMs: (now: number): number =>
      since === undefined ? 0 : (open > 0 ? now : idleSince) - since - excusedMs - idleMs,
  }
}

class TargetSilent extends Error {}

/** How much longer a silence has to be than the longest exchange, whose time-out is a few milliseconds off. */
const marginMs = 1_000

const everyMs = 250

/** A measurement this late shows that this process stalled. */
const latestMs = 2_000

/** The longest silence in ms, a little more than an exchange may take: usually 46 s. `loadMs`: limit of a head under load. */
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
  // On a timer, not from within a load: ending a run while a load books a failure would book it twice.
  const look = () => {
    const lasted = silence.lastedMs(now())
    if (lasted < mostMs) return
    stop()
    const told = `${counted(silence.failures(), 'request')} failed, ${silence.open()} had no answer yet`
    onSilent(new TargetSilent(`no complete answer came for ${Math.round(lasted / 1000)} s (${told})`))
  }
  const timer = setInterval(() => {
    const lateMs = now() - lookedAt - everyMs
    lookedAt = now()
    // Responses that arrived while this process stalled have not been read yet.
    if (lateMs > latestMs) silence.deaf(lateMs)
    look()
  }, everyMs)
  const ear: LoadEar = silence
  const followed: ExchangeSender = {
    async send(ask, signal) {
      ear.asked(now())
      const x = await sender.send(ask, signal)
      // A body that was too long to be kept whole counts as a response too.
      const isWhole = x.response !== null && (x.error === null || x.response.body.truncated)
      if (isWhole) ear.answered(now())
      else ear.failed(now())
      return x
    },
    close: () => sender.close(),
  }
  return { sender: followed, ear, stop }
}

/** How long restoring the inventory may take after an early end: short enough for a waiting user. */
const restoreTimeMs = 30_000
/** The same for a target that stopped answering: with 46 s of silence this is still less than a minute. */
const silentRestoreTimeMs = 5_000

/** What can end a run early: the user, its journal, its time limit, a silent target, or an event. */
export interface RunEnd extends LoadWays {
  /** Aborts when the journal can't be written any more; the reason is the error. */
  readonly broken: AbortSignal
  /** The run's sender, whose responses are watched for silence. */
  readonly sender: ExchangeSender
  /** What ended the run; undefined while nothing has. */
  cause(): RunEndCause | 'interrupted' | undefined
  /** Ends the run because the command of an event failed. */
  fail(why: EventFailed): void
  /** The cause as a sentence for the record; undefined also if the user ended the run. */
  told(): string | undefined
  /** The time left for restoring the inventory. */
  restoring(): Deadline
  clear(): void
}

/** The default time limit: three times the plan, plus the time for repeats, plus a minute. */
const plansAllowed = 3
const beyondPlansMs = 60_000

/** Watches a run from now on, and ends it early if it must. */
export const watchRunEnd = (setup: RunSetup, sender: ExchangeSender, broken: AbortSignal): RunEnd => {
  const { head, clock, limits, interrupt } = setup
  const { durationMs, againMs = 0 } = head.planned
  const { timeLimitMs = plansAllowed * durationMs + againMs + beyondPlansMs } = setup
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
  const cause = (): RunEndCause | 'interrupted' | undefined => {
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
  }
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
