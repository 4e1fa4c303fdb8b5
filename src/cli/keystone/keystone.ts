import { exitCodes } from '../../assembly/exit-code.js'
import type { ApiContract } from '../../contract/api-contract.js'
import { type ClauseId, clauseOf } from '../../contract/clauses.js'
import { type ContractClauseId, levelByContract } from '../../contract/clauses-of-contract.js'
import { sideBySide } from '../../kit/side-by-side.js'
import { checks } from '../../petstore/checks/all.js'
import type { Diagnosed } from './diagnosed.js'
import { isDiagnosed } from './expected-diagnosis.js'
import { openTrialPool, type TrialOutcome } from './trial-pool.js'
import { daysEarly, type PlannedTrial, scaleOf } from './trials.js'

/** What has to come out of one trial, and what did. */
export interface KeystoneRow extends Omit<PlannedTrial, 'server' | 'contract'> {
  readonly failing: readonly string[]
  /** Of a variation: nothing may be left open either. */
  readonly open: readonly string[]
  readonly killers: readonly string[]
  /** What the target was taken for, wherever a quota failed. */
  readonly diagnosed: readonly Diagnosed[]
  readonly exact: boolean
  readonly seconds: number
}

export interface KeystoneOptions {
  readonly timeScale: number
  readonly seed: number
  readonly atOnce: number
  readonly trials: readonly PlannedTrial[]
  readonly watch: (row: KeystoneRow) => void
}

const sorted = (items: readonly string[]): string[] => [...items].sort()

const isMust = (id: ClauseId, contract: ApiContract | undefined): boolean =>
  (contract ? levelByContract(contract, id as ContractClauseId) : clauseOf(id).level) === 'must'

/**
 * Whether exactly what is broken failed, and the target was taken for what it is; of a variation, all was settled. What a
 * broken quota of a contract is taken for does not count: not all of them let it be told from what looks like it.
 */
export const isExact = (
  { kind, id, expected, contract }: Pick<PlannedTrial, 'kind' | 'id' | 'expected' | 'contract'>,
  { failing, open, diagnosed, exitCode }: Pick<TrialOutcome, 'failing' | 'open' | 'diagnosed' | 'exitCode'>,
): boolean => {
  const same = sorted(failing).join() === sorted(expected).join()
  const exits = exitCode === exitCodes.fail || !expected.some((clause) => isMust(clause, contract))
  if (kind === 'variation') return same && open.length === 0
  return same && exits && (contract !== undefined || isDiagnosed(id, diagnosed))
}

const rowOf = (
  { kind, id, scenario, expected, contract }: PlannedTrial,
  outcome: TrialOutcome,
  startedAt: number,
): KeystoneRow => {
  const { failing, open, killers, diagnosed } = outcome
  const exact = isExact({ kind, id, expected, contract }, outcome)
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  return { kind, id, scenario, expected, failing, open, killers, diagnosed, exact, seconds }
}

/** Plays faults and variations: the test of the tests. */
export const playKeystone = async ({
  timeScale,
  seed,
  atOnce,
  trials,
  watch,
}: KeystoneOptions): Promise<KeystoneRow[]> => {
  const pool = openTrialPool()
  const play = async (trial: PlannedTrial): Promise<KeystoneRow> => {
    const startedAt = performance.now()
    const { server, contract, scenario } = trial
    const played = await pool.play({ server, contract, scenario, timeScale: scaleOf(scenario, timeScale), seed })
    const row = rowOf(trial, played, startedAt)
    watch(row)
    return row
  }
  try {
    const rows = new Map<string, KeystoneRow>()
    const note = (row: KeystoneRow) => rows.set(row.id, row)
    for (const row of await sideBySide(daysEarly(trials, atOnce), atOnce, play)) note(row)
    // Many trials at once are in each other's way: what came out wrong among them has to come out right by itself.
    for (const trial of trials) if (!rows.get(trial.id)?.exact) note(await play(trial))
    return trials.flatMap(({ id }) => rows.get(id) ?? [])
  } finally {
    await pool.close()
  }
}

/** Checks that judge, and that no fault of a whole keystone has brought down. */
export const unkilledChecks = (rows: readonly KeystoneRow[]): string[] => {
  const killed = new Set(rows.flatMap(({ killers }) => killers))
  const judging = checks.filter(
    (check) => check.level !== 'observe' && check.clauses.some((id) => clauseOf(id).level !== 'observe'),
  )
  return judging.map(({ id }) => id).filter((id) => !killed.has(id))
}
