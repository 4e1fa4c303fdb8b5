import type { ClauseId } from '../../../contract/clauses.js'
import type { Evidence } from '../../../evidence/evidence.js'
import { formatDuration } from '../../../kit/duration.js'
import { pinsLimit } from '../../../limits/days/pinned-limit.js'
import { type JudgedKey, judgedKeys } from '../../../limits/judged-keys.js'
import { heldBackKey } from '../../../limits/readings/held-back.js'
import { loadProfiles } from '../../readings/load-profiles.js'
import { isLoaded, noRoomFor, wasCut } from '../../readings/room-in-day.js'
import type { PlayAgain } from '../check.js'
import { diagnosisFacts, looksLikeInWords } from '../diagnosis-in-words.js'
import { fail, inconclusive } from '../finding.js'
import { refutationInWords } from '../reasons-in-words.js'
import type { SentencesOf } from '../sentences.js'
import type { SharedCode } from '../shared-sentences.js'
import { explainedOnEvery, heldByAnotherKey, noLoadOnAnyKey, quotaNotJudged } from './open-quota.js'

const failureOf = ({ plan, record, window, judgement, diagnosis }: JudgedKey) => {
  if (judgement?.verdict !== 'fail') throw new Error(`the ${plan} plan has not failed`)
  const { reason, overAdmitted, earlyRefused, witnesses } = judgement.refutation
  const facts = {
    plan,
    limit: window.quota.minute,
    windowMs: window.minuteMs,
    reason,
    closest: judgement.closest,
    exchanges: Math.ceil(overAdmitted + earlyRefused),
    ...diagnosisFacts(diagnosis),
  }
  return fail('no-limiter-explains', facts, ...witnesses.map((i) => record.witness(i)))
}

const openFor = (judged: readonly JudgedKey[], reason: string): string[] =>
  judged.flatMap(({ plan, judgement }) =>
    judgement?.verdict === 'inconclusive' && judgement.reason === reason ? [plan] : [],
  )

/** What another load would settle. */
const mendable: ReadonlySet<unknown> = new Set(['limit-never-reached', 'limit-not-pinned', 'generator-late'])

/** A little more than the limit tells as well as half as much again, and a slow target gets through it within a window. */
const smallShare = 1.05

/** No limiter counts what came before two windows of silence. */
const afterLongSilence = { silence: 2 }

/** A load that did not put the limit of some plans to the test, played again on these keys, smaller. */
export const loadedAgain: PlayAgain = {
  probe: 'burst',
  beside: loadProfiles,
  settings: ({ code, facts }) =>
    code === 'quota-not-judged' && mendable.has(facts.reason)
      ? { plans: facts.plans, overshoot: smallShare, ...(facts.reason === 'limit-not-pinned' && afterLongSilence) }
      : undefined,
  dearest: { overshoot: smallShare, ...afterLongSilence },
}

/**
 * Whether a load put the key's limit to the test, so that the oracle's word on it stands, whatever it is. Loads that were
 * cut to a short day have to show as much as those that were not: that it is this limit, and not one more or one less.
 */
export const isTested = (evidence: Evidence, { name, judgement, history, agreed }: JudgedKey): boolean => {
  if (judgement?.verdict === 'fail') return true
  if (judgement === null || !isLoaded(evidence, name)) return false
  if (judgement.verdict === 'inconclusive') return judgement.reason !== 'limit-never-reached'
  return !wasCut(evidence, name) || pinsLimit(history, agreed)
}

/** What is lacking on the first of the keys whose limit no load could put to the test, for want of room in their day. */
export const withoutRoom = (evidence: Evidence, among: (key: JudgedKey) => boolean) =>
  judgedKeys(evidence)
    .filter((key) => among(key) && !isTested(evidence, key))
    .flatMap(({ name }) => noRoomFor(evidence, loadProfiles, { key: name, cut: true }) ?? [])[0]

/** The oracle's word on one of the two clauses, over every key that a load was put on. */
export const judgedClause = (evidence: Evidence, clause: ClauseId & ('QUOTA-1' | 'QUOTA-2')) => {
  // Enterprise quotas are agreed, not fixed: they are QUOTA-5's.
  const isFixed = ({ plan }: JudgedKey) => evidence.view !== undefined || plan !== 'enterprise'
  const judged = judgedKeys(evidence).filter((key) => key.judgement !== null && isFixed(key))
  const lacking = withoutRoom(evidence, isFixed)
  if (judged.length === 0) return lacking ? inconclusive('no-room-in-day', lacking) : noLoadOnAnyKey()
  const broken = judged.find(({ judgement }) => judgement?.verdict === 'fail' && judgement.clause === clause)
  // A key that another one spends as well has windows that nobody here opened: they excuse either way.
  if (broken && heldBackKey(evidence)) return heldByAnotherKey(broken.plan)
  if (broken) return failureOf(broken)
  if (lacking) return inconclusive('no-room-in-day', lacking)
  for (const { plan, judgement } of judged) {
    if (judgement?.verdict === 'fail') return inconclusive('broken-the-other-way', { plan, clause: judgement.clause })
    if (judgement?.verdict === 'inconclusive')
      return quotaNotJudged(plan, judgement.reason, openFor(judged, judgement.reason))
  }
  const models = judged.flatMap(({ judgement }) => (judgement?.verdict === 'pass' ? [judgement.models] : []))
  const common = models.reduce((left, each) => left.filter((name) => each.includes(name)))
  return explainedOnEvery(
    judged.map(({ plan }) => plan),
    common,
  )
}

type OfClause = ReturnType<typeof judgedClause>

export const clauseSentences = {
  'no-limiter-explains': (f) =>
    `on the ${f.plan} plan (${f.limit} in ${formatDuration(f.windowMs)}) no admissible limiter explains what was seen; for ${f.closest}, ${refutationInWords[f.reason]} (${f.exchanges} to explain away).${looksLikeInWords(f)}`,
  'broken-the-other-way': (f) => `the ${f.plan} plan breaks ${f.clause}, which leaves this open`,
} satisfies SentencesOf<OfClause, Exclude<OfClause['code'], SharedCode>>
