import { z } from 'zod'
import type { CheckRow, QuotaRow, Report } from '../src/report/model.js'
import { type Column, columnIds, type Limiter, promisesOf } from './limiter.js'
import { apartOf, type Play } from './plays.js'

/** What came of a cell. `measured` is for figures that nobody promises. */
const cellStates = ['kept', 'broken', 'open', 'not-promised', 'measured'] as const

const finding = z.object({ check: z.string(), clause: z.string(), verdict: z.string(), message: z.string() })

/** One limiter in one column. */
export const cellSchema = z.object({
  column: z.enum(columnIds),
  state: z.enum(cellStates),
  /** How many requests too many were admitted, or too few, where that is known. */
  by: z.number().optional(),
  /** Whether the run broke a rule of the quota, promised or not. */
  breaksQuota: z.boolean().optional(),
  /** What was measured, in a sentence. */
  measured: z.string(),
  findings: z.array(finding),
  /** What the run excludes: a kept cell is worth so much. */
  excludes: z.array(z.string()),
  /** What came of each play, with its share of the time that the run took. */
  repeats: z.array(z.object({ state: z.enum(cellStates), date: z.string(), seconds: z.number() })),
})
export type Cell = z.infer<typeof cellSchema>

/** A cell as one play gives it. */
export type Played = Omit<Cell, 'repeats'>

type Outcome = Omit<Played, 'column'>

const quotaClauses = ['QUOTA-1', 'QUOTA-2', 'QUOTA-4']
const clausesOf: Readonly<Partial<Record<Column, readonly string[]>>> = {
  headers: ['RATE-1', 'RATE-2', 'RATE-3', 'RATE-4', 'RATE-5', 'RATE-6', 'RATE-7'],
  wait: ['THROTTLE-2', 'THROTTLE-3', 'THROTTLE-4', 'THROTTLE-5'],
}

/** The defects in what answers say that a column is about, by how their ids begin; those of the count itself are of all others. */
const answerDefectsOf: Readonly<Partial<Record<Column, readonly string[]>>> = {
  headers: ['remaining', 'reset-'],
  wait: ['wait-'],
}
const ofAnswers = Object.values(answerDefectsOf).flat()

const begins = (id: string, starts: readonly string[]): boolean => starts.some((each) => id.startsWith(each))

/** What the run excludes of a column's defects, in words. */
const excludedIn = (column: Column, { certificates }: Report): string[] => {
  const own = answerDefectsOf[column]
  const excluded = certificates.flatMap((each) => each.excluded)
  const isOwn = (id: string) => (own ? begins(id, own) : !begins(id, ofAnswers))
  return [...new Set(excluded.filter(({ defect }) => isOwn(defect)).map(({ words }) => words))]
}

const isEvent = (column: Column) => column === 'restart' || column.startsWith('store-')

const findingsOf = (report: Report, clauses: readonly string[], accept: (check: CheckRow) => boolean) =>
  report.checks
    .filter(
      (check) => check.level !== 'observe' && check.clauses.some((each) => clauses.includes(each)) && accept(check),
    )
    .map(({ id, clauses: of, verdict, message }) => ({ check: id, clause: of[0] ?? '', verdict, message }))

/** How many answers of the run are wrong by the mildest reading; never fewer than the shown stretch has too many. */
const sizeOf = ({ breach, limit, refutations }: QuotaRow): number => {
  const each = Object.values(refutations).map(({ overAdmitted, earlyRefused }) => overAdmitted + earlyRefused)
  const shown = breach?.kind === 'over-admission' ? breach.admitted - limit : 0
  return Math.max(shown, each.length === 0 ? 0 : Math.min(...each))
}

const leastOf = (quotas: readonly QuotaRow[]): number =>
  Math.max(0, ...quotas.filter(({ verdict }) => verdict === 'fail').map(sizeOf))

/**
 * Whether a breach is in what a column asked: what leaves something open a run goes on to ask by other loads, and what those
 * show is no word on this one.
 */
const isAsked = (column: Column, { exchanges }: Report, { verdict, breach }: QuotaRow): boolean => {
  const own = apartOf(column)?.probes.map(({ probe }) => probe)
  const probeOf = (id: string) => exchanges.find((each) => each.id === id)?.probe ?? id
  const isOwn = ({ id }: { id: string }) => own?.some((probe) => `${probeOf(id)}-`.startsWith(`${probe}-`))
  return verdict === 'fail' && (!own || !breach?.shownBy || breach.shownBy.some(isOwn))
}

const stateOf = (verdicts: readonly string[]): 'kept' | 'broken' | 'open' => {
  if (verdicts.includes('fail')) return 'broken'
  return verdicts.includes('pass') && !verdicts.includes('inconclusive') ? 'kept' : 'open'
}

const admittedWords = ({ quotas }: Report): string =>
  quotas
    .map(
      ({ plan, limit, history, worstMinute }) =>
        `${plan}: ${history.admitted} of ${history.sent} admitted, at most ${worstMinute} in a window's length (limit ${limit})`,
    )
    .join('; ')

/** Before a breach that says nothing of the column. */
const elsewhere = 'Not in what this column asks, but in further loads of its run: '

const judged = (report: Report, column: Column, truths: Limiter['truths']): Outcome => {
  const isOfQuota = clausesOf[column] === undefined
  const passing = report.clauses.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id)
  // What one check could not tell another of the clause has seen, where that passes.
  const findings = findingsOf(
    report,
    clausesOf[column] ?? quotaClauses,
    ({ id, verdict, clauses }) =>
      !id.startsWith('quota.events-allowed') &&
      (verdict !== 'inconclusive' || !clauses.every((each) => passing.includes(each))),
  )
  const failing = findings.filter(({ verdict }) => verdict === 'fail')
  // What the source breaks in this column a breach in other loads shows as well.
  const isBroken = truths.some(({ column: of, what }) => of === column && what === 'broken')
  const isElsewhere =
    isOfQuota && !isBroken && failing.length > 0 && !report.quotas.some((each) => isAsked(column, report, each))
  const verdicts = findings.map(({ verdict }) => verdict).filter((each) => !isOfQuota || each !== 'not-tested')
  const state = isElsewhere ? 'open' : stateOf(verdicts)
  const by = isOfQuota && failing.length > 0 ? leastOf(report.quotas) : 0
  return {
    state,
    ...(by > 0 && { by }),
    ...(isOfQuota && failing.length > 0 && { breaksQuota: true }),
    measured:
      failing.length > 0
        ? `${isElsewhere ? elsewhere : ''}${failing.map(({ message }) => message).join('. ')}`
        : isOfQuota
          ? admittedWords(report)
          : told(findings),
    findings: findings.filter(({ verdict }) => verdict !== 'not-tested'),
    excludes: state === 'kept' ? excludedIn(column, report) : [],
  }
}

const told = (findings: Outcome['findings']): string => {
  const of = (verdict: string) => findings.filter((each) => each.verdict === verdict)
  if (of('inconclusive').length > 0)
    return of('inconclusive')
      .map(({ message }) => message)
      .join('. ')
  return (
    of('pass')
      .map(({ message }) => message)
      .join('. ') || 'Nothing of it is in the contract.'
  )
}

/** What the time after an event excludes: one more than by any way of counting may have been let in. */
const letIn = ({ plan, most }: Report['events'][number]['effects'][number]): string[] =>
  most === null ? [] : [`${most + 1} or more let in after it (${plan})`]

/** What an event did, held to what the contract lets it do and to whether answers had to go on. */
const ofEvent = (report: Report, staysUp: boolean): Outcome => {
  const findings = findingsOf(report, ['QUOTA-1'], ({ id }) => id.startsWith('quota.events-allowed'))
  const [event] = report.events
  if (!event) return { state: 'open', measured: report.headline, findings, excludes: [] }
  const verdicts = findings.map(({ verdict }) => verdict).filter((each) => each !== 'not-tested')
  const isDown = staysUp && event.outageMs !== null
  const by = Math.max(0, ...event.effects.map(({ least }) => least ?? 0))
  const state = isDown ? 'broken' : stateOf(verdicts)
  return {
    state,
    ...(by > 0 && { by }),
    measured: event.sentence,
    findings,
    excludes: state === 'kept' ? event.effects.flatMap(letIn) : [],
  }
}

const ms = (value: number | undefined): string => (value === undefined ? 'not measured' : `${value.toFixed(2)} ms`)

const ofCost = (report: Report, beside: Report | undefined): Outcome => {
  const [limited] = report.limiterCosts
  const [plain] = beside?.limiterCosts ?? []
  const measured = `admitted ${ms(limited?.admitted?.p50)}, refused ${ms(limited?.refused?.p50)}, without the limiter ${ms(plain?.admitted?.p50)} (medians)`
  return { state: 'measured', measured, findings: [], excludes: [] }
}

/** What a run says of a column, told apart by what the limiter promises. */
export const cellOf = (
  limiter: Pick<Limiter, 'promises' | 'truths'>,
  column: Column,
  report: Report,
  beside?: Report,
): Outcome => {
  if (column === 'cost') return ofCost(report, beside)
  const promises = promisesOf(limiter, column)
  const outcome = isEvent(column)
    ? ofEvent(
        report,
        promises.some(({ staysUp }) => staysUp),
      )
    : judged(report, column, limiter.truths)
  if (promises.length === 0) return { ...outcome, state: 'not-promised' }
  // A run that saw no breach, of which no replay tells what it would have seen, tells nothing.
  const isBare = outcome.state === 'kept' && outcome.excludes.length === 0
  // What a load shows of some sources is a matter of chance, as of windows that drift.
  const leavesOpen = ({ column: of, what }: Limiter['truths'][number]) =>
    of === column && ((what === 'kept' && outcome.state === 'broken') || (what !== 'kept' && outcome.state === 'kept'))
  return isBare || limiter.truths.some(leavesOpen) ? { ...outcome, state: 'open', excludes: [] } : outcome
}

/** What a cell shows of its plays: a breach, for one that was seen is there; else the last that told; else the last. */
const tells = ({ state }: Played): number => (state === 'broken' ? 2 : state === 'open' ? 0 : 1)
const shownOf = (before: Played | undefined, last: Played): Played =>
  before && tells(before) > tells(last) ? before : last

/** Cells with one more play of one of them. */
export const withPlay = (
  cells: readonly Cell[],
  played: Played,
  { date, seconds }: { readonly date: string; readonly seconds: number },
): Cell[] => {
  const before = cells.find(({ column }) => column === played.column)
  const repeats = [...(before?.repeats ?? []), { state: played.state, date, seconds }]
  return [...cells.filter((each) => each !== before), { ...shownOf(before, played), repeats }]
}

/** How many plays of a run stand: as many as the one that has fewest has, of the cells that it fills and that are wanted. */
export const standing = (cells: readonly Cell[], { fills }: Pick<Play, 'fills'>, wanted: ReadonlySet<Column>): number =>
  Math.min(
    ...fills
      .filter((each) => wanted.has(each))
      .map((each) => cells.find(({ column }) => column === each)?.repeats.length ?? 0),
  )
