import { clausesOfGate } from './gates.js'
import type { Report } from './model.js'
import { breaksRun, brokenWaivers, counted } from './summary.js'

type HeadlinePart = Pick<Report, 'run' | 'outcome' | 'clauses' | 'gates' | 'waivers'>

const failing = (report: HeadlinePart): string => {
  const clauses = report.clauses.filter(
    (each) => each.verdict === 'fail' && each.waived === null && breaksRun(report, each.level),
  )
  const ids = new Set(clauses.map(({ id }) => id))
  const gates = report.gates.filter(
    (gate) =>
      gate.id !== 'level' &&
      gate.verdict === 'fail' &&
      gate.waived === null &&
      !clausesOfGate(gate.id).some((id) => ids.has(id)),
  )
  return [
    ...(clauses.length > 0 ? [`The target breaks ${clauses.map(({ id }) => id).join(', ')}.`] : []),
    ...gates.map((gate) => `The gate ${gate.id} fails: ${gate.value}, where ${gate.limit} is the most.`),
    ...brokenWaivers(report).map(({ sentence }) => sentence),
  ].join(' ')
}

const open = (report: HeadlinePart): string => {
  const clauses = report.clauses.filter(
    (each) => each.verdict === 'inconclusive' && each.waived === null && breaksRun(report, each.level),
  )
  const gates = report.gates.filter(
    (gate) => gate.id !== 'level' && gate.verdict === 'inconclusive' && gate.waived === null,
  )
  if (clauses.length > 0) return `${clauses.map(({ id }) => id).join(', ')} could not be settled.`
  if (gates.length > 0 && report.clauses.some(({ verdict }) => verdict === 'pass'))
    return `What the gates on ${gates.map(({ id }) => id).join(', ')} are about was not measured.`
  return 'Nothing was proven.'
}

const held = (report: HeadlinePart): string => {
  const must = report.clauses.filter(({ level }) => level === 'must')
  const proven = must.filter(({ verdict }) => verdict === 'pass').length
  const untested = must.filter(({ verdict }) => verdict === 'not-tested').length
  const waived = report.clauses.filter(
    (each) => each.verdict === 'fail' && each.waived !== null && breaksRun(report, each.level),
  )
  const save =
    waived.length > 0
      ? `, save ${waived.map(({ id }) => id).join(', ')}, which ${waived.length === 1 ? 'is' : 'are'} waived`
      : ''
  const rest = untested > 0 ? `; ${counted(untested, 'other')} ${untested === 1 ? 'was' : 'were'} not tested` : ''
  const all =
    waived.length > 0 ? counted(proven, 'binding clause') : `all ${proven} binding clauses that this scenario tests`
  return `The target keeps ${all}${save}${rest}.`
}

/** The outcome of a run in a sentence or two: what fails, what is open, or what held. */
export const headlineOf = (report: HeadlinePart): string => {
  const told = { pass: held, fail: failing, inconclusive: open }[report.outcome](report)
  return report.run.interrupted ? `${told} The run was interrupted.` : told
}
