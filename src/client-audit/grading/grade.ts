import type { CheckResult } from '../../run/judging/judge.js'
import type { Finding } from '../../verdict/verdict.js'
import type { ClientCheck } from '../checks/client-check.js'

/** From the best down; `none` is for a client that never tries again, or does not show its key. */
export type GradeLetter = 'A' | 'B' | 'C' | 'D' | 'F'

/** A thing that stands between a client and a grade. */
export interface GradeReason {
  /** The best grade that is left where it stands. */
  readonly atBest: Exclude<GradeLetter, 'A'>
  /** `open`: not enough was seen to say whether it stands. */
  readonly state: 'stands' | 'open'
  readonly finding: Finding
  /** Where its sentence stands, and what would mend it. */
  readonly of: Pick<ClientCheck, 'sentences' | 'advice'>
}

/** The grade of a client's backoff, with what keeps it from a better one. */
export interface Grade {
  /** Null where the open questions leave several grades possible. */
  readonly letter: GradeLetter | 'none' | null
  readonly best: GradeLetter
  readonly worst: GradeLetter
  readonly reasons: readonly GradeReason[]
}

const order: readonly GradeLetter[] = ['A', 'B', 'C', 'D', 'F']

const lowest = (letters: readonly GradeLetter[]): GradeLetter =>
  letters.reduce((low, each) => (order.indexOf(each) > order.indexOf(low) ? each : low), 'A' as GradeLetter)

/** The least that a check's breach leaves, by the rubric. */
const costs: Readonly<Record<string, Exclude<GradeLetter, 'A'>>> = {
  'client.waits-as-told': 'F',
  'client.attempts-bounded': 'F',
  'client.dates-kept': 'D',
  'client.waits-grow': 'D',
  'client.own-waits-jittered': 'C',
  'client.workers-spread': 'C',
}

const reasonOf = ({ check, finding }: CheckResult<ClientCheck>): GradeReason[] => {
  if (check.level === 'observe' || check.clauses.includes('CLIENT-5')) return []
  const { verdict } = finding
  // Whoever hammers, in whatever case, is at the bottom.
  const atBest = finding.code === 'hammers' || finding.code === 'hammers-or-late' ? 'F' : (costs[check.id] ?? 'F')
  if (verdict === 'fail') return [{ atBest, state: 'stands', finding, of: check }]
  // That it was never seen with many workers does not stand against a client.
  const open = verdict === 'inconclusive' || (verdict === 'not-tested' && finding.code !== 'no-parallel-workers')
  return open ? [{ atBest, state: 'open', finding, of: check }] : []
}

const ungraded = (results: readonly CheckResult<ClientCheck>[]): CheckResult<ClientCheck> | undefined =>
  results.find(({ finding: { code } }) => ['never-arrived', 'never-tries-again', 'never-bearer'].includes(code))

/** The grade by the rubric: the lowest that applies. What is open leaves a span, and a span is no grade. */
export const gradeOf = (results: readonly CheckResult<ClientCheck>[], further: readonly GradeReason[]): Grade => {
  const why = ungraded(results)
  if (why) {
    const reason = { atBest: 'F', state: 'stands', finding: why.finding, of: why.check } as const
    return { letter: 'none', best: 'F', worst: 'F', reasons: [reason] }
  }
  const reasons = [...results.flatMap(reasonOf), ...further].sort(
    (a, b) =>
      order.indexOf(b.atBest) - order.indexOf(a.atBest) || Number(a.state === 'open') - Number(b.state === 'open'),
  )
  const best = lowest(reasons.filter(({ state }) => state === 'stands').map(({ atBest }) => atBest))
  const worst = lowest(reasons.map(({ atBest }) => atBest))
  return { letter: best === worst ? best : null, best, worst, reasons }
}
