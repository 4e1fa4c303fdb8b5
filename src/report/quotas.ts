import { limiterName } from '../contract/limiter-models.js'
import { planName } from '../contract/plans.js'
import { openedInWords } from '../contract/request-spellings.js'
import { count, formatDuration, listInWords } from '../kit/words.js'
import type { Fact } from '../verdict/verdict.js'
import type { CheckRow, QuotaRow, Report } from './model.js'

/** Whether a window is one of the bundled contract's, which are words; the quotas of a contract file have ids. */
const isWord = (window: string): boolean => window === 'minute' || window === 'day'

/** The window of a quota, as used after a count: `a minute`, `in 20.0 s`, or `at once` for a bucket. */
export const windowInWords = (quota: Pick<QuotaRow, 'window' | 'windowMs' | 'bucket'>): string => {
  if (isWord(quota.window)) return `a ${quota.window}`
  return quota.bucket ? 'at once' : `in ${formatDuration(quota.windowMs)}`
}

export const isRecord = (value: Fact | undefined): value is { readonly [name: string]: Fact } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const brokenPlan = (facts: { readonly [name: string]: Fact }) =>
  typeof facts.plan === 'string'
    ? [{ plan: facts.plan, looksLike: typeof facts.looksLike === 'string' ? facts.looksLike : null }]
    : []

/** The plans that a finding about quotas names; a report by an older version names only the first. */
export const brokenPlansOf = ({ facts }: Pick<CheckRow, 'facts'>): ReturnType<typeof brokenPlan> => {
  const { plans } = facts
  return Array.isArray(plans) ? plans.filter(isRecord).flatMap(brokenPlan) : brokenPlan(facts)
}

/** The quotas that a QUOTA-1 or QUOTA-2 finding names, the smallest limit first: it takes the fewest requests to show. */
export const brokenQuotas = ({ quotas }: Pick<Report, 'quotas'>, check: CheckRow): QuotaRow[] => {
  if (!/^QUOTA-[12]$/.test(check.clauses[0] ?? '')) return []
  const plans = new Set(brokenPlansOf(check).map(({ plan }) => plan))
  return quotas.filter(({ plan }) => plans.has(plan)).toSorted((a, b) => a.limit - b.limit)
}

type Phrase = readonly [one: string, several: string]

/** Phrases for diagnoses that say it all; any other diagnosis follows the general phrase as what it looks like. */
const plain: Readonly<Record<string, Phrase>> = {
  'limit-higher-by-one': ['admits one request too many', 'admit one request too many'],
  'limit-lower-by-one': ['refuses one request too early', 'refuse one request too early'],
  'no-limit': ['enforces no limit', 'enforce no limit'],
}

const phrases: Readonly<Record<string, Phrase>> = {
  'QUOTA-1': ['admits more than its limit', 'admit more than their limits'],
  'QUOTA-2': ['refuses what its limit still allows', 'refuse what their limits still allow'],
}

const plansInWords = (plans: readonly string[], [one, several]: Phrase, end: string): string =>
  `${listInWords(plans.map(planName))} ${plans.length === 1 ? one : several}${end}`

const windowOf = (quotas: readonly QuotaRow[], plans: readonly string[]): string => {
  const rows = quotas.filter(({ plan }) => plans.includes(plan))
  const words = [...new Set(rows.map(windowInWords))]
  return words.length === 1 ? ` ${words[0]}` : ''
}

/** A diagnosis with its numbers, if it is the same for all of the plans. */
const looksLike = (quotas: readonly QuotaRow[], plans: readonly string[]): string => {
  const seen = new Set(quotas.flatMap(({ plan, diagnosis }) => (plans.includes(plan) && diagnosis ? [diagnosis] : [])))
  return seen.size === 1 ? `, which looks like ${[...seen][0]}` : ''
}

/** The spellings that, by a QUOTA-6 finding, have a quota of their own. */
export const openedSpellings = ({ code, facts: { spellings } }: Pick<CheckRow, 'code' | 'facts'>): string[] =>
  code === 'spelling-opens-quota' && Array.isArray(spellings)
    ? spellings.filter((each): each is string => typeof each === 'string')
    : []

/** A finding on QUOTA-1, -2 or -6 in words, grouping plans that look alike; undefined for any other finding. */
export const quotaBreachInWords = (check: CheckRow, quotas: readonly QuotaRow[]): string | undefined => {
  const [clause = ''] = check.clauses
  const opened = openedSpellings(check)
  if (opened.length > 0) return openedInWords(opened)
  if (check.code === 'routes-count-alone') return 'each route has a count of its own'
  const phrase = phrases[clause]
  const broken = brokenPlansOf(check)
  if (phrase === undefined || broken.length === 0) return undefined
  const kinds = [...new Set(broken.map((each) => each.looksLike))]
  const told = kinds.map((kind) => {
    const plans = broken.filter((each) => each.looksLike === kind).map(({ plan }) => plan)
    const clear = kind === null ? undefined : plain[kind]
    if (clear) return plansInWords(plans, clear, kind === 'no-limit' ? '' : windowOf(quotas, plans))
    return plansInWords(plans, phrase, kind === null ? '' : looksLike(quotas, plans))
  })
  return listInWords(told)
}

/** What the picture of a breach shows: `61 admitted within 0.1 s, limit 60`, `Refused with at most 41 of 60 admitted`. */
export const breachCount = ({ breach, limit }: QuotaRow): string | undefined => {
  if (!breach) return undefined
  const admitted = count(breach.admitted)
  if (breach.kind === 'early-refusal') return `Refused with at most ${admitted} of ${count(limit)} admitted`
  return `${admitted} admitted within ${formatDuration(breach.toMs - breach.fromMs)}, limit ${count(limit)}`
}

/** Whether every answer of a quota fits its limit, proven or not. */
export const fitsLimit = ({ verdict, unproven }: Pick<QuotaRow, 'verdict' | 'unproven'>): boolean =>
  verdict === 'pass' || unproven !== undefined

/** Whether the counts of a quota are for a burst on a fresh window rather than the whole run. */
export const hasBurst = ({ sent, history }: Pick<QuotaRow, 'sent' | 'history'>): boolean => sent < history.sent

/** The reported counts: those of the burst or, if nothing in it was refused, those of the whole run. */
export const toldCounts = (quota: QuotaRow): QuotaRow['history'] =>
  quota.refused === 0 && quota.history.refused > 0 ? quota.history : quota

/** The time over which a key's requests were spread: `over 6 windows`; undefined if one window may hold them all. */
export const spreadInWords = (report: Pick<Report, 'timelines'>, quota: QuotaRow): string | undefined => {
  const story = report.timelines.find(({ plan, windowMs }) => plan === quota.plan && windowMs === quota.windowMs)
  const sent = story?.points.map(([at]) => at) ?? []
  const first = sent.reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY)
  const last = sent.reduce((most, at) => Math.max(most, at), Number.NEGATIVE_INFINITY)
  if (!(last - first > quota.windowMs)) return undefined
  return quota.bucket
    ? `within ${formatDuration(last - first)}`
    : `over ${Math.ceil((last - first) / quota.windowMs)} windows`
}

/** A remark if a quota's counts are sums over several windows: `in total, over 6 windows`. */
export const inAllInWords = (report: Pick<Report, 'timelines'>, quota: QuotaRow): string | undefined => {
  const spread = toldCounts(quota).sent < quota.history.sent ? undefined : spreadInWords(report, quota)
  return spread && `in total, ${spread}`
}

/** The failed limit checks about this quota: those that name its plan, or all if none does. */
const failedChecks = ({ checks }: Pick<Report, 'checks'>, { plan }: QuotaRow): readonly CheckRow[] => {
  const failed = checks.filter(({ verdict, clauses }) => verdict === 'fail' && /^QUOTA-[1235]$/.test(clauses[0] ?? ''))
  const own = failed.filter((check) => brokenPlansOf(check).some((each) => each.plan === plan))
  return own.length > 0 ? own : failed
}

/** For a broken quota with a known failure: `known, and waived until 2026-12-31 (QUOTA-1)`. */
export const waivedInWords = (report: Pick<Report, 'checks'>, quota: QuotaRow): string | undefined => {
  const failed = quota.verdict === 'fail' ? failedChecks(report, quota) : []
  const until = failed.flatMap(({ waived }) => waived?.until ?? []).sort()[0]
  if (until === undefined || failed.some(({ waived }) => waived === null)) return undefined
  return `known, and waived until ${until} (${listInWords([...new Set(failed.map(({ clauses }) => clauses[0] ?? ''))])})`
}

/** Families of limiters that share a ceiling. */
export type Family = 'log' | 'bucket' | 'windows'

export const familyOf = (model: string): Family =>
  /log/.test(model) ? 'log' : /bucket|gcra/.test(model) ? 'bucket' : 'windows'

/** Whether windows explain what was seen of a kept quota, rather than only a bucket. */
const mayBeWindows = (quota: QuotaRow): boolean => {
  const families = modelsBy(quota, 'explained').map(familyOf)
  return families.includes('windows') || !families.includes('bucket')
}

const across = ({ limit }: QuotaRow): string =>
  `where one window ends and the next begins, each may admit its ${count(limit)}, so up to ${count(2 * limit)} can come close together`

const fromBucket = ({ limit }: QuotaRow): string =>
  `a full bucket admits ${count(limit)} at once, plus what it refills meanwhile: up to ${count(2 * limit)} in all`

/** For a broken quota, what proves it instead of its fullest span; empty if there is no picture of it. */
const whatProvesIt = ({ breach }: QuotaRow): string => {
  if (!breach) return ''
  const seen =
    breach.kind === 'over-admission'
      ? `the ${count(breach.admitted)} admitted within ${formatDuration(breach.toMs - breach.fromMs)}`
      : `the refusal with at most ${count(breach.admitted)} admitted`
  return ` What breaks the limit is ${seen}: no permitted way of counting explains it together with the rest of the run.`
}

/** The most admitted in any span of one window, and what follows: above the limit it needs an explanation. */
export const mostAdmittedInWords = (quota: QuotaRow): string => {
  const { limit, worstMinute } = quota
  const most = `Most admitted in any ${formatDuration(quota.windowMs)}: ${count(worstMinute)}`
  if (worstMinute <= limit) return `${most}, never more than the limit.`
  if (fitsLimit(quota)) {
    const why = mayBeWindows(quota) ? across(quota) : fromBucket(quota)
    return `${most}. With a limit of ${count(limit)} that is no breach: ${why}.`
  }
  const isBucket = quota.bucket !== undefined
  if (worstMinute > 2 * limit)
    return `${most}: more than ${isBucket ? 'a full bucket and its refill in that time may admit' : 'even two windows side by side may admit'} (${count(2 * limit)}).`
  return `${most}. That alone proves nothing: ${isBucket ? fromBucket(quota) : across(quota)}.${whatProvesIt(quota)}`
}

/** Why a kept quota's burst has a number of admissions other than its limit; undefined if it needs no explanation. */
export const besideLimitInWords = (quota: QuotaRow): string | undefined => {
  const { limit, admitted, refused } = quota
  if (!fitsLimit(quota) || !hasBurst(quota) || admitted === limit) return undefined
  if (admitted < limit) return refused > 0 ? 'requests before this burst counted too' : undefined
  const why =
    quota.bucket === undefined && mayBeWindows(quota)
      ? `the burst fell into two windows, and each may admit its ${count(limit)}`
      : `a full bucket admits ${count(limit)} at once, plus what it refills meanwhile`
  return `${count(admitted)} with a limit of ${count(limit)} is no breach: ${why}`
}

const petstore = { one: 'Plan', many: 'Plans', hasInventory: true, agreedPlan: 'enterprise' }
const ofFile = { one: 'Credential', many: 'Credentials', hasInventory: false, agreedPlan: null }

/** What a report is about: the Petstore, with plans and an inventory, or a contract file, with credentials. */
export const subjectOf = ({ target: { contract } }: Pick<Report, 'target'>) =>
  contract === undefined ? { ...petstore, contract: 'the Petstore interface' } : { ...ofFile, contract }

export const modelsBy = (quota: QuotaRow, verdict: 'explained' | 'refuted'): string[] =>
  Object.entries(quota.models).flatMap(([name, each]) => (each === verdict ? [name] : []))

/** What the models say about a quota, in a phrase; if it is not judged, why. */
export const modelsPhrase = (quota: QuotaRow): string => {
  const explained = modelsBy(quota, 'explained')
  if (quota.diagnosis !== null) return `looks like ${quota.diagnosis.replace(/^(this )?looks like /i, '')}`
  if (quota.unproven !== undefined) return `every answer is within the limit, but ${quota.reason}`
  if (quota.reason !== undefined) return quota.reason
  if (explained.length > 1 && modelsBy(quota, 'refuted').length === 0)
    return 'fits every permitted way of counting: too little was seen to tell them apart'
  if (explained.length > 0) return `counts like ${listInWords(explained.map(limiterName), 'or')}`
  return modelsBy(quota, 'refuted').length > 0 ? 'fits no permitted way of counting' : 'not judged'
}

/** Plans in the order of their first mention in the report. */
export const plansOf = (report: Pick<Report, 'quotas' | 'timelines' | 'load'>): string[] => [
  ...new Set([...report.quotas, ...report.timelines, ...report.load].map((each) => each.plan)),
]

/** What a quota row is about: `free minute`, or `free (core)`, which already names the quota. */
export const quotaName = ({ plan, window }: Pick<QuotaRow, 'plan' | 'window'>, joint = ' '): string =>
  isWord(window) ? `${plan}${joint}${window}` : plan

/** The source of a limit that the interface does not set: Enterprise's is agreed, and given to each run. */
export const limitSource = (
  { run, target }: Pick<Report, 'run' | 'target'>,
  { plan }: Pick<QuotaRow, 'plan'>,
): string => {
  if (plan !== subjectOf({ target }).agreedPlan) return ''
  return run.command.includes('--quota ') ? ' (set by --quota)' : ' (set for this run)'
}

/** A limit with its window: `60 requests a minute`, or `40 requests in 20.0 s`. */
export const limitInWords = (quota: Pick<QuotaRow, 'limit' | 'window' | 'windowMs' | 'bucket'>): string => {
  const { limit, window, bucket } = quota
  const told = `${count(limit)} requests ${windowInWords(quota)}`
  return bucket && !isWord(window)
    ? `${told}, and ${count(bucket.refill)} more every ${formatDuration(bucket.everyMs)}`
    : told
}
