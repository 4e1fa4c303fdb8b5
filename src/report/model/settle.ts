import { asPattern, listInWords } from '../../kit/words.js'
import { type Outcome, outcomeOf } from '../../verdict/verdict.js'
import type { CheckRow, ClauseRow, GateRow, QuotaRow, Report, WaiverRow } from '../model.js'
import { brokenWaivers } from '../summary.js'
import { clausesOfGate, evaluateGates, type GateContext, type Gates } from './gates.js'

/** A known failure, as a file names it. `target`: a base address, in which `*` stands for anything. */
type Waiver = Omit<WaiverRow, 'state' | 'sentence'> & { readonly target: string }

/** Whether a waiver speaks of this target. */
const concerns = ({ target }: Waiver, baseUrl: string): boolean => {
  return new RegExp(`^${target.split('*').map(asPattern).join('.*')}/?$`).test(baseUrl)
}

interface Rows {
  readonly clauses: readonly ClauseRow[]
  readonly checks: readonly CheckRow[]
}
type WaivedBy = NonNullable<ClauseRow['waived']>

/** The waivers that hold on a day, by what they name. */
const holding = (waivers: readonly Waiver[], today: string) => {
  const by = new Map<string, WaivedBy>()
  for (const { subject, id, reason, owner, until } of waivers) {
    if (until >= today) by.set(`${subject} ${id}`, { reason, owner, until })
  }
  return (subject: Waiver['subject'], id: string): WaivedBy | null => by.get(`${subject} ${id}`) ?? null
}

const allOrNone = (each: readonly (WaivedBy | null)[]): WaivedBy | null =>
  each.includes(null) ? null : (each[0] ?? null)

/** Marks the failures that are waived by name: clauses by their own or by those of all checks that fail them. */
const waiveFailures = ({ clauses, checks }: Rows, find: ReturnType<typeof holding>): Rows => {
  const ofClause = new Map<string, WaivedBy | null>(
    clauses.map(({ id, verdict }) => {
      if (verdict !== 'fail') return [id, null]
      const failing = checks.filter((check) => check.verdict === 'fail' && check.clauses.includes(id))
      return [id, find('clause', id) ?? allOrNone(failing.map((check) => find('check', check.id)))]
    }),
  )
  const ofCheck = (check: CheckRow): WaivedBy | null => {
    if (check.verdict !== 'fail') return null
    const named = check.clauses.filter((id) => ofClause.has(id)).map((id) => ofClause.get(id) ?? null)
    return find('check', check.id) ?? allOrNone(named)
  }
  return {
    clauses: clauses.map((clause) => ({ ...clause, waived: ofClause.get(clause.id) ?? null })),
    checks: checks.map((check) => ({ ...check, waived: ofCheck(check) })),
  }
}

/** Marks what only a waived failure leaves open: with the failure known, so is that. */
const waiveConsequences = ({ clauses, checks }: Rows): Rows => {
  const open = checks.map((check) => {
    if (check.verdict !== 'inconclusive') return check
    const failing = clauses.filter(({ id, verdict }) => verdict === 'fail' && check.followsFrom.includes(id))
    return { ...check, waived: allOrNone(failing.map(({ waived }) => waived)) }
  })
  const ofClause = ({ id, verdict, waived }: ClauseRow): WaivedBy | null => {
    if (verdict !== 'inconclusive') return waived
    const doubts = open.filter((check) => check.verdict === 'inconclusive' && check.clauses.includes(id))
    return allOrNone(doubts.map((check) => check.waived))
  }
  return { clauses: clauses.map((clause) => ({ ...clause, waived: ofClause(clause) })), checks: open }
}

/**
 * Marks what is waived. A clause is waived by its name, or where each check that fails it is; a check by its name, or
 * where each clause that it fails is; a doubt only where a waived failure is its cause.
 */
const waiveRows = (rows: Rows, waivers: readonly Waiver[], today: string): Rows =>
  waiveConsequences(waiveFailures(rows, holding(waivers, today)))

/** A gate whose figure says the same as clauses that fail is waived with them, all of those that fail. */
const waivedWith = (gate: GateRow, clauses: readonly ClauseRow[]): WaivedBy | null => {
  const said = clausesOfGate(gate.id)
  const failed = clauses.filter(
    ({ id, verdict, waived }) => said.includes(id) && (verdict === 'fail' || (verdict === 'inconclusive' && waived)),
  )
  const [first] = failed
  return first && failed.every(({ waived }) => waived !== null) ? first.waived : null
}

/** The failures that leave a gate open, since its clauses could not be judged because of them. */
const causesOf = (gate: GateRow, { clauses, checks }: Rows): readonly ClauseRow[] => {
  const said = clausesOfGate(gate.id)
  const open = checks.filter(
    (check) => check.verdict === 'inconclusive' && check.clauses.some((id) => said.includes(id)),
  )
  return clauses.filter(({ id, verdict }) => verdict === 'fail' && open.some((each) => each.followsFrom.includes(id)))
}

/** `not measured`, with the failure that it follows from where one is known. */
const toldValue = (gate: GateRow, rows: Rows): string => {
  const causes = gate.verdict === 'inconclusive' ? causesOf(gate, rows) : []
  if (causes.length === 0) return gate.value
  const areWaived = causes.every(({ waived }) => waived !== null)
  const known = areWaived ? `, which ${causes.length === 1 ? 'is' : 'are'} waived` : ''
  return `${gate.value}: blocked by ${listInWords(causes.map(({ id }) => id))}${known}`
}

/** Marks the failed gates that are waived, by name or with the clauses that say the same. `rows` are marked already. */
const waiveGates = (gates: readonly GateRow[], rows: Rows, waivers: readonly Waiver[], today: string): GateRow[] => {
  const find = holding(waivers, today)
  return gates.map((gate) =>
    gate.verdict === 'fail' || gate.verdict === 'inconclusive'
      ? {
          ...gate,
          value: toldValue(gate, rows),
          waived: (gate.verdict === 'fail' && find('gate', gate.id)) || waivedWith(gate, rows.clauses),
        }
      : gate,
  )
}

/** Codes of checks that this run was not to judge: without them a clause is not proven to be mended. */
const notAskedFor = ['not-in-scenario', 'left-out']

const verdictOf = (waiver: Waiver, { clauses, checks }: Rows, gates: readonly GateRow[]): 'fail' | 'pass' | 'open' => {
  const rows = { clause: clauses, check: checks, gate: gates }[waiver.subject]
  const verdict = rows.find(({ id }) => id === waiver.id)?.verdict
  const isPartial =
    waiver.subject === 'clause' &&
    checks.some((check) => check.clauses.includes(waiver.id) && notAskedFor.includes(check.code))
  if (verdict === 'pass' && isPartial) return 'open'
  return verdict === 'pass' || verdict === 'fail' ? verdict : 'open'
}

/** The clauses that a waived failure leaves open, and that are waived with it. */
const besides = ({ id }: Waiver, { clauses, checks }: Rows): readonly string[] => {
  const causes = checks.filter((check) => check.id === id && check.verdict === 'fail').flatMap((check) => check.clauses)
  return clauses
    .filter((clause) => clause.verdict === 'inconclusive' && clause.waived !== null)
    .filter((clause) =>
      checks.some(
        ({ verdict, followsFrom, clauses: of }) =>
          verdict === 'inconclusive' &&
          of.includes(clause.id) &&
          followsFrom.some((cause) => cause === id || causes.some((each) => each === cause)),
      ),
    )
    .map((clause) => clause.id)
}

/** What a waiver of something that neither failed nor holds comes to: where it is open, that is what ends the run. */
const unusedInWords = ({ subject, id }: Waiver, rows: Rows, gates: readonly GateRow[]): string => {
  const { verdict, waived } = { clause: rows.clauses, check: rows.checks, gate: gates }[subject].find(
    (each) => each.id === id,
  ) ?? { verdict: 'not-tested', waived: null }
  if (verdict !== 'inconclusive') return `${id} was not tested in full in this run: its waiver was not needed.`
  return waived !== null
    ? `${id} is inconclusive because of a waived failure, and waived with it: it needs no waiver of its own.`
    : `${id} is inconclusive, not failed, and a waiver covers failures only. See why it is inconclusive; fix that, or test less.`
}

const stateInWords = (
  waiver: Waiver,
  state: Exclude<WaiverRow['state'], 'unused'>,
  verdict: 'fail' | 'pass' | 'open',
  rows: Rows,
): string => {
  const { id, owner, until, place } = waiver
  const isGate = waiver.subject === 'gate'
  if (state === 'applied') {
    const more = besides(waiver, rows)
    const known = `${id} fails, which is known and waived until ${until} (${owner}).`
    return more.length === 0 ? known : `${known} Because of it ${listInWords(more)} could not be judged.`
  }
  if (state === 'passes-now') return `${id} ${isGate ? 'holds' : 'passes'} now: remove its waiver (${place}).`
  return verdict === 'pass'
    ? `The waiver of ${id} ended on ${until}, and ${id} passes now: remove it (${place}).`
    : `The waiver of ${id} ended on ${until}: fix the failure, or agree a new date with ${owner} (${place}).`
}

/** What became of each waiver. One that ended, and one whose subject passes now, each fail the run. */
const waiverRows = (rows: Rows, gates: readonly GateRow[], waivers: readonly Waiver[], today: string): WaiverRow[] =>
  waivers.map((waiver) => {
    const verdict = verdictOf(waiver, rows, gates)
    const state =
      waiver.until < today ? 'expired' : verdict === 'fail' ? 'applied' : verdict === 'pass' ? 'passes-now' : 'unused'
    const { subject, id, reason, owner, until, place } = waiver
    const sentence =
      state === 'unused' ? unusedInWords(waiver, rows, gates) : stateInWords(waiver, state, verdict, rows)
    return { subject, id, reason, owner, until, place, state, sentence }
  })

/** A report before it is known what the run comes to. */
export type Unsettled = Omit<Report, 'outcome' | 'headline' | 'rerun' | 'gates' | 'waivers'>

export interface Settlement extends GateContext {
  readonly gates: Gates
  readonly waivers: readonly Waiver[]
  /** Keys that were given and not accepted: what was to be tested with them was not. */
  readonly rejectedKeys: readonly string[]
}

/** A waived failure is neither a failure nor a proof. */
const outcomeWith = (report: Omit<Report, 'outcome' | 'headline' | 'rerun'>): Outcome => {
  const fromClauses = outcomeOf(
    report.clauses.map(({ level, verdict, waived }) => ({ level, verdict: waived ? 'not-tested' : verdict })),
    report.run.strict,
  )
  const isProven = report.clauses.some(({ verdict }) => verdict === 'pass' || verdict === 'fail')
  const counting = report.gates.filter(({ waived }) => waived === null)
  if (fromClauses === 'fail') return 'fail'
  if (isProven && (counting.some(({ verdict }) => verdict === 'fail') || brokenWaivers(report).length > 0))
    return 'fail'
  return counting.some(({ verdict }) => verdict === 'inconclusive') ? 'inconclusive' : fromClauses
}

/** Said of each waiver of what fails here that is for another target: its address may be mistyped. */
const notOfThisTarget = (
  waivers: readonly Waiver[],
  { target: { baseUrl }, clauses, checks }: Pick<Report, 'target' | 'clauses' | 'checks'>,
): Report['notes'] =>
  waivers
    .filter((waiver) => !concerns(waiver, baseUrl))
    .filter(({ id }) => [...clauses, ...checks].some((row) => row.id === id && row.verdict === 'fail' && !row.waived))
    .map(({ place, id, target }) => ({
      at: 0,
      text: `${place}: the waiver of ${id} was not applied: it is for ${target}, not for ${baseUrl}`,
    }))

const rulesOf = ({ plan, window }: QuotaRow): readonly string[] => {
  if (window === 'day') return ['QUOTA-3']
  return plan === 'enterprise' ? ['QUOTA-5'] : ['QUOTA-1', 'QUOTA-2']
}

/** Without a refusal, or a tested rule, answers that fit a limit prove nothing. */
const settleQuota = (quota: QuotaRow, clauses: Report['clauses']): QuotaRow => {
  if (quota.verdict !== 'pass') return quota
  if (quota.history.refused === 0)
    return { ...quota, verdict: 'not-tested', unproven: 'never-refused', reason: 'nothing was refused' }
  const rules = clauses.filter(({ id }) => rulesOf(quota).includes(id))
  if (rules.some(({ verdict }) => verdict !== 'not-tested')) return quota
  const reason = `${listInWords(rules.map(({ id }) => id))} ${rules.length === 1 ? 'was' : 'were'} not tested`
  return { ...quota, verdict: 'not-tested', unproven: 'rules-not-tested', reason }
}

/** Counts gates and waivers in. Waivers are held against the day of the run, whenever that is judged. */
export const settle = (
  report: Unsettled,
  { gates, waivers, rejectedKeys, ...context }: Settlement,
): Omit<Report, 'headline' | 'rerun'> => {
  const today = report.run.startedAt.slice(0, 10)
  const concerned = waivers.filter((waiver) => concerns(waiver, report.target.baseUrl))
  const rows = waiveRows(report, concerned, today)
  const quotas = report.quotas.map((quota) => settleQuota(quota, report.clauses))
  const marked = { ...report, quotas, clauses: [...rows.clauses], checks: [...rows.checks] }
  const gateRows = waiveGates(evaluateGates(marked, gates, context), marked, concerned, today)
  const notes = [...report.notes, ...notOfThisTarget(waivers, marked)]
  const settled = { ...marked, notes, gates: gateRows, waivers: waiverRows(marked, gateRows, concerned, today) }
  const outcome = outcomeWith(settled)
  return { ...settled, outcome: outcome === 'pass' && rejectedKeys.length > 0 ? 'inconclusive' : outcome }
}
