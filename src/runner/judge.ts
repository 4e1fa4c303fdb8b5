import { checks as allChecks } from '../checks/all.js'
import type { Check } from '../checks/check.js'
import { noRoomFor } from '../checks/quota/room-in-day.js'
import { type Clause, type ClauseId, clauseOf, clauses, type Level } from '../contract/clauses.js'
import type { Evidence } from '../evidence/evidence.js'
import { combine } from '../verdict/combine.js'
import type { Finding, FindingFacts, Verdict } from '../verdict/verdict.js'

declare module '../verdict/verdict.js' {
  interface FindingFacts {
    'not-in-scenario': { probes: readonly string[] }
    'left-out': { wish: string }
    'probe-skipped': { probe: string; reason: string }
    'probe-incomplete': { probe: string; reason: string }
    'check-crashed': { message: string }
    'ended-at-first-look': Record<string, never>
  }
}

export interface CheckResult {
  readonly check: Check
  readonly level: Level
  readonly finding: Finding
}

export interface ClauseResult {
  readonly clause: Clause & { readonly id: ClauseId }
  readonly verdict: Verdict
  readonly results: readonly CheckResult[]
}

export interface Judged {
  readonly checks: readonly CheckResult[]
  readonly clauses: readonly ClauseResult[]
  readonly crashed: boolean
}

const gravest: Readonly<Record<Level, number>> = { must: 0, should: 1, observe: 2 }

/** A check has the gravest level of its clauses, unless it names a milder one. */
const levelOf = (check: Check): Level =>
  check.level ?? check.clauses.map((id) => clauseOf(id).level).reduce((a, b) => (gravest[a] <= gravest[b] ? a : b))

const plain = <C extends keyof FindingFacts & string>(verdict: Verdict, code: C, facts: FindingFacts[C]): Finding => ({
  verdict,
  code,
  facts: facts as Finding['facts'],
  witnesses: [],
})

/** Whether `only` and `skip`, which name clauses, areas or checks, leave the check in. */
export const isAskedFor = (
  check: Check,
  { only, skip }: { only: readonly string[]; skip: readonly string[] },
): boolean => {
  const names = [check.id, check.id.split('.')[0], ...check.clauses, ...check.clauses.map((id) => id.split('-')[0])]
  const hit = (wishes: readonly string[]) =>
    wishes.some((wish) => names.some((name) => name.toLowerCase() === wish.toLowerCase()))
  return (only.length === 0 || hit(only)) && !hit(skip)
}

/**
 * Why a check can't judge: its probes were not asked for, had nothing to work on, or did not end; undefined where it
 * can.
 */
const obstacle = (check: Check, { run, probes, firstLook }: Evidence): Finding | undefined => {
  if (!isAskedFor(check, run))
    return plain('not-tested', 'left-out', { wish: run.only.length > 0 ? '--only' : '--skip' })
  const inScenario =
    check.reads === 'everything' || check.reads.some((id) => run.probes.some(({ probe }) => probe === id))
  // At a wrong address, or without a key, nothing is learnt of the target.
  if (inScenario && firstLook?.ended) return plain('inconclusive', 'ended-at-first-look', {})
  if (check.reads === 'everything') return undefined
  const { reads } = check
  const planned = reads.filter((id) => run.probes.some(({ probe }) => probe === id))
  if (planned.length === 0) return plain('not-tested', 'not-in-scenario', { probes: [...reads] })
  const ends = probes.filter(({ probe }) => planned.includes(probe))
  const skipped = ends.find(({ end }) => end === 'skipped')
  if (skipped && ends.every(({ end }) => end === 'skipped')) {
    // Nobody decided that the day has no room, so that this is left open.
    const lacking = noRoomFor({ run, probes }, planned)
    if (lacking) return plain('inconclusive', 'no-room-in-day', lacking)
    return plain('not-tested', 'probe-skipped', { probe: skipped.probe, reason: skipped.reason })
  }
  if (ends.length === 0) return plain('inconclusive', 'probe-incomplete', { probe: planned[0], reason: 'not played' })
  return undefined
}

/** How each probe ended on each key; of several times the last. */
const lastEnds = (ends: Evidence['probes']): Evidence['probes'] => [
  ...new Map(ends.map((each) => [`${each.key} ${each.probe}`, each])).values(),
]

/**
 * Leaves a check open that did not fail, where one of its probes was not played or did not end: half a probe may show a
 * breach, never that there is none.
 */
const doubted = (check: Check, { run, probes }: Evidence, finding: Finding): Finding => {
  if (finding.verdict === 'fail' || check.reads === 'everything') return finding
  const unplayed = run.probes.find(
    ({ probe }) => check.reads.includes(probe) && !probes.some((each) => each.probe === probe),
  )
  if (unplayed) {
    const facts = { probe: unplayed.probe, reason: 'not played' }
    return { ...plain('inconclusive', 'probe-incomplete', facts), witnesses: finding.witnesses }
  }
  const broken = lastEnds(probes).find(
    ({ probe, end }) => check.reads.includes(probe) && (end === 'failed' || end === 'interrupted'),
  )
  return broken
    ? {
        ...plain('inconclusive', 'probe-incomplete', { probe: broken.probe, reason: broken.reason }),
        witnesses: finding.witnesses,
      }
    : finding
}

const judgeOne = (check: Check, evidence: Evidence): { finding: Finding; crashed: boolean } => {
  const inTheWay = obstacle(check, evidence)
  if (inTheWay) return { finding: inTheWay, crashed: false }
  try {
    return { finding: doubted(check, evidence, check.judge(evidence)), crashed: false }
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { finding: plain('inconclusive', 'check-crashed', { message: message.slice(0, 400) }), crashed: true }
  }
}

/** Where another check of the clause passes, leaves out those that yield and had nothing that could tell. */
const withoutYielding = (results: readonly CheckResult[]): readonly CheckResult[] => {
  const isProven = results.some(({ finding }) => finding.verdict === 'pass')
  return isProven ? results.filter(({ check, finding }) => !(check.yields && finding.code === 'not-told')) : results
}

/** Judges the evidence of a run, live or read back: the same evidence gives the same verdicts. */
export const judge = (evidence: Evidence, checks: readonly Check[] = allChecks): Judged => {
  const judged = checks.map((check) => ({ check, level: levelOf(check), ...judgeOne(check, evidence) }))
  const ofClauses = clauses
    .filter(({ id }) => !id.startsWith('CLIENT-'))
    .map((clause) => {
      const results = judged.filter(({ check }) => check.clauses.includes(clause.id))
      const binding = clause.level === 'observe' ? results : results.filter(({ level }) => level !== 'observe')
      const telling = withoutYielding(binding.length > 0 ? binding : results)
      return { clause, results, verdict: combine(telling.map(({ finding }) => finding.verdict)) }
    })
  return { checks: judged, clauses: ofClauses, crashed: judged.some(({ crashed }) => crashed) }
}
