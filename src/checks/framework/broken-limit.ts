import type { ClauseId } from '../../contract/clauses.js'
import { limiterNames } from '../../contract/limiter-models.js'
import { planName } from '../../contract/plans.js'
import { count, counted, formatClosely, formatDuration } from '../../kit/words.js'
import type { BrokenSide } from '../../oracle/judge-quota.js'
import { shownBreach, type ToldKey } from '../../oracle/shown-breach.js'
import { fail, type SentencesOf } from './finding.js'
import { diagnosisFacts, diagnosisInWords } from './in-words.js'

const apartFrom = (otherMs: number, ms: number): string =>
  formatDuration(ms) === formatDuration(otherMs) ? formatClosely(ms) : formatDuration(ms)

/** The facts of a broken key; `admitted` and `withinMs` are null if no stretch of requests shows the breach. */
const brokenPlan = (key: ToldKey, burst: readonly number[]) => {
  const { plan, window, judgement, diagnosis, agreed } = key
  if (judgement?.verdict !== 'fail') throw new Error(`the ${plan} plan has not failed`)
  const { reason, overAdmitted, earlyRefused } = judgement.refutation
  const shown = shownBreach(key, burst)
  return {
    plan,
    limit: window.limit,
    windowMs: window.windowMs,
    bucket: agreed.burst === undefined ? null : { refill: agreed.limit, everyMs: agreed.windowMs },
    reason,
    closest: judgement.closest,
    exchanges: Math.ceil(overAdmitted + earlyRefused),
    admitted: shown?.admitted ?? null,
    withinMs: shown ? Math.round(shown.toMs - shown.fromMs) : null,
    ...diagnosisFacts(diagnosis),
  }
}

/** The witnesses that refute the limiter closest to the key. */
export const judgedWitnesses = ({ judgement, record }: Pick<ToldKey, 'judgement' | 'record'>) =>
  judgement?.verdict === 'fail' ? judgement.refutation.witnesses.map((i) => record.witness(i)) : []

export const limitClauses = { 'over-admission': 'QUOTA-1', 'early-refusal': 'QUOTA-2' } as const satisfies Record<
  BrokenSide,
  ClauseId
>
export type LimitClause = (typeof limitClauses)[BrokenSide]

/** A failure with the facts of the first plan and of all `plans` that break the clause. `burstOf`: a key's burst. */
export const brokenLimit = <Key extends ToldKey>(
  clause: LimitClause,
  broken: readonly [Key, ...Key[]],
  burstOf: (key: Key) => readonly number[],
) => {
  const plans = broken.map((key) => brokenPlan(key, burstOf(key)))
  const facts = { clause, ...plans[0], plans }
  return fail('no-limiter-explains', facts, ...broken.flatMap(judgedWitnesses))
}

type BrokenPlan = ReturnType<typeof brokenPlan>

/** The limit as it follows "its": `60 in 6.0 s`, or for a bucket `40 at once and 2 more every 1.0 s`. */
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
    ? `${planName(plan)} refuses requests that its ${agreedInWords(broken)} still allow`
    : `${planName(plan)} refused a request although at most ${count(admitted)} of ${count(limit)} were admitted in the ${formatDuration(windowMs)} before it`
}

const planInWords = (broken: BrokenPlan, clause: string): string =>
  clause === 'QUOTA-1' ? admittedTooMuch(broken) : refusedTooEarly(broken)

const likenessInWords = ({ looksLike, looksLikeFacts }: BrokenPlan): string | undefined =>
  looksLike === null ? undefined : diagnosisInWords(looksLike, looksLikeFacts)

/** What each plan did. What it looks like is said once at the end if that is the same for all, else after each plan. */
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

/** Whether more was admitted than two adjacent windows allow, wherever their boundary lies. */
const isMoreThanTwoWindows = ({ bucket, admitted, limit }: BrokenPlan): boolean =>
  bucket === null && admitted !== null && admitted > 2 * limit

/** Why two windows that meet do not explain the finding: every permitted way of counting was tried. */
const whyNoChance = (f: BrokenPlan & { readonly clause: string; readonly plans: readonly BrokenPlan[] }): string => {
  if (f.clause === 'QUOTA-1' && f.plans.every(isMoreThanTwoWindows))
    return 'Even two adjacent windows admit at most twice the limit, and this is more'
  const closest = `The closest match (${limiterNames[f.closest]}) leaves ${counted(f.exchanges, 'request')} on ${planName(f.plan)} unexplained`
  if (f.bucket !== null)
    return `However full the bucket was before, no permitted way of counting fits the whole run. ${closest}`
  return f.clause === 'QUOTA-1'
    ? `Two adjacent windows do not explain this: no permitted way of counting fits the whole run. ${closest}`
    : `Earlier use of the quota does not explain this: no permitted way of counting fits the whole run. ${closest}`
}

export const brokenSentence = {
  'no-limiter-explains': (f) => `${plansInWords(f.plans, f.clause)} ${whyNoChance(f)}`,
} satisfies SentencesOf<ReturnType<typeof brokenLimit>>
