import type { Arrival } from '../../evidence/arrivals.js'
import type { ClientEvidence } from './client-evidence.js'
import { foreknowledge } from './foreknowledge.js'
import type { Noise } from './noise.js'
import type { Refusal, Story } from './story.js'

/** A window that holds fewer requests than this can't be kept clear of by those that are under way already. */
const fewestInWindow = 20
/** What is held up by less is neither moved into another window, nor kept from using one up. */
const harmlessMs = 30

/** What a client did with a real quota that it had for itself, and was asked for more than a window of it holds. */
export type QuotaUse =
  | { readonly kind: 'not-exercised'; readonly idle: Story | undefined; readonly certain: boolean }
  /** Not certain where the machine may have moved requests that were under way into another window. */
  | { readonly kind: 'refused'; readonly stories: readonly [Story, ...Story[]]; readonly certain: boolean }
  /** Never refused, but on a machine too slow to use a window up: `left` is the least that one had left. */
  | { readonly kind: 'not-pressed'; readonly story: Story; readonly left: number; readonly lateMs: number }
  | { readonly kind: 'kept-clear' }

/**
 * Whether the machine has no part in a refusal: in a play's first window all came that was sent in it, and later ones
 * get more than was sent in them only where something was held up.
 */
const machineHadNoPart = ({ arrivals, play }: Story, { arrival }: Refusal, noise: Noise): boolean => {
  const [{ at, reset }] = arrivals
  if (reset !== null && reset === arrival.reset) return true
  return noise.mostMs(Math.max(at, arrival.at - (play.quota?.windowMs ?? 0)), arrival.at) <= harmlessMs
}

const leastLeft = ({ arrivals }: Story): number =>
  Math.min(...arrivals.map(({ remaining }) => (remaining === null ? Number.POSITIVE_INFINITY : Number(remaining))))

/** Whether a window came so near its end that one request from each worker would have been refused. */
const isPressed = (story: Story): boolean => leastLeft(story) < Math.max(story.workers, story.play.asked.workers)

/** How a client used the real quotas that it had for itself. */
export const quotaUse = ({ stories, noise }: ClientEvidence): QuotaUse => {
  const own = stories.filter(
    ({ play: { quota, asked } }) =>
      quota?.shared === false && asked.requests > quota.requests && quota.requests >= fewestInWindow,
  )
  const idle = own.find(({ play, arrivals }) => arrivals.length <= (play.quota?.requests ?? 0))
  // Who had ended sends no more; who was cut off, as on a busy machine, might have.
  if (own.length === 0 || idle) return { kind: 'not-exercised', idle, certain: !idle || idle.play.end === 'exit' }
  const over = own.filter(({ refusals }) => refusals.length > 0)
  const sure = over.filter((story) => story.refusals.some((each) => machineHadNoPart(story, each, noise)))
  const [first, ...others] = sure.length > 0 ? sure : over
  if (first) return { kind: 'refused', stories: [first, ...others], certain: sure.length > 0 }
  const [story] = own
  const lateMs = noise.usualMs(story.arrivals[0].at, story.arrivals[story.arrivals.length - 1].at)
  if (own.some(isPressed) || lateMs <= harmlessMs) return { kind: 'kept-clear' }
  return { kind: 'not-pressed', story, left: leastLeft(story), lateMs }
}

/** The first refusal of those in a row up to that one. */
const firstInRow = ({ arrivals, refusals }: Story, last: Arrival): Refusal | undefined => {
  const served = arrivals.findLastIndex(({ status, at }) => status === 200 && at < last.at)
  return refusals.find(({ arrival }) => arrivals.indexOf(arrival) > served)
}

/** The first play in which the client set off the ban; not certain where all that was refused may have been under way. */
export const banSetOff = ({
  stories,
  noise,
}: ClientEvidence): { readonly story: Story; readonly certain: boolean } | undefined => {
  const all = stories.flatMap((story) => {
    const banned = story.play.quota === null ? undefined : story.arrivals.find((each) => each.banned)
    if (!banned) return []
    const first = firstInRow(story, banned)
    return [{ story, certain: first !== undefined && foreknowledge(story, first, banned, noise) === 'knew' }]
  })
  return all.find(({ certain }) => certain) ?? all[0]
}
