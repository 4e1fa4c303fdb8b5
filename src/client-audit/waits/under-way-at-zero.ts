import type { ClientEvidence } from './client-evidence.js'
import type { Refusal, Story } from './story.js'

/** Whether a real quota that a client had for itself was asked for more than a window holds, and used up without a refusal. */
const keepsClear = ({ play: { quota, asked }, arrivals, refusals }: Story): boolean =>
  quota?.shared === false &&
  refusals.length === 0 &&
  arrivals.length > quota.requests &&
  arrivals.some(({ remaining }) => remaining === '0') &&
  asked.workers === 1

/** The refusals of each window; undefined where its last answer that was served did not say that nothing is left. */
const windowsOf = ({ arrivals, refusals }: Story): readonly (readonly Refusal[] | undefined)[] =>
  [...new Set(refusals.map(({ arrival }) => arrival.reset))].map((reset) => {
    const served = arrivals.filter((each) => each.status === 200 && each.reset === reset)
    return served.some(({ remaining }) => remaining === '0')
      ? refusals.filter(({ arrival }) => arrival.reset === reset)
      : undefined
  })

/** Whether each of them may be the one request that its worker had under way: no connection twice, and a worker was told. */
const oneOfEach = (refusals: readonly Refusal[], workers: number): boolean =>
  refusals.length < workers && new Set(refusals.map(({ arrival }) => arrival.connection)).size === refusals.length

/**
 * How many requests a client that does read `X-RateLimit-Remaining` had under way when that got to 0: the most that one
 * window refused. Undefined where it is refused with one worker too, or where more was refused than its workers can
 * have had under way.
 */
export const underWayAtZero = ({ stories }: ClientEvidence, over: readonly Story[]): number | undefined => {
  if (!stories.some(keepsClear)) return undefined
  const windows = over.flatMap((story) =>
    windowsOf(story).map((refusals) =>
      refusals && oneOfEach(refusals, story.play.asked.workers) ? refusals.length : undefined,
    ),
  )
  return windows.includes(undefined) ? undefined : Math.max(...windows.map((each) => each ?? 0))
}
