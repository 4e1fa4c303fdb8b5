import { isResetOptional } from '../../contract/api-contract.js'
import { limiterName } from '../../contract/limiter-models.js'
import { contractOf } from '../../contract/petstore/petstore.js'
import { planName } from '../../contract/plans.js'
import type { Evidence } from '../../evidence/evidence.js'
import type { Exchange } from '../../evidence/exchange.js'
import { onceFor } from '../../kit/once-for.js'
import { listInWords } from '../../kit/words.js'
import type { DoubtReason } from '../../oracle/judge-quota.js'
import { readingsOf } from '../../readings/readings.js'
import { inconclusive, notTested, pass, type SentencesOf } from './finding.js'
import { doubtInWords, obstacleInWords } from './in-words.js'
import { noRoomFor, noRoomInWords } from './loads.js'

/** The part of a check that says which probes it reads. */
interface Reader {
  readonly id: string
  readonly clauses: readonly string[]
  readonly reads: readonly string[] | 'everything'
  readonly readsReset?: boolean
}

/** Whether `only` and `skip`, which name clauses, areas or checks, leave the check in. */
export const isAskedFor = (
  check: Reader,
  { only, skip }: { only: readonly string[]; skip: readonly string[] },
): boolean => {
  if (only.length + skip.length === 0) return true
  const names = [check.id, check.id.split('.')[0], ...check.clauses, ...check.clauses.map((id) => id.split('-')[0])]
  const hit = (wishes: readonly string[]) =>
    wishes.some((wish) => names.some((name) => name.toLowerCase() === wish.toLowerCase()))
  return (only.length === 0 || hit(only)) && !hit(skip)
}

/** Whether Reset is optional, and answers showed Remaining but never a Reset. */
const hasNoReset = onceFor((evidence: Evidence): boolean => {
  if (!isResetOptional(contractOf(evidence.run))) return false
  const { remaining, reset } = readingsOf(evidence)
  return remaining.some((each) => !Number.isNaN(each)) && reset.every(Number.isNaN)
})

/** What prevents judging, such as a probe that was not asked for, had nothing to work on, or was not played. */
export const obstacle = (check: Reader, evidence: Evidence) => {
  const { run, probes, firstLook } = evidence
  if (!isAskedFor(check, run)) return notTested('left-out', { wish: run.only.length > 0 ? '--only' : '--skip' })
  const inScenario =
    check.reads === 'everything' || check.reads.some((id) => run.probes.some(({ probe }) => probe === id))
  // Requests to the wrong address, or without a valid key, prove nothing about the target, for or against.
  if (inScenario && firstLook?.ended) return inconclusive('ended-at-first-look', {})
  if (check.readsReset && hasNoReset(evidence)) return notTested('reset-not-shown', {})
  if (check.reads === 'everything') return undefined
  const { reads } = check
  const planned = reads.filter((id) => run.probes.some(({ probe }) => probe === id))
  if (planned.length === 0) return notTested('not-in-scenario', { probes: [...reads] })
  const ends = probes.filter(({ probe }) => planned.includes(probe))
  const skipped = ends.find(({ end }) => end === 'skipped')
  if (skipped && ends.every(({ end }) => end === 'skipped')) {
    // Nobody decided that the day has no room: so this is inconclusive, and not untested.
    const lacking = noRoomFor({ run, probes }, planned)
    if (lacking) return inconclusive('no-room-in-day', lacking)
    return notTested('probe-skipped', { probe: skipped.probe, reason: skipped.reason })
  }
  if (ends.length === 0) return inconclusive('probe-incomplete', { probe: planned[0], reason: 'not played' })
  return undefined
}

/** How each probe ended on each key; the last time, if it was played several times. */
const lastEnds = (ends: Evidence['probes']): Evidence['probes'] => [
  ...new Map(ends.map((each) => [`${each.key} ${each.probe}`, each])).values(),
]

/** Half a probe can show a broken promise, but not a kept one: the finding if a probe was not played to its end. */
export const incomplete = ({ reads }: Reader, { run, probes }: Evidence) => {
  if (reads === 'everything') return undefined
  const unplayed = run.probes.find(({ probe }) => reads.includes(probe) && !probes.some((each) => each.probe === probe))
  if (unplayed) return inconclusive('probe-incomplete', { probe: unplayed.probe, reason: 'not played' })
  const broken = lastEnds(probes).find(
    ({ probe, end }) => reads.includes(probe) && (end === 'failed' || end === 'interrupted'),
  )
  return broken && inconclusive('probe-incomplete', { probe: broken.probe, reason: broken.reason })
}

/** The finding if the check itself failed. */
export const crashed = (error: unknown) => {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return inconclusive('check-crashed', { message: message.slice(0, 400) })
}

/** The finding of a check that could not judge, or not all. */
export type Unplayed =
  | NonNullable<ReturnType<typeof obstacle> | ReturnType<typeof incomplete>>
  | ReturnType<typeof crashed>

/**
 * The finding if the oracle says nothing about a plan. `plans`: all that are open for the same reason; `unsettled`:
 * others that a load would settle as well.
 */
export const quotaNotJudged = (
  plan: string,
  reason: DoubtReason,
  plans: readonly string[] = [plan],
  unsettled: readonly string[] = [],
) => inconclusive('quota-not-judged', { plan, reason, plans, ...(unsettled.length > 0 && { unsettled }) })

/** The finding if another plan's key had spent a key: windows that nobody here opened excuse whatever was seen. */
export const heldByAnotherKey = (plan: string, ...refused: readonly Exchange[]) =>
  inconclusive('held-by-another-key', { plan }, ...refused)

/** The finding if no key was loaded whose plan the clause is about. */
export const noLoadOnAnyKey = () => notTested('no-load-on-any-key', {})

/** The finding if these models explain what was seen on each of these plans. */
export const explainedOnEvery = (plans: readonly string[], models: readonly string[]) =>
  pass('explained-on-every-plan', { plans, models })

type OpenQuota = ReturnType<
  typeof quotaNotJudged | typeof heldByAnotherKey | typeof noLoadOnAnyKey | typeof explainedOnEvery
>

export const unplayedSentences = {
  'not-in-scenario': ({ probes }) => `this scenario plays none of the probes that test it (${listInWords(probes)})`,
  'reset-not-shown': () => 'no answer names a reset; draft 11 allows that',
  'left-out': ({ wish }) => `left out by ${wish}`,
  'probe-skipped': (f) => `the probe ${f.probe} was not played: ${obstacleInWords(f.reason)}`,
  'no-room-in-day': (f) => `on the ${planName(f.plan)} key ${noRoomInWords(f)}`,
  'probe-incomplete': (f) =>
    f.reason === 'not played'
      ? `the run ended before the probe ${f.probe} was played`
      : `the probe ${f.probe} was cut short: ${obstacleInWords(f.reason)}`,
  'ended-at-first-look': () => 'the run ended at its first look at address and keys, before it tested anything',
  'check-crashed': (f) => `the check itself failed, which is a defect of quotaspec: ${f.message}`,
  'quota-not-judged': (f) => `${listInWords(f.plans.map(planName))}: ${doubtInWords[f.reason]}`,
  'held-by-another-key': (f) =>
    `${planName(f.plan)}: requests were refused because another plan's key had spent the quota (QUOTA-4)`,
  'no-load-on-any-key': () => 'this run put no load on any key',
  'explained-on-every-plan': (f) =>
    `a permitted limiter accounts for every answer on ${listInWords(f.plans.map(planName))}${f.models.length > 0 ? `: ${listInWords(f.models.map(limiterName), 'or')}` : ''}`,
} satisfies SentencesOf<Unplayed | OpenQuota>
