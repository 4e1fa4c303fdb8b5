import type { Clock } from '../../kit/clock.js'
import { startDeadline } from '../../kit/deadline.js'
import { formatDuration } from '../../kit/words.js'
import type { KeyFacts } from '../../probes/probe.js'
import type { Disturbance, LoadOrder } from '../../wire/load/load-order.js'
import type { ScenarioEvent } from '../options/scenario.js'
import type { RunLog } from './run-log.js'

/** Runs a command until it ends or the signal aborts. Resolves to its exit code or, without one, to what ended it. */
export type CommandRunner = (command: readonly string[], signal: AbortSignal) => Promise<number | string>

/** Ends a run because the command of an event failed. */
export class EventFailed extends Error {}

interface EventsSetup {
  readonly planned: readonly ScenarioEvent[]
  readonly run: CommandRunner
  readonly clock: Clock
  readonly startedAt: number
  readonly log: Pick<RunLog, 'write' | 'note'>
  /** The names of events that happened before the run was resumed. */
  readonly happened: readonly string[]
  readonly fail: (why: EventFailed) => void
  readonly signal: AbortSignal
}

const notYet = (all: readonly ScenarioEvent[], happened: readonly string[]): readonly ScenarioEvent[] => {
  const gone = [...happened]
  return all.filter(({ name }) => {
    const at = gone.indexOf(name)
    if (at >= 0) gone.splice(at, 1)
    return at < 0
  })
}

/** Keeps the planned events, and makes each happen in its load. */
export const createEvents = ({ planned: all, happened, run, clock, startedAt, log, fail, signal }: EventsSetup) => {
  const planned = notYet(all, happened)
  const happening = new Map<ScenarioEvent, Promise<void>>()
  let last: Disturbance | undefined
  const now = () => clock.monotonicMs() - startedAt

  const play = async (event: ScenarioEvent, ledger: string, sent: number): Promise<void> => {
    const { name, withinMs } = event
    const at = now()
    last = { fromMs: at + startedAt, endedMs: Number.POSITIVE_INFINITY }
    log.note(at, `${name}: its command began after ${sent} requests of ${ledger}`)
    const late = new EventFailed(`the command of ${name} did not end within ${formatDuration(withinMs)}`)
    const deadline = startDeadline({ ms: withinMs, reason: late, follows: [signal] })
    const code = await run(event.run, deadline.signal).catch(String).finally(deadline.clear)
    const endedAt = now()
    last = { fromMs: at + startedAt, endedMs: endedAt + startedAt }
    log.write({ type: 'event', name, ledger, sent, at, endedAt })
    if (signal.aborted) return
    if (deadline.signal.aborted) return fail(late)
    if (code !== 0) return fail(new EventFailed(`the command of ${name} ended with ${code}`))
    log.note(endedAt, `${name}: its command ended after ${formatDuration(endedAt - at)}`)
  }

  return {
    /** The event to trigger during this load; undefined if there is none. */
    during(probe: string, key: KeyFacts, { id, amount, schedule }: LoadOrder) {
      const event = planned.find(
        (each) => each.during === probe && (each.plan === undefined || each.plan === key.plan) && !happening.has(each),
      )
      if (!event) return undefined
      return {
        after: Math.floor(event.at * amount),
        // Without a schedule the whole load would be sent before the command had even started.
        standsStill: schedule === null,
        happen(sent: number) {
          const known = happening.get(event)
          if (known) return known
          const played = play(event, id, sent)
          happening.set(event, played)
          return played
        },
      }
    },
    /** The last event that changed the target, on the run's clock. */
    last: () => last,
    left: () => planned.filter((each) => !happening.has(each)),
    /** Resolves when no command is running any more. */
    settled: async () => void (await Promise.all(happening.values())),
  }
}
