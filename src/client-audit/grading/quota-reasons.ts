import { fail, inconclusive } from '../../checks/framework/finding.js'
import type { SentencesOf } from '../../checks/framework/sentences.js'
import { durationOf, ifItStands } from '../checks/in-words.js'
import { severalCame } from '../waits/as-asked.js'
import type { ClientEvidence } from '../waits/client-evidence.js'
import { banSetOff, quotaUse } from '../waits/real-quota.js'
import type { Story } from '../waits/story.js'
import { underWayAtZero } from '../waits/under-way-at-zero.js'
import { doTheWork } from './amiss-reasons.js'
import { open, stands } from './reason-states.js'

const banReasons = (evidence: ClientEvidence) => {
  const ban = banSetOff(evidence)
  if (!ban) return []
  const facts = { case: ban.story.play.case }
  return ban.certain
    ? [stands('B', fail('sets-off-ban', facts))]
    : [open('B', inconclusive('sets-off-ban-or-under-way', facts))]
}

/** The first play is the case that is shown; all of them are named. `underWay`: 0 where that was not shown. */
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

/** What a client with a real quota of its own has to show for an A: more work than a window holds, and not one 429. */
export const quotaReasons = (evidence: ClientEvidence) => {
  const ban = banReasons(evidence)
  return ban.some(({ state }) => state === 'stands') ? ban : [...ban, ...useReasons(evidence)]
}

type Seen = SentencesOf<ReturnType<typeof quotaReasons>[number]['finding']>

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)

const refusedTimes = (plays: ReturnType<typeof refusedFacts>['plays']): string =>
  plays.map((each) => `${times(each.refused)} in ${each.requests} requests (${each.case})`).join(' and ')

/** What the reasons of a real quota say. */
export const quotaSentences: Seen = {
  'runs-into-limit': (f) =>
    `with a real quota it was refused ${refusedTimes(f.plays)}${f.underWay > 0 ? `: it reads Remaining, but ${f.underWay === 1 ? '1 request was' : `${f.underWay} requests were`} under way when that got to 0` : ''}`,
  'runs-into-limit-or-late': (f) =>
    `with a real quota it was refused ${refusedTimes(f.plays)}, while the machine stalled: whether they came when it sent them can't be told`,
  'quota-not-pressed': (f) =>
    `a real quota was never used up: at least ${f.left} were left of each window, and the machine was usually late by ${durationOf(f.lateMs)}: whether it keeps clear of the limit can't be told (${f.case})`,
  'quota-not-exercised': (f) =>
    f.case === 'none'
      ? 'the audit did not play a real quota'
      : `it was asked for ${f.asked} requests and sent ${f.sent}: what it does with a real quota was not seen (${f.case})`,
  'sets-off-ban': (f) => `it set off the ban of its key (${f.case})`,
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

/** What would mend them. */
export const quotaAdvice: Partial<Seen> = {
  'runs-into-limit': mendRuns,
  'runs-into-limit-or-late': (f) => ifItStands(mendRuns(f)),
  'quota-not-pressed': () => ifItStands(waitForReset),
  'quota-not-exercised': () => doTheWork,
  'sets-off-ban': () => stopSending,
  'sets-off-ban-or-under-way': () => ifItStands(stopSending),
}
