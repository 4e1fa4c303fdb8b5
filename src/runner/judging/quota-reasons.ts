import type { ClientEvidence } from '../../backoff/client-evidence.js'
import { banSetOff, quotaUse } from '../../backoff/real-quota.js'
import type { Story } from '../../backoff/story.js'
import { againWhileQuiet, durationOf } from '../../checks/client/in-words.js'
import { fail, inconclusive } from '../../checks/law/finding.js'
import type { SentencesOf } from '../../checks/law/sentences.js'
import { open, stands } from './reason-states.js'

const banReasons = (evidence: ClientEvidence) => {
  const ban = banSetOff(evidence)
  if (!ban) return []
  const facts = { case: ban.story.play.case }
  return ban.certain
    ? [stands('B', fail('sets-off-ban', facts))]
    : [open('B', inconclusive('sets-off-ban-or-under-way', facts))]
}

/** The first play is the case that is shown; all of them are named. */
const refusedFacts = (stories: readonly [Story, ...Story[]]) => ({
  case: stories[0].play.case,
  workers: Math.max(...stories.map(({ workers }) => workers)),
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
  const facts = refusedFacts(use.stories)
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
  'runs-into-limit': (f) => `with a real quota it was refused ${refusedTimes(f.plays)}`,
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

/** What would mend them. */
export const quotaAdvice: Partial<Seen> = {
  'runs-into-limit': ({ workers }) =>
    workers > 1
      ? 'Read X-RateLimit-Remaining, and at 0 wait for X-RateLimit-Reset instead of asking. Count the requests under way: send none while there are as many as Remaining says.'
      : 'Read X-RateLimit-Remaining, and at 0 wait for X-RateLimit-Reset instead of asking.',
  'runs-into-limit-or-late': () => againWhileQuiet,
  'quota-not-pressed': () => againWhileQuiet,
  'quota-not-exercised': () =>
    'Let the command send PETSTORE_REQUESTS requests from PETSTORE_WORKERS workers, so that it can be seen.',
  'sets-off-ban': () => 'Stop sending while the key is refused.',
  'sets-off-ban-or-under-way': () => againWhileQuiet,
}
