import { brokenInWords } from '../contract/clauses.js'
import { capital, counted, fewOf, listInWords } from '../kit/words.js'
import { breaksRun, byGravity, seenFirst } from './findings.js'
import { clausesOfGate } from './model/gates.js'
import type { CheckRow, ClauseRow, GateRow, Report } from './model.js'
import { quotaBreachInWords } from './quotas.js'
import { brokenGates, brokenWaivers } from './summary.js'

type HeadlinePart = Pick<Report, 'run' | 'outcome' | 'clauses' | 'checks' | 'quotas' | 'gates' | 'waivers'>

const mostTold = 3

/** The clauses with a verdict, waived or not, that count in this run. */
const binding = (report: HeadlinePart, verdict: ClauseRow['verdict'], isWaived: boolean): ClauseRow[] =>
  report.clauses.filter(
    (each) => each.verdict === verdict && (each.waived !== null) === isWaived && breaksRun(report, each.level),
  )

const gravestFirst = (clauses: readonly ClauseRow[]): ClauseRow[] =>
  byGravity(clauses.map((each) => ({ ...each, clauses: [each.id] })))

/** The checks of a clause with that verdict: under a contract file, one for each of its quotas. */
const checksOf = (report: HeadlinePart, id: string, verdict: CheckRow['verdict']): CheckRow[] =>
  report.checks.filter((check) => check.verdict === verdict && check.clauses[0] === id)

const breach = (report: HeadlinePart, { id, sentence }: ClauseRow): string => {
  const told = checksOf(report, id, 'fail').flatMap((check) => quotaBreachInWords(check, report.quotas) ?? [])
  if (told.length > 0) return `${listInWords(told)} (${id})`
  return `${brokenInWords(id) ?? `a rule is broken: ${sentence}`} (${id})`
}

const breaches = (report: HeadlinePart, clauses: readonly ClauseRow[]): string => {
  const more = clauses.length - mostTold
  const told = clauses.slice(0, mostTold).map((each) => breach(report, each))
  return [...told, ...(more > 0 ? [`${counted(more, 'more rule')} broken`] : [])].join('; ')
}

const gateBroken = ({ sentence, value, limit }: GateRow): string =>
  `${sentence.replace(/\.$/, '')}: ${value}; allowed: ${limit}.`

const failing = (report: HeadlinePart): string => {
  const clauses = gravestFirst(binding(report, 'fail', false))
  const ids = new Set(clauses.map(({ id }) => id))
  const gates = brokenGates(report).filter((gate) => !clausesOfGate(gate.id).some((id) => ids.has(id)))
  return [
    ...(clauses.length > 0 ? [`${capital(breaches(report, clauses))}.`] : []),
    ...gates.map(gateBroken),
    ...brokenWaivers(report).map(({ sentence }) => sentence),
  ].join(' ')
}

const idsOf = (clauses: readonly ClauseRow[]): string => {
  const ids = clauses.map(({ id }) => id)
  return listInWords(fewOf(ids, mostTold + 1))
}

/** Why nothing is proven although nothing binding is open: everything requested is waived, not binding, or not tested. */
const unproven = (report: HeadlinePart): string => {
  const waived = report.clauses.filter((each) => each.waived !== null)
  const known = gravestFirst(waived.filter(({ verdict }) => verdict === 'fail'))
  const besides = waived.filter(({ verdict }) => verdict === 'inconclusive')
  if (known.length > 0) {
    const because = besides.length > 0 ? ` Because of that ${idsOf(besides)} could not be judged.` : ''
    return `Everything tested fails, as known and waived, so nothing is proven: ${breaches(report, known)}.${because}`
  }
  const looked = report.clauses.filter(({ verdict }) => verdict !== 'not-tested')
  if (looked.length === 0) return 'Nothing was tested, so nothing is proven.'
  return `No must rule was tested, only ${idsOf(looked)}, so nothing is proven.`
}

const open = (report: HeadlinePart): string => {
  const clauses = gravestFirst(binding(report, 'inconclusive', false))
  const gates = report.gates.filter(
    ({ id, verdict, waived }) => id !== 'level' && verdict === 'inconclusive' && waived === null,
  )
  const [first] = clauses
  if (first) {
    const told = `Nothing failed, but ${counted(clauses.length, 'rule')} ${clauses.length === 1 ? 'is' : 'are'} inconclusive (${idsOf(clauses)}).`
    const why = seenFirst(checksOf(report, first.id, 'inconclusive'))[0]?.message ?? first.reason
    return report.run.interrupted || why === '' ? told : `${told} ${capital(why).replace(/\.$/, '')}.`
  }
  if (gates.length > 0 && report.clauses.some(({ verdict }) => verdict === 'pass'))
    return `Nothing failed, but this run measured nothing for ${counted(gates.length, 'gate')}: ${listInWords(gates.map(({ id }) => id))}.`
  return unproven(report)
}

const held = (report: HeadlinePart): string => {
  const must = report.clauses.filter(({ level }) => level === 'must')
  const proven = must.filter(({ verdict }) => verdict === 'pass').length
  const untested = must.filter(({ verdict }) => verdict === 'not-tested').length
  const waived = binding(report, 'fail', true)
  const besides = binding(report, 'inconclusive', true)
  // If only a few rules hold, nobody must read that the target passes.
  if (waived.length === 0 && untested > proven)
    return `Nothing broken in the ${proven === 1 ? 'one must rule' : counted(proven, 'must rule')} that ${proven === 1 ? 'was' : 'were'} tested; ${untested} ${untested === 1 ? 'was' : 'were'} not.`
  const all =
    proven === 1 ? 'it keeps the one must rule that was tested' : `it keeps all ${proven} must rules that were tested`
  const some = proven === 1 ? 'one must rule holds' : `${proven} must rules hold`
  const known = `${listInWords(waived.map(({ id }) => id))} ${waived.length === 1 ? 'fails' : 'fail'}, which is known and waived`
  const unjudged =
    besides.length > 0 ? `, and because of that ${listInWords(besides.map(({ id }) => id))} could not be judged` : ''
  const rest =
    untested > 0 ? `; ${counted(untested, 'other must rule')} ${untested === 1 ? 'was' : 'were'} not tested` : ''
  return `The target passes: ${waived.length > 0 ? `${some}; ${known}${unjudged}` : all}${rest}.`
}

/** The outcome of a run in a sentence or two: what is broken, the gravest first; what is open; or what held. */
export const headlineOf = (report: HeadlinePart): string => {
  const told = { pass: held, fail: failing, inconclusive: open }[report.outcome](report)
  return report.run.interrupted ? `${told} The run was interrupted before its end.` : told
}
