import type { Check } from '../checks/framework/check.js'
import type { Evidence } from '../evidence/evidence.js'
import type { Obstacle } from '../evidence/first-look.js'
import { listInWords } from '../kit/words.js'
import { clausesOfGate } from '../report/model/gates.js'
import type { CheckRow, ClauseRow, Report, Rerun } from '../report/model.js'
import { rerunInWords } from '../report/repeating.js'
import { breaksRun } from '../report/summary.js'
import type { CheckResult } from '../run/judge.js'
import { no, type RerunHelps, rerunByCause, rerunHelps, unknown } from '../run/rerun-helps.js'

type Reason = Rerun['reasons'][number]
type Settled = Pick<Report, 'run' | 'clauses' | 'checks' | 'gates'>

const byObstacle: Readonly<Record<Obstacle['kind'], RerunHelps>> = {
  unreachable: unknown('the target could not be reached'),
  untrusted: no("trust the target's certificate with --ca, or have it fixed"),
  'other-base': no('give the address under which the operations answer'),
  'no-inventory': no('give the address of a Petstore, or a contract file'),
  'key-rejected': no('give keys that the target accepts'),
  'server-error': unknown('the target answered 5xx at first'),
  'load-not-allowed': no('allow load with --allow-load'),
}

const ofRun = (each: RerunHelps): Reason => ({ of: 'run', ...each })

/** What stands in the way at the address and with the keys, and what the run was told to go on without. */
const atFirstLook = ({ firstLook }: Evidence): Reason[] =>
  (firstLook?.obstacles ?? [])
    .filter(({ kind }) => firstLook?.ended || kind !== 'server-error')
    .map(({ kind }) => ofRun(byObstacle[kind]))

/** The clauses that leave the run open. */
const openClauses = ({ run, clauses }: Settled, isShouldGated: boolean): ClauseRow[] =>
  clauses.filter(
    ({ level, verdict, waived }) =>
      verdict === 'inconclusive' &&
      waived === null &&
      (breaksRun({ run }, level) || (isShouldGated && level === 'should')),
  )

/** What leaves a clause open: what a check sees that yields to another counts only where no other is open. */
const ofClause = ({ id }: ClauseRow, checks: readonly CheckRow[], results: readonly CheckResult<Check>[]): Reason[] => {
  const open = results.filter(
    ({ check, finding }) => finding.verdict === 'inconclusive' && check.clauses.some((clause) => clause === id),
  )
  const whole = open.filter(({ check }) => check.yields !== true)
  return (whole.length > 0 ? whole : open).flatMap(({ check, finding }): Reason[] => {
    const row = checks.find((each) => each.id === check.id)
    if (row?.waived) return []
    const causes = row?.followsFrom ?? []
    return [{ of: id, ...(causes.length > 0 ? no(`mend ${listInWords(causes)}`) : rerunHelps(check, finding)) }]
  })
}

/** Gates on what was not measured, where no open clause says the same. */
const ofGates = ({ gates }: Settled, open: readonly ClauseRow[], { run }: Evidence): Reason[] =>
  gates
    .filter(({ id, verdict, waived }) => id !== 'level' && verdict === 'inconclusive' && waived === null)
    .filter(({ id }) => !clausesOfGate(id).some((clause) => open.some((each) => each.id === clause)))
    .map(({ id }) => ({
      of: id,
      ...(run.withoutLoad ? byObstacle['load-not-allowed'] : unknown('nothing was measured for a gate')),
    }))

const nothingProven = no('choose a scenario and keys that put a must rule to the test')

/** What left a run open, each with whether another run may settle it. */
const reasonsOf = (
  evidence: Evidence,
  results: readonly CheckResult<Check>[],
  settled: Settled,
  isShouldGated: boolean,
): Reason[] => {
  const { firstLook, endedBy, unrestored } = evidence
  if (firstLook?.ended) return atFirstLook(evidence)
  const open = openClauses(settled, isShouldGated)
  const isProven = settled.clauses.some(({ level, verdict }) => level === 'must' && verdict === 'pass')
  return [
    ...atFirstLook(evidence),
    ...(endedBy ? [ofRun(rerunByCause[endedBy])] : []),
    ...(unrestored.length > 0 ? [ofRun(no('put back the pets that were left changed'))] : []),
    ...open.flatMap((clause) => ofClause(clause, settled.checks, results)),
    ...(isProven ? ofGates(settled, open, evidence) : []),
    ...(isProven || open.length > 0 ? [] : [ofRun(nothingProven)]),
  ]
}

const combined = (reasons: readonly Reason[]): Rerun['helps'] =>
  (['no', 'unknown'] as const).find((helps) => reasons.some((each) => each.helps === helps)) ?? 'maybe'

/** Of a run that is inconclusive, whether another one of the same may settle it: one reason that stays is enough for a no. */
export const rerunOf = (
  evidence: Evidence,
  results: readonly CheckResult<Check>[],
  settled: Settled,
  isShouldGated: boolean,
): Rerun => {
  const found = reasonsOf(evidence, results, settled, isShouldGated)
  const reasons = found.length > 0 ? found : [ofRun(unknown('no cause of it is on record'))]
  const helps = combined(reasons)
  return { helps, sentence: rerunInWords(helps, reasons), reasons }
}
