import { areas } from '../contract/clauses.js'
import { limiterName } from '../contract/limiter-models.js'
import { formatDuration } from '../kit/duration.js'
import { count, listInWords } from '../kit/words.js'
import type { Verdict } from '../verdict/verdict.js'
import type { CheckRow, ClauseRow, GateRow, QuotaRow, Report, Timeline, WaiverRow } from './model.js'

/** The areas of clauses, the one whose breach is gravest first: what a quota lets through, then who is let in, then what is stored. */
const areasByGravity = ['QUOTA', 'AUTH', 'INV', 'THROTTLE', 'RATE', 'SCHEMA', 'BASE', 'ERR', 'VER']

interface Weighed {
  readonly level: ClauseRow['level']
  readonly clauses: readonly string[]
}

const rankOfClause = (id: string): number => {
  const [area = '', number = '0'] = id.split('-')
  const rank = areasByGravity.indexOf(area)
  return (rank < 0 ? areasByGravity.length : rank) * 100 + Number(number)
}

const rank = ({ level, clauses }: Weighed): number => {
  const levels = { must: 0, should: 1, observe: 2 } as const
  return levels[level] * 10_000 + Math.min(...clauses.map(rankOfClause), 9_999)
}

/** The rows, the gravest first: `must` before `should`, quotas before all else, and clauses of an area in their order. */
export const byGravity = <T extends Weighed>(rows: readonly T[]): T[] => rows.toSorted((a, b) => rank(a) - rank(b))

/** What a failure of that level is in this run: a `should` only warns, unless the run is strict. */
export const breaksRun = (
  report: { readonly run: Pick<Report['run'], 'strict'> },
  level: ClauseRow['level'],
): boolean => level === 'must' || (level === 'should' && report.run.strict)

/** The checks whose failure makes the run fail, the gravest first. */
export const failures = (report: Report): CheckRow[] =>
  byGravity(
    report.checks.filter(
      (check) => check.verdict === 'fail' && check.waived === null && breaksRun(report, check.level),
    ),
  )

/** The checks that fail as is known: waived, so that they do not count. */
export const waivedFailures = (report: Report): CheckRow[] =>
  report.checks.filter((check) => check.verdict === 'fail' && check.waived !== null)

/** The gates on figures that are broken, and not waived. That of the level says what the clauses say. */
export const brokenGates = ({ gates }: Pick<Report, 'gates'>): GateRow[] =>
  gates.filter(({ id, verdict, waived }) => id !== 'level' && verdict === 'fail' && waived === null)

/** The waivers that fail the run: those that ended, and those of what passes now. */
export const brokenWaivers = (report: Pick<Report, 'waivers'>): WaiverRow[] =>
  report.waivers.filter(({ state }) => state === 'expired' || state === 'passes-now')

/** The failed checks that only warn. */
export const warnings = (report: Report): CheckRow[] =>
  report.checks.filter((check) => check.verdict === 'fail' && check.waived === null && !breaksRun(report, check.level))

/** Whether a clause is left open by a check that could not decide; not where another check has proven the clause. */
export const leavesOpen = ({ clauses }: Report, check: CheckRow): boolean =>
  clauses.some(({ id, verdict }) => verdict !== 'pass' && check.clauses.includes(id))

/** The checks that could not decide, of a level at which that leaves the run undecided, the gravest first. */
export const undecided = (report: Report): CheckRow[] =>
  byGravity(
    report.checks.filter(
      (check) =>
        check.verdict === 'inconclusive' &&
        check.waived === null &&
        breaksRun(report, check.level) &&
        leavesOpen(report, check),
    ),
  )

/** Where an inconclusive check follows from failures of the same run: what to do about it; `undefined` elsewhere. */
export const followsInWords = ({ followsFrom }: Pick<CheckRow, 'followsFrom'>): string | undefined =>
  followsFrom.length === 0
    ? undefined
    : `Follows from ${listInWords(followsFrom)}: repeat it once ${followsFrom.length === 1 ? 'that is' : 'they are'} fixed.`

/** How many clauses have each verdict. */
export const countClauses = (report: Report): Readonly<Record<Verdict, number>> => {
  const counts = { pass: 0, fail: 0, inconclusive: 0, observed: 0, 'not-tested': 0 }
  for (const clause of report.clauses) counts[clause.verdict] += 1
  return counts
}

/** The clauses that fail, apart: those that count, those that only warn, those that are waived. */
export const countFailures = (
  report: Report,
): { readonly failed: number; readonly warned: number; readonly waived: number } => {
  const all = report.clauses.filter(({ verdict }) => verdict === 'fail')
  const waived = all.filter((each) => each.waived !== null).length
  const warned = all.filter((each) => each.waived === null && !breaksRun(report, each.level)).length
  return { failed: all.length - waived - warned, warned, waived }
}

/** The counts of clauses in words. A breach that only warns is counted as a warning, so that the failed ones are those that count. */
export const clausesPhrase = (report: Report): string => {
  const of = countClauses(report)
  const { failed, warned, waived } = countFailures(report)
  return [
    `${of.pass} passed`,
    `${failed} failed`,
    ...(waived > 0 ? [`${waived} waived`] : []),
    ...(warned > 0 ? [counted(warned, 'warning')] : []),
    `${of.inconclusive} inconclusive`,
    `${of.observed} observed`,
    `${of['not-tested']} not tested`,
  ].join(', ')
}

/** Requests planned and spent on all keys. */
export const requestTotals = (
  report: Pick<Report, 'spending'>,
): { readonly planned: number; readonly spent: number } => ({
  planned: report.spending.reduce((sum, row) => sum + row.planned, 0),
  spent: report.spending.reduce((sum, row) => sum + row.spent, 0),
})

/** The sentence of a clause; empty for an id that the report does not hold. */
export const sentenceOf = (report: Report, clauseId: string): string =>
  report.clauses.find((clause) => clause.id === clauseId)?.sentence ?? ''

/** What a check expects; empty where the sentence of its first clause says just that. */
export const expectedOf = (report: Report, check: CheckRow): string =>
  check.promise === sentenceOf(report, check.clauses[0] ?? '') ? '' : check.promise

/** The name of an area for people; `area` is its key or already its name. */
export const areaName = (area: string): string =>
  Object.hasOwn(areas, area) ? areas[area as keyof typeof areas] : area

/** The models of a quota by what became of them. */
export const modelsBy = (quota: QuotaRow, verdict: 'explained' | 'refuted'): string[] =>
  Object.entries(quota.models).flatMap(([name, each]) => (each === verdict ? [name] : []))

/** What the models say of a quota, in a phrase; of one that is not judged, why. */
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

/** The quota of a plan's timeline, the one of the same window. */
export const quotaOfTimeline = (report: Report, timeline: Timeline): QuotaRow | undefined =>
  report.quotas.find((quota) => quota.plan === timeline.plan && quota.windowMs === timeline.windowMs) ??
  report.quotas.find((quota) => quota.plan === timeline.plan)

/** Plans in the order in which the report first names them. */
export const plansOf = (report: Pick<Report, 'quotas' | 'timelines' | 'load'>): string[] => [
  ...new Set([...report.quotas, ...report.timelines, ...report.load].map((each) => each.plan)),
]

/** A count with its noun: `1 clause`, `3 clauses`. */
export const counted = (value: number, noun: string): string => `${count(value)} ${noun}${value === 1 ? '' : 's'}`

/** The text with a capital at its beginning. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Pets that were seen to be other than they were, and pets that nobody could look at. */
export const countUnrestored = ({ unrestored }: Pick<Report, 'unrestored'>): { changed: number; unseen: number } => {
  const unseen = unrestored.filter(({ look }) => look !== null).length
  return { changed: unrestored.length - unseen, unseen }
}

/** The two windows of the bundled contract, which are words; the quotas of a contract file have ids. */
const isWord = (window: string): boolean => window === 'minute' || window === 'day'

/** What a row of quotas is about: `free minute`, or `free (core)`, which says already which quota it is. */
export const quotaName = ({ plan, window }: Pick<QuotaRow, 'plan' | 'window'>, joint = ' '): string =>
  isWord(window) ? `${plan}${joint}${window}` : plan

/** Where a limit is from that is not the interface's own: Enterprise's is agreed, and each run is told of it. */
export const limitSource = (
  { run, target }: Pick<Report, 'run' | 'target'>,
  { plan }: Pick<QuotaRow, 'plan'>,
): string => {
  if (plan !== 'enterprise' || target.contract !== undefined) return ''
  return run.command.includes('--quota ') ? ' (set by --quota)' : ' (set for this run)'
}

/** A limit with its window: `60 requests a minute`, or `40 requests in 20 s`. */
export const limitInWords = ({
  limit,
  window,
  windowMs,
  bucket,
}: Pick<QuotaRow, 'limit' | 'window' | 'windowMs' | 'bucket'>): string => {
  if (isWord(window)) return `${count(limit)} requests a ${window}`
  return bucket
    ? `${count(limit)} requests at once, and ${count(bucket.refill)} more every ${formatDuration(bucket.everyMs)}`
    : `${count(limit)} requests in ${formatDuration(windowMs)}`
}
