import { fail, inconclusive, type SentencesOf } from '../../checks/framework/finding.js'
import type { Arrival } from '../../evidence/arrivals.js'
import { severalCame } from '../waits/early-arrivals.js'
import type { ClientEvidence, Noise, Refusal, Story } from '../waits/story.js'
import { foreknowledge } from '../waits/waits.js'
import { doTheWork, open, stands } from './grade.js'
import { durationOf, type MendsOf } from './in-words.js'

/** In a window with fewer requests than this, requests in flight alone may exceed the limit. */
const fewestInWindow = 20
/** A shorter delay neither moves requests into another window, nor keeps a client from using one up. */
const harmlessMs = 30

/** How a client used a real quota of its own, when asked for more than one window holds. */
type QuotaUse =
  | { readonly kind: 'not-exercised'; readonly idle: Story | undefined; readonly certain: boolean }
  /** Not certain if the machine may have moved requests in flight into another window. */
  | { readonly kind: 'refused'; readonly stories: readonly [Story, ...Story[]]; readonly certain: boolean }
  /** Never refused, but the machine was too slow to use up a window: `left` is the least that one had left. */
  | { readonly kind: 'not-pressed'; readonly story: Story; readonly left: number; readonly lateMs: number }
  | { readonly kind: 'kept-clear' }

/** Whether the machine did not cause a refusal: always in a first window, in later ones unless requests piled up. */
const machineHadNoPart = ({ arrivals, play }: Story, { arrival }: Refusal, noise: Noise): boolean => {
  const [{ at, reset }] = arrivals
  if (reset !== null && reset === arrival.reset) return true
  return noise.mostMs(Math.max(at, arrival.at - (play.quota?.windowMs ?? 0)), arrival.at) <= harmlessMs
}

const leastLeft = ({ arrivals }: Story): number =>
  Math.min(...arrivals.map(({ remaining }) => (remaining === null ? Number.POSITIVE_INFINITY : Number(remaining))))

/** Whether a window had so little left that one request from each worker would have exceeded it. */
const isPressed = (story: Story): boolean => leastLeft(story) < Math.max(story.workers, story.play.asked.workers)

export const quotaUse = ({ stories, noise }: ClientEvidence): QuotaUse => {
  const own = stories.filter(
    ({ play: { quota, asked } }) =>
      quota?.shared === false && asked.requests > quota.requests && quota.requests >= fewestInWindow,
  )
  const idle = own.find(({ play, arrivals }) => arrivals.length <= (play.quota?.requests ?? 0))
  // A client that had ended sends no more; one that was cut off, as on a busy machine, might have.
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

/** The first of the refusals in a row that end with this one. */
const firstInRow = ({ arrivals, refusals }: Story, last: Arrival): Refusal | undefined => {
  const served = arrivals.findLastIndex(({ status, at }) => status === 200 && at < last.at)
  return refusals.find(({ arrival }) => arrivals.indexOf(arrival) > served)
}

/** The first play in which the client caused a ban; not certain if all refused requests may have been in flight. */
export const banSetOff = ({ stories, noise }: ClientEvidence) => {
  const all = stories.flatMap((story) => {
    const banned = story.play.quota === null ? undefined : story.arrivals.find((each) => each.banned)
    if (!banned) return []
    const first = firstInRow(story, banned)
    return [{ story, certain: first !== undefined && foreknowledge(story, first, banned, noise) === 'knew' }]
  })
  return all.find(({ certain }) => certain) ?? all[0]
}

/** Whether a client used up its own real quota without a refusal, though asked for more than a window holds. */
const keepsClear = ({ play: { quota, asked }, arrivals, refusals }: Story): boolean =>
  quota?.shared === false &&
  refusals.length === 0 &&
  arrivals.length > quota.requests &&
  arrivals.some(({ remaining }) => remaining === '0') &&
  asked.workers === 1

/** The refusals of each window; undefined if its last served answer did not say that nothing is left. */
const refusalsByWindow = ({ arrivals, refusals }: Story): readonly (readonly Refusal[] | undefined)[] =>
  [...new Set(refusals.map(({ arrival }) => arrival.reset))].map((reset) => {
    const served = arrivals.filter((each) => each.status === 200 && each.reset === reset)
    return served.some(({ remaining }) => remaining === '0')
      ? refusals.filter(({ arrival }) => arrival.reset === reset)
      : undefined
  })

/** Whether each refused request may be its worker's only one in flight: no connection twice, and one worker was told. */
const oneOfEach = (refusals: readonly Refusal[], workers: number): boolean =>
  refusals.length < workers && new Set(refusals.map(({ arrival }) => arrival.connection)).size === refusals.length

/**
 * How many requests a client that reads `X-RateLimit-Remaining` had in flight when it reached 0: the most that one window
 * refused. Undefined if it is refused with one worker too, or if more was refused than its workers can have had in flight.
 */
export const underWayAtZero = ({ stories }: ClientEvidence, over: readonly Story[]): number | undefined => {
  if (!stories.some(keepsClear)) return undefined
  const windows = over.flatMap((story) =>
    refusalsByWindow(story).map((refusals) =>
      refusals && oneOfEach(refusals, story.play.asked.workers) ? refusals.length : undefined,
    ),
  )
  return windows.includes(undefined) ? undefined : Math.max(...windows.map((each) => each ?? 0))
}

const banReasons = (evidence: ClientEvidence) => {
  const ban = banSetOff(evidence)
  if (!ban) return []
  const facts = { case: ban.story.play.case }
  return ban.certain
    ? [stands('B', fail('sets-off-ban', facts))]
    : [open('B', inconclusive('sets-off-ban-or-under-way', facts))]
}

/** The first play gives the case; `plays` counts all. `underWay`: 0 if not shown. */
const refusedFacts = (evidence: ClientEvidence, stories: readonly [Story, ...Story[]]) => ({
  case: stories[0].play.case,
  parallel: stories.some(severalCame),
  underWay: underWayAtZero(evidence, stories) ?? 0,
  plays: stories.map(({ play, arrivals, refusals }) => ({
    case: play.case,
    refused: refusals.length,
    requests: arrivals.length,
  })),
})

const useReasons = (evidence: ClientEvidence) => {
  const use = quotaUse(evidence)
  if (use.kind === 'kept-clear') return []
  if (use.kind === 'not-exercised') {
    const { idle, certain } = use
    const asked = idle?.play.asked.requests ?? 0
    const facts = { case: idle?.play.case ?? 'none', sent: idle?.arrivals.length ?? 0, asked }
    const finding = inconclusive('quota-not-exercised', facts)
    return [certain ? stands('B', finding) : open('B', finding)]
  }
  if (use.kind === 'not-pressed') {
    const facts = { case: use.story.play.case, left: use.left, lateMs: use.lateMs }
    return [open('B', inconclusive('quota-not-pressed', facts))]
  }
  const facts = refusedFacts(evidence, use.stories)
  const witnesses = use.stories.flatMap(({ refusals }) => refusals.map(({ arrival }) => arrival))
  return use.certain
    ? [stands('B', fail('runs-into-limit', facts, ...witnesses))]
    : [open('B', inconclusive('runs-into-limit-or-late', facts, ...witnesses))]
}

/** For an A, a client with its own real quota has to do more work than a window holds, without a single 429. */
export const quotaReasons = (evidence: ClientEvidence) => {
  const ban = banReasons(evidence)
  return ban.some(({ state }) => state === 'stands') ? ban : [...ban, ...useReasons(evidence)]
}

type Seen = SentencesOf<ReturnType<typeof quotaReasons>[number]['finding']>

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)

const refusedTimes = (plays: ReturnType<typeof refusedFacts>['plays']): string =>
  plays.map((each) => `${times(each.refused)} in ${each.requests} requests (${each.case})`).join(' and ')

export const quotaSentences: Seen = {
  'runs-into-limit': (f) =>
    `with a real quota it was refused ${refusedTimes(f.plays)}${f.underWay > 0 ? `: it reads Remaining, but ${f.underWay === 1 ? '1 request was' : `${f.underWay} requests were`} under way when that got to 0` : ''}`,
  'runs-into-limit-or-late': (f) =>
    `with a real quota it was refused ${refusedTimes(f.plays)}, while the machine stalled, so they may have come later than it sent them`,
  'quota-not-pressed': (f) =>
    `a real quota was never used up: at least ${f.left} were left of each window, and the machine was usually late by ${durationOf(f.lateMs)}, so it is unclear whether it keeps clear of the limit (${f.case})`,
  'quota-not-exercised': (f) =>
    f.case === 'none'
      ? 'the audit did not play a real quota'
      : `it was asked for ${f.asked} requests and sent ${f.sent}: what it does with a real quota was not seen (${f.case})`,
  'sets-off-ban': (f) => `it got its key banned (${f.case})`,
  'sets-off-ban-or-under-way': (f) =>
    `the ban of its key was set off by requests that may all have been under way when the first was refused (${f.case})`,
}

const waitForReset =
  'Read X-RateLimit-Remaining, and at 0 wait for X-RateLimit-Reset (Unix time in seconds) instead of asking.'
const countUnderWay =
  'Count the requests under way: send none while there are as many as the lowest Remaining of this window.'

const mendRuns = ({ parallel, underWay }: ReturnType<typeof refusedFacts>): string =>
  underWay > 0 ? countUnderWay : parallel ? `${waitForReset} ${countUnderWay}` : waitForReset

const stopSending = 'Stop sending while the key is refused.'

export const quotaAdvice: MendsOf<Seen> = {
  'runs-into-limit': mendRuns,
  'runs-into-limit-or-late': (f) => ({ ifItStands: mendRuns(f) }),
  'quota-not-pressed': () => ({ ifItStands: waitForReset }),
  'quota-not-exercised': () => doTheWork,
  'sets-off-ban': () => stopSending,
  'sets-off-ban-or-under-way': () => ({ ifItStands: stopSending }),
}
