import { aborted } from '../../kit/signals.js'
import { openPlay, type PlannedPlay, type PlayContext, playRecord } from './play-case.js'

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
