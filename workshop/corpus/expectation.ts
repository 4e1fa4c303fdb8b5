import { createHash } from 'node:crypto'
import type { Diagnosed } from '../../src/cli/keystone/diagnosed.js'
import type { Report } from '../../src/report/model.js'

/**
 * The expected result of judging a recording: verdicts, codes, facts and figures, one line each. It has no sentences,
 * because these may be reworded at any time.
 */
export type Expectation = readonly string[]

/** A digest of a figure of many numbers, which only has to be the same. */
const digest = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value) ?? '')
    .digest('hex')
    .slice(0, 12)

const quotaLine = ({
  plan,
  window,
  reason: _,
  refutations,
  breach,
  ...figures
}: Report['quotas'][number]): unknown[] => [
  'quota',
  `${plan} ${window}`,
  { ...figures, diagnosis: figures.diagnosis && 'told' },
  ...(Object.keys(refutations ?? {}).length > 0 ? [digest(refutations)] : ['']),
  ...(breach ? [{ kind: breach.kind, admitted: breach.admitted, refused: breach.refused, all: digest(breach) }] : []),
]

const loadLine = ({ profile, plan, problem, latencyMs, ...figures }: Report['load'][number]): unknown[] => {
  const { planned, sent, answered, errors, timeouts, lost, ...others } = figures
  const counts = { planned, sent, answered, errors, timeouts, lost, ended: problem !== null }
  return ['load', `${profile} ${plan}`, counts, digest([latencyMs, others])]
}

/** The expectation that this report and the diagnoses of its broken quotas meet. */
export const expectationOf = (
  { clauses, checks, quotas, load, gates, ...report }: Report,
  diagnosed: readonly Diagnosed[],
): Expectation => {
  const { outcome, restored, run, limiterCosts, vantages, timelines, backoff, bans, spending } = report
  const others = { limiterCosts, vantages, timelines, backoff, bans, spending }
  const lines: unknown[][] = [
    ['run', '', { outcome, exitCode: run.exitCode, interrupted: run.interrupted, restored }],
    ...clauses.map(({ id, level, verdict, checks }) => ['clause', id, level, verdict, checks.join(' ')]),
    ...checks.map(({ id, level, verdict, code, facts, witnesses, witnessesLeftOut }) => [
      'check',
      id,
      level,
      verdict,
      code,
      facts,
      `${witnesses.length + witnessesLeftOut} ${digest(witnesses)}`,
    ]),
    ...gates.map(({ id, verdict, value }) => ['gate', id, verdict, value]),
    ...quotas.map(quotaLine),
    ...diagnosed.map(({ where, looksLike, facts }) => ['diagnosed', where, looksLike, facts]),
    ...load.map(loadLine),
    ...Object.entries(others).map(([name, value]) => ['figures', name, digest(value)]),
  ]
  return lines.map((line) => JSON.stringify(line))
}

type Line = readonly [kind: string, id: string, ...rest: unknown[]]

/** A run's result in the keystone's terms: the clauses that failed or stayed open, and the checks that failed. */
export const outcomeOf = (expectation: Expectation) => {
  const lines = expectation.map((line): Line => JSON.parse(line))
  const of = (kind: string) => lines.filter(([each]) => each === kind)
  const clauses = (verdict: string) =>
    of('clause').flatMap(([, clause, level, found]) => (level !== 'observe' && found === verdict ? [clause] : []))
  const [[, , run]] = of('run') as [string, string, { exitCode: number }][]
  return {
    failing: clauses('fail'),
    open: clauses('inconclusive'),
    killers: of('check').flatMap(([, check, , found]) => (found === 'fail' ? [check] : [])),
    diagnosed: of('diagnosed').map(([, where, looksLike, facts]) => ({ where, looksLike, facts }) as Diagnosed),
    exitCode: run.exitCode,
  }
}

/** Lines by subject; if a plan has two loads of the same name, their lines are numbered. */
const bySubject = (expectation: Expectation): Map<string, string> => {
  const found = new Map<string, string>()
  for (const line of expectation) {
    const [kind, id] = JSON.parse(line)
    let subject = `${kind} ${id}`.trim()
    for (let more = 2; found.has(subject); more++) subject = `${kind} ${id} (${more})`
    found.set(subject, line)
  }
  return found
}

/** The differences from what was expected: a line for each clause, check, quota, load or figure. */
export const differences = (expected: Expectation, found: Expectation): string[] => {
  const before = bySubject(expected)
  const now = bySubject(found)
  const subjects = [...new Set([...before.keys(), ...now.keys()])]
  return subjects.flatMap((subject) => {
    const [was, is] = [before.get(subject), now.get(subject)]
    return was === is ? [] : [`${subject}\n    was ${was ?? 'not there'}\n    is  ${is ?? 'not there'}`]
  })
}
