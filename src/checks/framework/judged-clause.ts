import { type Hidden, hiddenDefects } from '../../certificate/certificates.js'
import type { CertifiedClause } from '../../certificate/named-defect.js'
import type { ClauseId } from '../../contract/clauses.js'
import { defectFamily, limiterNames } from '../../contract/limiter-models.js'
import { isAgreedPlan } from '../../contract/petstore/petstore.js'
import { planName } from '../../contract/plans.js'
import type { Evidence } from '../../evidence/evidence.js'
import { formatClosely, formatDuration } from '../../kit/duration.js'
import { count, listInWords } from '../../kit/words.js'
import type { BrokenSide } from '../../oracle/judge-quota.js'
import { type JudgedKey, judgedKeys } from '../../oracle/judged-keys.js'
import { type ShownBreach, shownBreach } from '../../oracle/shown-breach.js'
import { heldBackKey } from '../../readings/other-users.js'
import { viewOf } from '../../readings/quota-views.js'
import type { Finding } from '../../verdict/verdict.js'
import type { PlayAgain } from './check.js'
import { fail, inconclusive, type SentencesOf } from './finding.js'
import { diagnosisFacts, diagnosisInWords } from './in-words.js'
import { burstRows, isLoaded, loadProfiles, noRoomFor } from './loads.js'
import type { SharedCode } from './shared-sentences.js'
import { explainedOnEvery, heldByAnotherKey, noLoadOnAnyKey, quotaNotJudged } from './unplayed.js'

/** A time in words, closely where another one would look alike. */
const apartFrom = (otherMs: number, ms: number): string =>
  formatDuration(ms) === formatDuration(otherMs) ? formatClosely(ms) : formatDuration(ms)

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
    limit: window.limit,
    windowMs: window.windowMs,
    bucket: agreed.burst === undefined ? null : { refill: agreed.limit, everyMs: agreed.windowMs },
    reason,
    closest: judgement.closest,
    exchanges: Math.ceil(overAdmitted + earlyRefused),
    ...countsOf(shownBreach(key, burstRows(evidence, key))),
    ...diagnosisFacts(diagnosis),
  }
}

/** The exchanges that refute the closest limiter of a key. */
export const judgedWitnesses = ({ judgement, record }: JudgedKey) =>
  judgement?.verdict === 'fail' ? judgement.refutation.witnesses.map((i) => record.witness(i)) : []

/** The clause that says that each side of a limit is kept. */
const clauseOf = { 'over-admission': 'QUOTA-1', 'early-refusal': 'QUOTA-2' } as const satisfies Record<
  BrokenSide,
  ClauseId
>
type LimitClause = (typeof clauseOf)[BrokenSide]

/** The facts of the first plan, and beside them those of every plan that breaks the clause. */
const failureOf = (evidence: Evidence, clause: LimitClause, broken: readonly [JudgedKey, ...JudgedKey[]]) => {
  const [first] = broken
  const facts = { clause, ...brokenPlan(evidence, first), plans: broken.map((key) => brokenPlan(evidence, key)) }
  return fail('no-limiter-explains', facts, ...broken.flatMap(judgedWitnesses))
}

const openFor = (judged: readonly JudgedKey[], reason: string): string[] =>
  judged.flatMap(({ plan, judgement }) =>
    judgement?.verdict === 'inconclusive' && judgement.reason === reason ? [plan] : [],
  )

/** What another load would settle. */
const mendable: ReadonlySet<unknown> = new Set(['limit-never-reached', 'generator-late'])
const isMendable = ({ code, facts }: Pick<Finding, 'code' | 'facts'>): boolean =>
  code === 'quota-not-judged' && mendable.has(facts.reason)

/** A little more than the limit tells as well as half as much again, and a slow target gets through it within a window. */
const loadAlone = { overshoot: 1.05, end: 'load' }

/** No limiter counts what came before two windows of silence. */
const afterLongSilence = { silence: 2 }

/** What shows when a window ends that was asked while it refused. */
const isOfEnd = (defect: string): boolean => /^(window|refusals-|requests-)/.test(defect)

/** Each load shows some of these, whatever came before it. */
const isOfCounts = (defect: string): boolean => /^(lost|fail-open)-/.test(defect)

/** A count that is raised late shows where many ask at once, and more of them do. */
const isRace = (defect: string): boolean => /^race-/.test(defect)
const manyAtOnce = { overshoot: 2.2, connections: 150 }

/** What comes first after a silence is to be one of many: a bucket would give back an opener meanwhile. */
const isOfFirst = (defect: string): boolean => defect === 'first-free'
const unopened = { opener: false }

/** The defects that a finding says could still hide. */
const hiddenIn = ({ code, facts }: Pick<Finding, 'code' | 'facts'>): readonly string[] =>
  code === 'defect-may-hide' ? (facts.defects as readonly string[]) : []

/** Every plan that a load would settle, those for another reason as well: they are played at once, for a run repeats seldom. */
const unsettledBy = ({ facts }: Pick<Finding, 'facts'>): readonly string[] => [
  ...(facts.plans as readonly string[]),
  ...((facts.unsettled ?? []) as readonly string[]),
]

/** A load that could not have shown another limit on some plans, played again on these keys, smaller. */
export const burstAgain: PlayAgain = {
  probe: 'burst',
  beside: loadProfiles,
  settings: (finding) => {
    const { facts } = finding
    if (isMendable(finding)) return { plans: unsettledBy(finding), ...loadAlone }
    const hidden = hiddenIn(finding)
    if (hidden.every(isOfEnd)) return undefined
    return {
      plans: facts.plans,
      ...loadAlone,
      ...(hidden.some(isRace) && manyAtOnce),
      ...(hidden.some(isOfFirst) && unopened),
      ...(!hidden.every(isOfCounts) && afterLongSilence),
    }
  },
  dearest: { ...loadAlone, ...manyAtOnce, ...afterLongSilence },
}

/** The ends of two windows in a row, asked for once more where they would show what could hide, or a load told nothing. */
const splitAgain: PlayAgain = {
  probe: 'split',
  beside: loadProfiles,
  settings: (finding) =>
    isMendable(finding) || hiddenIn(finding).some(isOfEnd) ? { plans: unsettledBy(finding) } : undefined,
  dearest: {},
}

export const loadedAgain = [burstAgain, splitAgain]

/** Whether a load put the key's limit to the test, so that the oracle's word on it stands, whatever it is. */
export const isTested = (evidence: Evidence, { name, judgement }: JudgedKey): boolean =>
  judgement?.verdict === 'fail' ||
  (judgement !== null &&
    isLoaded(evidence, name) &&
    (judgement.verdict === 'pass' || judgement.reason !== 'limit-never-reached'))

/** Whether only a sliding counter explains a key, by what it still held of the window before: another limit may look the same. */
const isCarriedOver = ({ judgement }: JudgedKey): boolean =>
  judgement?.verdict === 'pass' && judgement.models.every((name) => name === 'sliding-counter')

/** Beside what settles a defect a run takes so many: three to meet a key, an opener, questions, and those that put pets back. */
const besideSettling = 20

/** The finding where defects could still hide, told by the first; undefined where none could. */
export const hiding = (hidden: readonly Hidden[]) => {
  if (hidden.length === 0) return undefined
  const [{ plan, limit, ofDay, defect, caught, draws }] = hidden
  const plans = [...new Set(hidden.map((each) => each.plan))]
  const defects = [...new Set(hidden.map((each) => each.defect.id))]
  const settledBy = defectFamily(defect.id)?.takes(limit, defect.id) ?? null
  const tooSmallDay = settledBy !== null && settledBy + besideSettling > ofDay ? ofDay : null
  const facts = { plan, words: defect.words, caught, draws, settledBy, tooSmallDay, plans, defects }
  return inconclusive('defect-may-hide', facts)
}

/**
 * What could still hide on the keys that the oracle passes: defects that break the clause, and that the run's own requests
 * would not have shown (the certificate). Undefined where nothing could. Where each refusal blocks the key, nobody can ask for
 * what would exclude most of it: there another limit has to be excluded where only a sliding counter explains the key, and
 * else a limit that was put to the test suffices.
 */
export const mayHide = (evidence: Evidence, clause: CertifiedClause, passed: readonly JudgedKey[]) => {
  const blocks = viewOf(evidence).blockedForMs > 0
  const names = new Set(passed.filter((key) => !blocks || isCarriedOver(key)).map(({ name }) => name))
  const hidden = hiddenDefects(evidence, clause, (name) => names.has(name)).filter(
    ({ defect }) => !blocks || defect.clauses.includes('QUOTA-5'),
  )
  return hiding(hidden)
}

/** What is lacking on the first of the keys whose limit no load could put to the test, for want of room in their day. */
export const withoutRoom = (evidence: Evidence, among: (key: JudgedKey) => boolean) =>
  judgedKeys(evidence)
    .filter((key) => among(key) && !isTested(evidence, key))
    .flatMap(({ name }) => noRoomFor(evidence, loadProfiles, { key: name, cut: true }) ?? [])[0]

/** Every key that is broken so is named, beginning with the first: none of them can tell of this clause. */
const brokenTheOtherWay = (plan: string, side: BrokenSide, judged: readonly JudgedKey[]) => {
  const isAlso = ({ judgement }: JudgedKey) => judgement?.verdict === 'fail' && judgement.side === side
  const plans = [...new Set([plan, ...judged.filter(isAlso).map((key) => key.plan)])]
  return inconclusive('broken-the-other-way', { plan, plans, clause: clauseOf[side] })
}

/** The oracle's word on one of the two clauses, over every key that a load was put on. */
export const judgedClause = (evidence: Evidence, clause: LimitClause) => {
  const isFixed = ({ plan }: JudgedKey) => !isAgreedPlan(evidence.run, plan)
  const judged = judgedKeys(evidence).filter((key) => key.judgement !== null && isFixed(key))
  const lacking = withoutRoom(evidence, isFixed)
  if (judged.length === 0) return lacking ? inconclusive('no-room-in-day', lacking) : noLoadOnAnyKey()
  const [broken, ...alsoBroken] = judged.filter(
    ({ judgement }) => judgement?.verdict === 'fail' && clauseOf[judgement.side] === clause,
  )
  // A key that another one spends as well has windows that nobody here opened: they excuse either way.
  if (broken && heldBackKey(evidence)) return heldByAnotherKey(broken.plan)
  if (broken) return failureOf(evidence, clause, [broken, ...alsoBroken])
  if (lacking) return inconclusive('no-room-in-day', lacking)
  const open = judged.find(({ judgement }) => judgement?.verdict !== 'pass')
  if (open?.judgement?.verdict === 'fail') return brokenTheOtherWay(open.plan, open.judgement.side, judged)
  const hidden = mayHide(evidence, clause, judged)
  if (open?.judgement?.verdict === 'inconclusive') {
    const { reason } = open.judgement
    return quotaNotJudged(open.plan, reason, openFor(judged, reason), hidden?.facts.plans)
  }
  if (hidden) return hidden
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
  const { plan, windowMs, admitted, withinMs } = broken
  return admitted === null || withinMs === null
    ? `${planName(plan)} admits more than its ${agreedInWords(broken)}`
    : `${planName(plan)} admitted ${count(admitted)} within ${apartFrom(windowMs, withinMs)}, beyond its limit of ${agreedInWords(broken)}`
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

type Hiding = NonNullable<ReturnType<typeof mayHide>>

/** What could still hide, and how often a replay of the run would have shown it. */
export const hiddenInWords = ({
  plan,
  words,
  caught,
  draws,
  settledBy,
  tooSmallDay,
  defects,
}: Hiding['facts']): string => {
  const others = defects.length > 1 ? ` (and so could ${count(defects.length - 1)} more)` : ''
  const why =
    draws === 1
      ? 'the answers fit that as well'
      : `of ${draws} replays of this run with such a limiter ${caught === 0 ? 'none' : `only ${caught}`} would have shown it`
  const more =
    settledBy === null ? '' : `. About ${count(settledBy)} requests on that key, sent for it, would settle it`
  const day =
    tooSmallDay === null
      ? ''
      : `, beside some ${besideSettling} that any run takes: its day of ${count(tooSmallDay)} hardly has room for them`
  return `${words} could still hide on ${planName(plan)}: ${why}${others}${more}${day}`
}

/** The sentence of {@link mayHide}, which the checks of Enterprise share. */
export const mayHideSentence = {
  'defect-may-hide': hiddenInWords,
} satisfies SentencesOf<Hiding>

export const clauseSentences = {
  ...mayHideSentence,
  'no-limiter-explains': (f) => `${plansInWords(f.plans, f.clause)} ${whyNoChance(f)}`,
  'broken-the-other-way': (f) =>
    f.plans.length === 1
      ? `${planName(f.plan)} breaks ${f.clause}: fix that first, then this can be judged`
      : `${listInWords(f.plans.map(planName))} break ${f.clause}: fix that first, then this can be judged`,
} satisfies SentencesOf<OfClause, Exclude<OfClause['code'], SharedCode>>
