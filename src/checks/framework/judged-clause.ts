import { hiddenDefects } from '../../certificate/certificates.js'
import type { CertifiedClause } from '../../certificate/named-defect.js'
import { defectFamily } from '../../contract/limiter-models.js'
import { isAgreedPlan } from '../../contract/petstore/petstore.js'
import { planName } from '../../contract/plans.js'
import type { Evidence } from '../../evidence/evidence.js'
import { count, formatClosely, listInWords } from '../../kit/words.js'
import { heldBackKey } from '../../oracle/held-back-key.js'
import type { BrokenSide } from '../../oracle/judge-quota.js'
import { type JudgedKey, judgedKeys } from '../../oracle/judged-keys.js'
import { viewOf } from '../../readings/quota-views.js'
import type { Finding } from '../../verdict/verdict.js'
import { brokenLimit, brokenSentence, type LimitClause, limitClauses } from './broken-limit.js'
import type { PlayAgain } from './check.js'
import { inconclusive, type SentencesOf } from './finding.js'
import { burstRows, isLoaded, loadProfiles, noRoomFor } from './loads.js'
import type { SharedCode } from './shared-sentences.js'
import { explainedOnEvery, heldByAnotherKey, noLoadOnAnyKey, quotaNotJudged } from './unplayed.js'

const openFor = (judged: readonly JudgedKey[], reason: string): string[] =>
  judged.flatMap(({ plan, judgement }) =>
    judgement?.verdict === 'inconclusive' && judgement.reason === reason ? [plan] : [],
  )

/** Doubts that another load would settle. */
const mendable: ReadonlySet<unknown> = new Set(['limit-never-reached', 'generator-late'])
const isMendable = ({ code, facts }: Pick<Finding, 'code' | 'facts'>): boolean =>
  code === 'quota-not-judged' && mendable.has(facts.reason)

/** A little more than the limit tells as much as 1.5 times the limit, and a slow target answers it within a window. */
const loadAlone = { overshoot: 1.05, end: 'load' }

/** No limiter counts what came before two windows of silence. */
const afterLongSilence = { silence: 2 }

/** Defects that show at the end of a window in which requests were sent while it refused. */
const isOfEnd = (defect: string): boolean => /^(window|refusals-|requests-)/.test(defect)

const isOfLength = (defect: string): boolean => defect.startsWith('window')

/** Defects that a load may show whatever came before it. */
const isOfCounts = (defect: string): boolean => /^(lost|fail-open|race)-/.test(defect)

/** A limit off by one shows in what a bucket gives back over several windows, or in a burst after a long silence. */
const isOfLimit = (defect: string): boolean => /^limit[+-]1$/.test(defect)
const manyRefills = { refills: 3 }

/** A count that is raised late shows if many requests come at once: the more come, the more slip through. */
const isRace = (defect: string): boolean => /^race-/.test(defect)
const manyAtOnce = { overshoot: 2.2, connections: 150 }

/** The burst itself has to come first after the silence: if an opener does, a bucket gives it back before the burst. */
const isOfFirst = (defect: string): boolean => defect === 'first-free'
const unopened = { opener: false }

const hiddenIn = ({ code, facts }: Pick<Finding, 'code' | 'facts'>): readonly string[] => {
  const hidden = code === 'defect-may-hide' ? (facts.defects as readonly string[]) : []
  return facts.settledBy === 'fewer-models' ? hidden.filter((id) => !isOfLength(id)) : hidden
}

/** Every plan that a load would settle, whatever the reason: all are played at once, as a run seldom plays again. */
const unsettledBy = ({ facts }: Pick<Finding, 'facts'>): readonly string[] => [
  ...(facts.plans as readonly string[]),
  ...((facts.unsettled ?? []) as readonly string[]),
]

/** Plays a smaller burst on the plans whose loads could not have shown another limit. */
export const burstAgain: PlayAgain = {
  probe: 'burst',
  beside: loadProfiles,
  settings: (finding) => {
    const { facts } = finding
    if (isMendable(finding)) return { plans: unsettledBy(finding), ...loadAlone }
    const hidden = hiddenIn(finding)
    if (hidden.every(isOfEnd)) return undefined
    // Any key shows it after one window of silence, so one is enough.
    if (hidden.every(isOfFirst)) return { plans: [facts.plan], ...loadAlone, ...unopened }
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

/** Plays the ends of two windows in a row again, if that would show what could hide, or if a load told nothing. */
export const splitAgain: PlayAgain = {
  probe: 'split',
  beside: loadProfiles,
  settings: (finding) => {
    const hidden = hiddenIn(finding)
    const isOfBuckets = hidden.some(isOfLimit)
    if (!isMendable(finding) && !isOfBuckets && !hidden.some(isOfEnd)) return undefined
    return { plans: unsettledBy(finding), ...(isOfBuckets && manyRefills) }
  },
  dearest: manyRefills,
}

export const loadedAgain = [burstAgain, splitAgain]

/** Whether a load tested the key's limit, so that the oracle's verdict stands, whatever it is. */
export const isTested = (evidence: Evidence, { name, judgement }: JudgedKey): boolean =>
  judgement?.verdict === 'fail' ||
  (judgement !== null &&
    isLoaded(evidence, name) &&
    (judgement.verdict === 'pass' || judgement.reason !== 'limit-never-reached'))

/** Whether only a sliding counter explains the key, by what it carried over: another limit may look the same. */
const isCarriedOver = ({ judgement }: JudgedKey): boolean =>
  judgement?.verdict === 'pass' && judgement.models.every((name) => name === 'sliding-counter')

/** What a run sends besides requests that settle a defect: three to meet a key, an opener, single ones, pets put back. */
const besideSettling = 20

type Hidden = ReturnType<typeof hiddenDefects>

/** The plans whose load may settle what could hide: of a defect that any key shows, the likeliest, else the smallest. */
const settlingPlans = (hidden: Hidden): string[] => {
  const share = ({ caught, draws }: Hidden[number]) => caught / draws
  const isBetter = (one: Hidden[number], other: Hidden[number]) =>
    share(one) === share(other) ? one.limit < other.limit : share(one) > share(other)
  const best = new Map<string, Hidden[number]>()
  for (const each of hidden) {
    const known = best.get(each.defect.id)
    if (!known || isBetter(each, known)) best.set(each.defect.id, each)
  }
  const isAsked = (each: Hidden[number]) => each.defect.of === 'each key' || best.get(each.defect.id) === each
  return [...new Set(hidden.filter(isAsked).map((each) => each.plan))]
}

/**
 * About how many requests would settle what could hide; null if nobody knows. No number settles another limit while answers
 * are slower than the quota gives requests back. No number does for a window of another
 * length, if a sliding counter may count a limit of 1: it admits at once in the next window if it rounds down, and in that
 * one never if it rounds up. So one of any length explains requests that are admitted about a window apart.
 */
const settlingRequests = ({ limit, mayWeigh, blur, defect: { id } }: Hidden[number]) => {
  if (limit === 1 && mayWeigh && isOfLength(id)) return 'fewer-models' as const
  return blur && isOfLimit(id) ? blur : (defectFamily(id)?.takes(limit, id) ?? null)
}

/** The finding if defects could still hide, with the facts of the first; undefined if none could. */
export const hiding = (hidden: Hidden) => {
  if (hidden.length === 0) return undefined
  const [{ plan, ofDay, defect, caught, draws }] = hidden
  const plans = settlingPlans(hidden)
  const defects = [...new Set(hidden.map((each) => each.defect.id))]
  const settledBy = settlingRequests(hidden[0])
  const tooSmallDay = typeof settledBy === 'number' && settledBy + besideSettling > ofDay ? ofDay : null
  const facts = { plan, words: defect.words, caught, draws, settledBy, tooSmallDay, plans, defects }
  return inconclusive('defect-may-hide', facts)
}

/**
 * What could still hide on the keys that the oracle passes: defects that break the clause and that the run's own
 * requests would not have shown (the certificate). Undefined if nothing could. If each refusal blocks the key, nobody
 * can send what would exclude most defects: then only another limit has to be excluded, and only where nothing but a
 * sliding counter explains the key; elsewhere a tested limit suffices.
 */
export const mayHide = (evidence: Evidence, clause: CertifiedClause, passed: readonly JudgedKey[]) => {
  const blocks = viewOf(evidence).blockedForMs > 0
  const names = new Set(passed.filter((key) => !blocks || isCarriedOver(key)).map(({ name }) => name))
  const hidden = hiddenDefects(evidence, clause, (name) => names.has(name)).filter(
    ({ defect }) => !blocks || defect.clauses.includes('QUOTA-5'),
  )
  return hiding(hidden)
}

/** The room that is lacking on the first of these keys whose limit no load could test, because its day had too little. */
export const withoutRoom = (evidence: Evidence, among: (key: JudgedKey) => boolean) =>
  judgedKeys(evidence)
    .filter((key) => among(key) && !isTested(evidence, key))
    .flatMap(({ name }) => noRoomFor(evidence, loadProfiles, { key: name, cut: true }) ?? [])[0]

/** Names every key that breaks the other clause, the first one first: none of them says anything about this one. */
const brokenTheOtherWay = (plan: string, side: BrokenSide, judged: readonly JudgedKey[]) => {
  const isAlso = ({ judgement }: JudgedKey) => judgement?.verdict === 'fail' && judgement.side === side
  const plans = [...new Set([plan, ...judged.filter(isAlso).map((key) => key.plan)])]
  return inconclusive('broken-the-other-way', { plan, plans, clause: limitClauses[side] })
}

/** The oracle's verdict on one of the two clauses, over every key that was loaded. */
export const judgedClause = (evidence: Evidence, clause: LimitClause) => {
  const isFixed = ({ plan }: JudgedKey) => !isAgreedPlan(evidence.run, plan)
  const judged = judgedKeys(evidence).filter((key) => key.judgement !== null && isFixed(key))
  const lacking = withoutRoom(evidence, isFixed)
  if (judged.length === 0) return lacking ? inconclusive('no-room-in-day', lacking) : noLoadOnAnyKey()
  const [broken, ...alsoBroken] = judged.filter(
    ({ judgement }) => judgement?.verdict === 'fail' && limitClauses[judgement.side] === clause,
  )
  // If another key spends this one too, it has windows that nobody here opened: they excuse either breach.
  if (broken && heldBackKey(evidence)) return heldByAnotherKey(broken.plan)
  if (broken) return brokenLimit(clause, [broken, ...alsoBroken], (key) => burstRows(evidence, key))
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

type Hiding = NonNullable<ReturnType<typeof mayHide>>

const settledInWords = (settledBy: Hiding['facts']['settledBy']): string => {
  if (settledBy === null) return ''
  if (settledBy === 'fewer-models')
    return '. With a limit of 1, a sliding counter explains windows of nearly any length: more requests would not settle it, but a contract whose models leave out sliding-counter would'
  if (typeof settledBy === 'number')
    return `. About ${count(settledBy)} requests on that key for this purpose would settle it`
  const [took, back] = [settledBy.tookMs, settledBy.backMs].map(formatClosely)
  return `. Admissions took ${took}, and the quota gives a request back every ${back}: only quicker answers would show how many were left`
}

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
      ? 'the answers fit that defect as well'
      : `of ${draws} replays of this run with such a limiter ${caught === 0 ? 'none' : `only ${caught}`} would have shown it`
  const day =
    tooSmallDay === null
      ? ''
      : `, beside about ${besideSettling} that any run sends, but its day of ${count(tooSmallDay)} hardly has room for them`
  return `${words} could still hide on ${planName(plan)}: ${why}${others}${settledInWords(settledBy)}${day}`
}

/** Says what could still hide; for every check that uses {@link mayHide} or {@link hiding}. */
export const mayHideSentence = {
  'defect-may-hide': hiddenInWords,
} satisfies SentencesOf<Hiding>

export const clauseSentences = {
  ...mayHideSentence,
  ...brokenSentence,
  'broken-the-other-way': (f) =>
    f.plans.length === 1
      ? `${planName(f.plan)} breaks ${f.clause}: fix that first, then this can be judged`
      : `${listInWords(f.plans.map(planName))} break ${f.clause}: fix that first, then this can be judged`,
} satisfies SentencesOf<OfClause, Exclude<OfClause['code'], SharedCode>>
