import type { ClientCases } from '../../scenario/client-cases.js'
import { type PlannedPlay, type PlayContext, playCase } from './play-case.js'

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

/** Plays everything side by side, only the starts one after the other. Resolves when all plays have ended. */
export const playAll = async (
  plays: readonly PlannedPlay[],
  command: readonly string[],
  context: PlayContext & { readonly environment: NodeJS.ProcessEnv },
): Promise<void> => {
  const enter = doorFor(startingAtOnce)
  const running: Promise<void>[] = []
  let failed: unknown
  for (const play of plays) {
    const leave = await enter()
    if (context.interrupt.aborted || failed !== undefined) break
    running.push(
      playCase(play, command, { ...context, onStarted: leave }).catch((error: unknown) => {
        failed ??= error
      }),
    )
  }
  await Promise.all(running)
  if (failed !== undefined) throw failed
}
