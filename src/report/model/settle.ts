import { asPattern, listInWords } from '../../kit/words.js'
import { type Outcome, outcomeOf } from '../../verdict/verdict.js'
import type { CheckRow, ClauseRow, GateRow, QuotaRow, Report, WaiverRow } from '../model.js'
import { brokenWaivers } from '../summary.js'
import { clausesOfGate, evaluateGates, type GateContext, type Gates } from './gates.js'

/** A known failure, as a file names it. `target`: a base address, in which `*` matches anything. */
type Waiver = Omit<WaiverRow, 'state' | 'sentence'> & { readonly target: string }

const concerns = ({ target }: Waiver, baseUrl: string): boolean =>
  new RegExp(`^${target.split('*').map(asPattern).join('.*')}/?$`).test(baseUrl)

interface Rows {
  readonly clauses: readonly ClauseRow[]
  readonly checks: readonly CheckRow[]
}
type WaivedBy = NonNullable<ClauseRow['waived']>

const holding =
  (waivers: readonly Waiver[], today: string) =>
  (subject: Waiver['subject'], id: string): WaivedBy | null => {
    const found = waivers.findLast((each) => each.subject === subject && each.id === id && each.until >= today)
    return found ? { reason: found.reason, owner: found.owner, until: found.until } : null
  }

const allOrNone = (each: readonly (WaivedBy | null)[]): WaivedBy | null =>
  each.includes(null) ? null : (each[0] ?? null)

/** Marks the failures that are waived by name: clauses by their own name, or by those of all checks that fail them. */
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

/** Marks what only a waived failure leaves open: once the failure is known, so is its consequence. */
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

/** A gate equivalent to failing clauses is waived with them, if all of these are waived. */
const waivedWith = (gate: GateRow, clauses: readonly ClauseRow[]): WaivedBy | null => {
  const said = clausesOfGate(gate.id)
  const failed = clauses.filter(
    ({ id, verdict, waived }) => said.includes(id) && (verdict === 'fail' || (verdict === 'inconclusive' && waived)),
  )
  const [first] = failed
  return first && failed.every(({ waived }) => waived !== null) ? first.waived : null
}

/** The failures that leave a gate open, because its clauses could not be judged. */
const causesOf = (gate: GateRow, { clauses, checks }: Rows): readonly ClauseRow[] => {
  const said = clausesOfGate(gate.id)
  const open = checks.filter((each) => each.verdict === 'inconclusive' && each.clauses.some((id) => said.includes(id)))
  return clauses.filter(({ id, verdict }) => verdict === 'fail' && open.some((each) => each.followsFrom.includes(id)))
}

/** `not measured`, with the failure that caused it, if known. */
const toldValue = (gate: GateRow, rows: Rows): string => {
  const causes = gate.verdict === 'inconclusive' ? causesOf(gate, rows) : []
  if (causes.length === 0) return gate.value
  const areWaived = causes.every(({ waived }) => waived !== null)
  const known = areWaived ? `, which ${causes.length === 1 ? 'is' : 'are'} waived` : ''
  return `${gate.value}: blocked by ${listInWords(causes.map(({ id }) => id))}${known}`
}

/** Marks the failed gates that are waived, by name or with equivalent clauses. `rows` are marked already. */
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

type Judged = Pick<Report, 'clauses' | 'checks' | 'gates'>

const rowOf = ({ subject, id }: Waiver, { clauses, checks, gates }: Judged) =>
  ({ clause: clauses, check: checks, gate: gates })[subject].find((row) => row.id === id)

/** Codes of checks that this run did not have to judge: without them a clause is not proven to be fixed. */
const notAskedFor = ['not-in-scenario', 'left-out']

const passes = (waiver: Waiver, rows: Judged): boolean => {
  const isPartial = rows.checks.some(({ clauses, code }) => clauses.includes(waiver.id) && notAskedFor.includes(code))
  return rowOf(waiver, rows)?.verdict === 'pass' && !(waiver.subject === 'clause' && isPartial)
}

/** The clauses that a waived failure leaves open, which are waived with it. */
const besides = ({ id }: Waiver, { clauses, checks }: Judged): readonly string[] => {
  const causes = checks.filter((check) => check.id === id && check.verdict === 'fail').flatMap((check) => check.clauses)
  const open = checks
    .filter(
      ({ verdict, followsFrom }) =>
        verdict === 'inconclusive' && followsFrom.some((each) => [id, ...causes].includes(each)),
    )
    .flatMap((check) => check.clauses)
  return clauses
    .filter((clause) => clause.verdict === 'inconclusive' && clause.waived !== null && open.includes(clause.id))
    .map((clause) => clause.id)
}

const stateInWords: Readonly<Record<WaiverRow['state'], (waiver: Waiver, rows: Judged) => string>> = {
  applied(waiver, rows) {
    const { id, owner, until } = waiver
    const more = besides(waiver, rows)
    const known = `${id} fails, which is known and waived until ${until} (${owner}).`
    return more.length === 0 ? known : `${known} Because of it ${listInWords(more)} could not be judged.`
  },
  'passes-now': ({ subject, id, place }) =>
    `${id} ${subject === 'gate' ? 'holds' : 'passes'} now: remove its waiver (${place}).`,
  expired(waiver, rows) {
    const { id, owner, until, place } = waiver
    return passes(waiver, rows)
      ? `The waiver of ${id} ended on ${until}, and ${id} passes now: remove it (${place}).`
      : `The waiver of ${id} ended on ${until}: fix the failure, or agree a new date with ${owner} (${place}).`
  },
  unused(waiver, rows) {
    const { id } = waiver
    const row = rowOf(waiver, rows)
    if (row?.verdict !== 'inconclusive') return `${id} was not tested in full in this run: its waiver was not needed.`
    return row.waived !== null
      ? `${id} is inconclusive because of a waived failure, and waived with it: it needs no waiver of its own.`
      : `${id} is inconclusive, not failed, and a waiver covers failures only. See why it is inconclusive; fix that, or test less.`
  },
}

const stateOf = (waiver: Waiver, rows: Judged, today: string): WaiverRow['state'] => {
  if (waiver.until < today) return 'expired'
  if (rowOf(waiver, rows)?.verdict === 'fail') return 'applied'
  return passes(waiver, rows) ? 'passes-now' : 'unused'
}

/** The state of each waiver. One that expired, and one whose subject passes now, each fail the run. */
const waiverRows = (rows: Judged, waivers: readonly Waiver[], today: string): WaiverRow[] =>
  waivers.map((waiver) => {
    const { target: _, ...told } = waiver
    const state = stateOf(waiver, rows, today)
    return { ...told, state, sentence: stateInWords[state](waiver, rows) }
  })

export type Unsettled = Omit<Report, 'outcome' | 'headline' | 'rerun' | 'gates' | 'waivers'>

export interface Settlement extends GateContext {
  readonly gates: Gates
  readonly waivers: readonly Waiver[]
  /** Given keys that the target did not accept: what they should have tested was not tested. */
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

/** A note for each waiver of something that fails here but is for another target: its address may be mistyped. */
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

/** Without a refusal or a tested rule, answers that fit a limit prove nothing. */
const settleQuota = (quota: QuotaRow, clauses: Report['clauses']): QuotaRow => {
  if (quota.verdict !== 'pass') return quota
  if (quota.history.refused === 0)
    return { ...quota, verdict: 'not-tested', unproven: 'never-refused', reason: 'nothing was refused' }
  const rules = clauses.filter(({ id }) => rulesOf(quota).includes(id))
  if (rules.some(({ verdict }) => verdict !== 'not-tested')) return quota
  const reason = `${listInWords(rules.map(({ id }) => id))} ${rules.length === 1 ? 'was' : 'were'} not tested`
  return { ...quota, verdict: 'not-tested', unproven: 'rules-not-tested', reason }
}

/** Applies gates and waivers. Waivers are compared with the day of the run, whenever it is judged. */
export const settle = (
  report: Unsettled,
  { gates, waivers, rejectedKeys, ...context }: Settlement,
): Omit<Report, 'headline' | 'rerun'> => {
  const today = report.run.startedAt.slice(0, 10)
  const concerned = waivers.filter((waiver) => concerns(waiver, report.target.baseUrl))
  // A clause is waived by its own name, or if all checks that fail it are; a check likewise; a doubt only with its cause.
  const rows = waiveConsequences(waiveFailures(report, holding(concerned, today)))
  const quotas = report.quotas.map((quota) => settleQuota(quota, report.clauses))
  const marked = { ...report, quotas, clauses: [...rows.clauses], checks: [...rows.checks] }
  const notes = [...report.notes, ...notOfThisTarget(waivers, marked)]
  const gated = { ...marked, notes, gates: waiveGates(evaluateGates(marked, gates, context), marked, concerned, today) }
  const settled = { ...gated, waivers: waiverRows(gated, concerned, today) }
  const outcome = outcomeWith(settled)
  return { ...settled, outcome: outcome === 'pass' && rejectedKeys.length > 0 ? 'inconclusive' : outcome }
}
