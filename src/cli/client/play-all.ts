import { setMaxListeners } from 'node:events'
import type { ClientCases } from '../../client-audit/client-cases.js'
import type { ArrivalRecord } from '../../evidence/arrivals.js'
import { aborted } from '../../kit/deadline.js'
import { openPlay, type PlannedPlay, type PlayContext, playCase, playRecord } from './play-case.js'

/** So many clients start at once: more would disturb each other's times. */
const startingAtOnce = 4

/** The plays of the cases, in their order; of those that are named, where some are. */
export const plannedPlays = ({ cases }: ClientCases, only: readonly string[]): PlannedPlay[] =>
  cases
    .filter(({ id }) => only.length === 0 || only.includes(id))
    .flatMap((each) => Array.from({ length: each.plays }, (_, at) => ({ id: `${each.id}#${at + 1}`, case: each })))

/** Lets so many in at a time; each leaves by the function that it was handed. */
const doorFor = (places: number): (() => Promise<() => void>) => {
  let free = places
  const waiting: (() => void)[] = []
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }
  return async () => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    let left = false
    return () => {
      if (!left) leave()
      left = true
    }
  }
}

/** So many plays that end without a request, and no request of any, show that the command sends none. */
const enoughWithout = 4

/** Watches for a command that sends nothing: `over` is aborted once it has shown that, or the audit is interrupted. */
const untilItSendsNothing = ({ interrupt, write }: PlayContext) => {
  const over = new AbortController()
  const stop = () => over.abort()
  if (interrupt.aborted) stop()
  interrupt.addEventListener('abort', stop, { once: true })
  let without = 0
  let hasCome = false
  const watching = (record: ArrivalRecord) => {
    write(record)
    hasCome ||= record.type === 'arrival'
    if (record.type === 'play' && record.end === 'exit') without += 1
    if (!hasCome && without >= enoughWithout) stop()
  }
  return { over: over.signal, write: watching, release: () => interrupt.removeEventListener('abort', stop) }
}

/**
 * Plays everything side by side, only the starts one after the other. Resolves when all plays have ended, or those that
 * did have shown that the command sends nothing.
 */
export const playAll = async (
  plays: readonly PlannedPlay[],
  command: readonly string[],
  context: PlayContext & { readonly environment: NodeJS.ProcessEnv },
): Promise<void> => {
  const enter = doorFor(startingAtOnce)
  const { over, write, release } = untilItSendsNothing(context)
  setMaxListeners(2 * plays.length + 10, over)
  const running: Promise<void>[] = []
  let failed: unknown
  for (const play of plays) {
    const leave = await enter()
    if (over.aborted || failed !== undefined) break
    running.push(
      playCase(play, command, { ...context, interrupt: over, write, onStarted: leave }).catch((error: unknown) => {
        failed ??= error
      }),
    )
  }
  await Promise.all(running)
  release()
  if (failed !== undefined) throw failed
}

/**
 * Opens a server for each play and tells `announce` where, for a client that is started elsewhere. A play is over when
 * it has been watched for its time since its first request; all of them when the audit is interrupted, which is the
 * ordinary end of listening.
 */
export const listenForClients = async (
  plays: readonly PlannedPlay[],
  context: PlayContext,
  announce: (play: PlannedPlay, url: string, key: string) => void,
): Promise<void> => {
  const { clock, zeroMs, interrupt, write } = context
  const interrupted = aborted(interrupt)
  const listen = async (planned: PlannedPlay): Promise<void> => {
    const open = await openPlay(planned, context)
    announce(planned, open.url, open.key)
    await Promise.race([open.firstArrival, interrupted])
    const watch = clock.sleep(planned.case.watchSeconds * 1000, interrupt).then(
      () => 'watch' as const,
      () => 'interrupted' as const,
    )
    const end = await Promise.race([watch, open.tooMany.then(() => 'attempts' as const)])
    const endedAt = clock.monotonicMs() - zeroMs
    await open.close()
    const unknown = { exitCode: null, signal: null, leftBehind: false, output: '', timeZone: null }
    write(playRecord(planned, { startedAt: open.startedAt, endedAt }, { end, ...unknown }))
  }
  await Promise.all(plays.map(listen))
}
