import type { ClientEvidence } from '../../backoff/client-evidence.js'
import { banSetOff, quotaUse } from '../../backoff/real-quota.js'
import { durationOf } from '../../checks/client/in-words.js'
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
  const { play, arrivals, refusals } = use.story
  if (use.kind === 'not-pressed') {
    const facts = { case: play.case, left: use.left, lateMs: use.lateMs }
    return [open('B', inconclusive('quota-not-pressed', facts))]
  }
  const facts = { case: play.case, refused: refusals.length, requests: arrivals.length }
  const witnesses = refusals.map(({ arrival }) => arrival)
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

/** What the reasons of a real quota say. */
export const quotaSentences: Seen = {
  'runs-into-limit': (f) =>
    `with a real quota it was refused ${times(f.refused)} in ${f.requests} requests (${f.case})`,
  'runs-into-limit-or-late': (f) =>
    `with a real quota it was refused ${times(f.refused)} in ${f.requests} requests, while the machine stalled: whether they came when it sent them can't be told (${f.case})`,
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

const whileQuiet = () => 'Audit it again while the machine is quiet.'

/** What would mend them. */
export const quotaAdvice: Partial<Seen> = {
  'runs-into-limit': () => 'Read X-RateLimit-Remaining, and at 0 wait for X-RateLimit-Reset instead of asking.',
  'runs-into-limit-or-late': whileQuiet,
  'quota-not-pressed': whileQuiet,
  'quota-not-exercised': () =>
    'Let the command send PETSTORE_REQUESTS requests from PETSTORE_WORKERS workers, so that it can be seen.',
  'sets-off-ban': () => 'Stop sending while the key is refused.',
  'sets-off-ban-or-under-way': whileQuiet,
}
