import { join } from 'node:path'
import { departuresFor } from '../../../reference-server/faults/catalogue.js'
import { exitCodes } from '../../assembly/exit-code.js'
import type { ApiContract } from '../../contract/api-contract.js'
import { clausesOf } from '../../contract/clauses.js'
import { sideBySide } from '../../kit/side-by-side.js'
import { openTrialPool, type TrialOutcome } from './trial-pool.js'
import { daysEarly, type PlannedTrial, scaleOf, trialsOf } from './trials.js'

export interface KeystoneRow
  extends Omit<PlannedTrial, 'server' | 'contract' | 'enterprise' | 'areTold'>,
    Omit<TrialOutcome, 'passing' | 'exitCode'> {
  readonly exact: boolean
  readonly seconds: number
}

const sorted = (items: readonly string[]): string[] => [...items].sort()

/** Whether exactly the broken clauses failed; for a variation, also whether everything was settled. */
export const isExact = (
  { kind, expected, contract }: Pick<PlannedTrial, 'kind' | 'expected' | 'contract'>,
  { failing, open, exitCode }: Pick<TrialOutcome, 'failing' | 'open' | 'exitCode'>,
): boolean => {
  const same = sorted(failing).join() === sorted(expected).join()
  if (kind === 'variation') return same && open.length === 0
  const musts = clausesOf(contract).filter(({ id, level }) => level === 'must' && expected.includes(id))
  return same && (exitCode === exitCodes.fail || musts.length === 0)
}

/** What to play, and how: the Petstore's matrix, or a contract's. */
export interface MatrixOptions {
  readonly contract: ApiContract | undefined
  /** Ids of faults and variations, or of clauses that faults break; if empty, all. */
  readonly ids: readonly string[]
  readonly timeScale?: number
  readonly seed: number
  readonly atOnce?: number
  readonly say: (line: string) => void
  /** Where to keep each run, in a folder named by its trial's id; if absent, nowhere. */
  readonly keepIn?: string
  /** What a row has to be for the matrix to be right; by default exact. */
  readonly holds?: (trial: PlannedTrial, outcome: TrialOutcome) => boolean
}

/** Plays faults and variations, each in a thread of a pool: they test the tests. */
const playTrials = async (
  trials: readonly PlannedTrial[],
  { timeScale, atOnce }: Readonly<Record<'timeScale' | 'atOnce', number>>,
  options: MatrixOptions,
): Promise<KeystoneRow[]> => {
  const { seed, keepIn, holds = isExact } = options
  const pool = openTrialPool()
  const rows = new Map<string, KeystoneRow>()
  const play = async (planned: PlannedTrial): Promise<void> => {
    const startedAt = performance.now()
    const { id, scenario } = planned
    const keep = keepIn === undefined ? undefined : join(keepIn, id)
    const outcome = await pool.play({ ...planned, timeScale: scaleOf(scenario, timeScale), seed, keep })
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    const row = { ...planned, ...outcome, exact: holds(planned, outcome), seconds }
    tell(row, options)
    rows.set(id, row)
  }
  try {
    await sideBySide(daysEarly(trials, atOnce), atOnce, play)
    // Many trials at once disturb each other, so a trial that came out wrong gets a second try alone.
    for (const trial of trials) if (!rows.get(trial.id)?.exact) await play(trial)
    return trials.flatMap(({ id }) => rows.get(id) ?? [])
  } finally {
    await pool.close()
  }
}

/** Why a trial is not exact, one line each: unexpected failures, open clauses, and diagnoses. */
export const whyNotExact = (
  row: Pick<KeystoneRow, 'failing' | 'open' | 'expected' | 'reasons' | 'diagnosed'>,
): string[] => {
  const { reasons = {} } = row
  const expected: readonly string[] = row.expected
  const unasked = row.failing.filter((id) => !expected.includes(id))
  return [
    ...unasked.flatMap((id) => (reasons[id] ? [`${id} failed: ${reasons[id]}`] : [])),
    ...row.open.flatMap((id) => (reasons[id] ? [`${id} is open: ${reasons[id]}`] : [])),
    ...row.diagnosed.map(
      ({ where, looksLike, facts }) =>
        `${where} was taken for ${looksLike ?? 'nothing known'} ${JSON.stringify(facts)}`,
    ),
  ]
}

const tell = (row: KeystoneRow, { ids, say }: MatrixOptions): void => {
  const got = [...row.failing].sort().join(', ') || 'nothing'
  const open = row.open.length > 0 ? `, open ${row.open.join(', ')}` : ''
  const verdict = row.exact ? 'ok ' : 'NOT'
  const wanted = row.exact ? '' : ` (wanted ${[...row.expected].sort().join(', ') || 'nothing'})`
  say(`${verdict} ${row.kind} ${row.id}: ${got}${wanted}${row.exact ? '' : open} ${row.seconds} s`)
  if (!row.exact) for (const why of whyNotExact(row)) say(`    ${why}`)
  if (ids.length > 0 && row.killers.length > 0) say(`    brought down by ${[...row.killers].sort().join(', ')}`)
}

/** Plays a matrix, and prints the results. It is right if every row is exact. */
export const playMatrix = async (options: MatrixOptions) => {
  const { contract, ids, say } = options
  const { pace } = departuresFor(contract)
  const { timeScale = pace.timeScale, atOnce = pace.atOnce } = options
  const rows = await playTrials(trialsOf(contract, ids), { timeScale, atOnce }, options)
  const exact = rows.filter((row) => row.exact).length
  say(`${exact} of ${rows.length} exact`)
  return { rows, isRight: exact === rows.length }
}
