import { hiddenDefects } from '../../certificate/certificates.js'
import type { CertifiedClause } from '../../certificate/named-defect.js'
import { defectFamily } from '../../contract/limiter-models.js'
import { isAgreedPlan } from '../../contract/petstore/petstore.js'
import { planName } from '../../contract/plans.js'
import type { Evidence } from '../../evidence/evidence.js'
import { count, listInWords } from '../../kit/words.js'
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

/** One limit is told from the next by what a bucket gives back in several windows, or by a burst behind a long silence. */
const isOfLimit = (defect: string): boolean => /^limit[+-]1$/.test(defect)
const manyRefills = { refills: 3 }

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
    // Any key shows it, behind one window of silence: the one with the smallest limit.
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

/** The ends of two windows in a row, asked for once more where they would show what could hide, or a load told nothing. */
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

type Hidden = ReturnType<typeof hiddenDefects>

/** On which plans a load may settle what could hide: what any key would show, the one that nearly did, or that costs least. */
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

/** The finding where defects could still hide, told by the first; undefined where none could. */
export const hiding = (hidden: Hidden) => {
  if (hidden.length === 0) return undefined
  const [{ plan, limit, ofDay, defect, caught, draws }] = hidden
  const plans = settlingPlans(hidden)
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
  return inconclusive('broken-the-other-way', { plan, plans, clause: limitClauses[side] })
}

/** The oracle's word on one of the two clauses, over every key that a load was put on. */
export const judgedClause = (evidence: Evidence, clause: LimitClause) => {
  const isFixed = ({ plan }: JudgedKey) => !isAgreedPlan(evidence.run, plan)
  const judged = judgedKeys(evidence).filter((key) => key.judgement !== null && isFixed(key))
  const lacking = withoutRoom(evidence, isFixed)
  if (judged.length === 0) return lacking ? inconclusive('no-room-in-day', lacking) : noLoadOnAnyKey()
  const [broken, ...alsoBroken] = judged.filter(
    ({ judgement }) => judgement?.verdict === 'fail' && limitClauses[judgement.side] === clause,
  )
  // A key that another one spends as well has windows that nobody here opened: they excuse either way.
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
  ...brokenSentence,
  'broken-the-other-way': (f) =>
    f.plans.length === 1
      ? `${planName(f.plan)} breaks ${f.clause}: fix that first, then this can be judged`
      : `${listInWords(f.plans.map(planName))} break ${f.clause}: fix that first, then this can be judged`,
} satisfies SentencesOf<OfClause, Exclude<OfClause['code'], SharedCode>>
