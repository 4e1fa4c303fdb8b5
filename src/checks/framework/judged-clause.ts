import type { ClauseId } from '../../contract/clauses.js'
import { limiterNames } from '../../contract/limiter-models.js'
import { planName } from '../../contract/plans.js'
import type { Evidence } from '../../evidence/evidence.js'
import { formatDuration } from '../../kit/duration.js'
import { count, listInWords } from '../../kit/words.js'
import { pinsLimit } from '../../oracle/judged-days.js'
import { type JudgedKey, judgedKeys } from '../../oracle/judged-keys.js'
import { type ShownBreach, shownBreach } from '../../oracle/shown-breach.js'
import { heldBackKey } from '../../readings/other-users.js'
import type { PlayAgain } from './check.js'
import { fail, inconclusive, type SentencesOf } from './finding.js'
import { diagnosisFacts, diagnosisInWords } from './in-words.js'
import { isLoaded, loadProfiles, noRoomFor, wasCut } from './loads.js'
import type { SharedCode } from './shared-sentences.js'
import { explainedOnEvery, heldByAnotherKey, noLoadOnAnyKey, quotaNotJudged } from './unplayed.js'

/** What a stretch shows, as facts: how many were admitted in it, and how long it is; null where none shows the breach. */
const countsOf = (shown: ShownBreach | undefined) => ({
  admitted: shown?.admitted ?? null,
  withinMs: shown ? Math.round(shown.toMs - shown.fromMs) : null,
})

const brokenPlan = (evidence: Evidence, key: JudgedKey) => {
  const { plan, window, judgement, diagnosis, agreed } = key
  if (judgement?.verdict !== 'fail') throw new Error(`the ${plan} plan has not failed`)
  const { reason, overAdmitted, earlyRefused } = judgement.refutation
  return {
    plan,
    limit: window.quota.limit,
    windowMs: window.minuteMs,
    bucket: agreed.burst === undefined ? null : { refill: agreed.limit, everyMs: agreed.windowMs },
    reason,
    closest: judgement.closest,
    exchanges: Math.ceil(overAdmitted + earlyRefused),
    ...countsOf(shownBreach(evidence, key)),
    ...diagnosisFacts(diagnosis),
  }
}

/** The exchanges that refute the closest limiter of a key. */
export const judgedWitnesses = ({ judgement, record }: JudgedKey) =>
  judgement?.verdict === 'fail' ? judgement.refutation.witnesses.map((i) => record.witness(i)) : []

/** The facts of the first plan, and beside them those of every plan that breaks the clause. */
const failureOf = (evidence: Evidence, broken: readonly [JudgedKey, ...JudgedKey[]]) => {
  const [first] = broken
  const clause = first.judgement?.verdict === 'fail' ? first.judgement.clause : 'QUOTA-1'
  const facts = { clause, ...brokenPlan(evidence, first), plans: broken.map((key) => brokenPlan(evidence, key)) }
  return fail('no-limiter-explains', facts, ...broken.flatMap(judgedWitnesses))
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

/** Every key that is broken so is named, beginning with the first: none of them can tell of this clause. */
const brokenTheOtherWay = (plan: string, clause: ClauseId, judged: readonly JudgedKey[]) => {
  const isAlso = ({ judgement }: JudgedKey) => judgement?.verdict === 'fail' && judgement.clause === clause
  const plans = [...new Set([plan, ...judged.filter(isAlso).map((key) => key.plan)])]
  return inconclusive('broken-the-other-way', { plan, plans, clause })
}

/** The oracle's word on one of the two clauses, over every key that a load was put on. */
export const judgedClause = (evidence: Evidence, clause: ClauseId & ('QUOTA-1' | 'QUOTA-2')) => {
  // Enterprise quotas are agreed, not fixed: they are QUOTA-5's.
  const isFixed = ({ plan }: JudgedKey) => evidence.view !== undefined || plan !== 'enterprise'
  const judged = judgedKeys(evidence).filter((key) => key.judgement !== null && isFixed(key))
  const lacking = withoutRoom(evidence, isFixed)
  if (judged.length === 0) return lacking ? inconclusive('no-room-in-day', lacking) : noLoadOnAnyKey()
  const [broken, ...alsoBroken] = judged.filter(
    ({ judgement }) => judgement?.verdict === 'fail' && judgement.clause === clause,
  )
  // A key that another one spends as well has windows that nobody here opened: they excuse either way.
  if (broken && heldBackKey(evidence)) return heldByAnotherKey(broken.plan)
  if (broken) return failureOf(evidence, [broken, ...alsoBroken])
  if (lacking) return inconclusive('no-room-in-day', lacking)
  const open = judged.find(({ judgement }) => judgement?.verdict !== 'pass')
  if (open?.judgement?.verdict === 'fail') return brokenTheOtherWay(open.plan, open.judgement.clause, judged)
  if (open?.judgement?.verdict === 'inconclusive')
    return quotaNotJudged(open.plan, open.judgement.reason, openFor(judged, open.judgement.reason))
  const models = judged.flatMap(({ judgement }) => (judgement?.verdict === 'pass' ? [judgement.models] : []))
  const common = models.reduce((left, each) => left.filter((name) => each.includes(name)))
  return explainedOnEvery(
    judged.map(({ plan }) => plan),
    common,
  )
}

type OfClause = ReturnType<typeof judgedClause>

type BrokenPlan = ReturnType<typeof brokenPlan>

/** The limit, as it stands behind "its": `60 in 6.0 s`, or `40 at once and 2 more every 1.0 s` of a bucket. */
const agreedInWords = ({ limit, windowMs, bucket }: BrokenPlan): string =>
  bucket === null
    ? `${count(limit)} in ${formatDuration(windowMs)}`
    : `${count(limit)} at once and ${count(bucket.refill)} more every ${formatDuration(bucket.everyMs)}`

const admittedTooMuch = (broken: BrokenPlan): string => {
  const { plan, admitted, withinMs } = broken
  return admitted === null || withinMs === null
    ? `${planName(plan)} admits more than its ${agreedInWords(broken)}`
    : `${planName(plan)} admitted ${count(admitted)} within ${formatDuration(withinMs)}, beyond its limit of ${agreedInWords(broken)}`
}

const refusedTooEarly = (broken: BrokenPlan): string => {
  const { plan, limit, windowMs, admitted } = broken
  return admitted === null
    ? `${planName(plan)} refuses what its ${agreedInWords(broken)} still allow`
    : `${planName(plan)} refused a request with at most ${count(admitted)} of ${count(limit)} admitted in the ${formatDuration(windowMs)} before it`
}

const planInWords = (broken: BrokenPlan, clause: string): string =>
  clause === 'QUOTA-1' ? admittedTooMuch(broken) : refusedTooEarly(broken)

const likenessInWords = ({ looksLike, looksLikeFacts }: BrokenPlan): string | undefined =>
  looksLike === null ? undefined : diagnosisInWords(looksLike, looksLikeFacts)

/** What each plan did; what it looks like stands behind all of them where that is the same, else behind each. */
const plansInWords = (plans: readonly BrokenPlan[], clause: string): string => {
  const likenesses = plans.map(likenessInWords)
  const [first] = likenesses
  const isCommon = first !== undefined && likenesses.every((each) => each === first)
  const told = plans.map((each, i) => {
    const likeness = isCommon ? undefined : likenesses[i]
    return `${planInWords(each, clause)}${likeness === undefined ? '' : ` (looks like ${likeness})`}`
  })
  return `${told.join('; ')}.${isCommon ? ` This looks like ${first}.` : ''}`
}

const requests = (many: number, plan: string): string =>
  many === 1 ? `One request on ${plan} contradicts` : `${count(many)} requests on ${plan} contradict`

/** Whether more was admitted than two windows let through that meet, wherever their edge is. */
const isMoreThanTwoWindows = ({ bucket, admitted, limit }: BrokenPlan): boolean =>
  bucket === null && admitted !== null && admitted > 2 * limit

/** Why what was seen is no accident of where two windows meet: every honest way of counting was tried. */
const whyNoChance = (f: BrokenPlan & { readonly clause: string; readonly plans: readonly BrokenPlan[] }): string => {
  if (f.clause === 'QUOTA-1' && f.plans.every(isMoreThanTwoWindows))
    return 'Even two windows that meet admit at most twice the limit, and this is more'
  const closest = `${requests(f.exchanges, planName(f.plan))} even the closest match, ${limiterNames[f.closest]}`
  if (f.bucket !== null)
    return `However full the bucket was before, no permitted way of counting fits the whole run. ${closest}`
  return f.clause === 'QUOTA-1'
    ? `Two adjacent windows do not explain this: no permitted way of counting fits the whole run. ${closest}`
    : `Earlier use of the quota does not explain this: no permitted way of counting fits the whole run. ${closest}`
}

export const clauseSentences = {
  'no-limiter-explains': (f) => `${plansInWords(f.plans, f.clause)} ${whyNoChance(f)}`,
  'broken-the-other-way': (f) =>
    f.plans.length === 1
      ? `${planName(f.plan)} breaks ${f.clause}: fix that first, then this can be judged`
      : `${listInWords(f.plans.map(planName))} break ${f.clause}: fix that first, then this can be judged`,
} satisfies SentencesOf<OfClause, Exclude<OfClause['code'], SharedCode>>
