import type { RunEndCause } from '../../evidence/journal.js'
import { type Deadline, startDeadline } from '../../kit/deadline.js'
import type { ExchangeSender } from '../../wire/http/exchange-sender.js'
import type { RunSetup } from '../run-setup.js'
import { type LoadWays, loadTimeoutMs } from './play-load.js'
import { longestSilenceMs, TargetSilent, watchSilence } from './silence.js'

/** How long putting the inventory back may take once the run was ended early: short enough for a user who waits. */
const restoreTimeMs = 30_000
/** The same where the target has stopped answering: 46 s of silence and this are less than a minute. */
const silentRestoreTimeMs = 5_000

const messageOf = (reason: unknown): string => (reason instanceof Error ? reason.message : String(reason))

/** What can end a run before everything was played: the user, its journal, its time limit, a target gone silent. */
export interface RunEnd extends LoadWays {
  /** Aborted where the journal could not be written any more, with what was in the way. */
  readonly broken: AbortSignal
  /** The run's sender, whose answers are followed, so that silence is noticed. */
  readonly sender: ExchangeSender
  /** What ended the run; undefined while nothing has. */
  cause(): RunEndCause | 'interrupted' | undefined
  /** The same as a sentence for the record; undefined also where the user did it. */
  told(): string | undefined
  /** The time that is left for putting the inventory back. */
  restoring(): Deadline
  /** Lets go of all timers. */
  clear(): void
}

/** The default time limit of a run: so many times its plan, and this. */
const plansAllowed = 2
const beyondPlansMs = 60_000

/** Watches over a run from now on, and ends it early where it has to be. */
export const watchRunEnd = (setup: RunSetup, sender: ExchangeSender, broken: AbortSignal): RunEnd => {
  const { head, clock, limits, interrupt, timeLimitMs = plansAllowed * head.planned.durationMs + beyondPlansMs } = setup
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
    return signal.reason instanceof TargetSilent ? 'target-silent' : 'time-limit'
  }
  const sentences = {
    'journal-broken': () =>
      `the journal could not be written any more, so the run was ended: ${messageOf(broken.reason)}`,
    'time-limit': () => 'the time limit of the run was reached',
    'target-silent': () => `the target stopped answering, so the run was ended: ${messageOf(signal.reason)}`,
    interrupted: () => undefined,
  } as const
  return {
    broken,
    sender: watch.sender,
    ear: watch.ear,
    signal,
    dropped: dropped.signal,
    cause,
    told() {
      const why = cause()
      return why && sentences[why]()
    },
    restoring() {
      if (!signal.aborted) return { signal, end: limit.end, clear: () => {} }
      const ms = cause() === 'target-silent' ? silentRestoreTimeMs : restoreTimeMs
      return startDeadline({ ms, reason: new DOMException('there was no more time to put back', 'TimeoutError') })
    },
    clear() {
      limit.clear()
      watch.stop()
    },
  }
}
