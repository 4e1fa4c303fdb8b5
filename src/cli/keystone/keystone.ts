import { join } from 'node:path'
import { exitCodes } from '../../assembly/exit-code.js'
import type { ApiContract } from '../../contract/api-contract.js'
import { type ClauseId, type ContractClauseId, clauseOf, levelByContract } from '../../contract/clauses.js'
import { sideBySide } from '../../kit/side-by-side.js'
import { UsageError } from '../../kit/usage-error.js'
import { suggestion } from '../../kit/words.js'
import { checkOption } from '../../run/options/settle-options.js'
import { checks } from '../../run/registry.js'
import { type Diagnosed, isDiagnosed } from './expected-diagnosis.js'
import { openTrialPool, type TrialOutcome } from './trial-pool.js'
import { contractTrials, daysEarly, isAskedFor, type PlannedTrial, plannedTrials, scaleOf } from './trials.js'

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

interface KeystoneOptions {
  readonly timeScale: number
  readonly seed: number
  readonly atOnce: number
  readonly trials: readonly PlannedTrial[]
  readonly watch: (row: KeystoneRow) => void
  readonly keepIn?: string
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
const playKeystone = async ({
  timeScale,
  seed,
  atOnce,
  trials,
  watch,
  keepIn,
}: KeystoneOptions): Promise<KeystoneRow[]> => {
  const pool = openTrialPool()
  const play = async (trial: PlannedTrial): Promise<KeystoneRow> => {
    const startedAt = performance.now()
    const { server, contract, scenario } = trial
    const keep = keepIn === undefined ? undefined : join(keepIn, trial.id)
    const played = await pool.play({ server, contract, scenario, timeScale: scaleOf(scenario, timeScale), seed, keep })
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
const unkilledChecks = (rows: readonly KeystoneRow[]): string[] => {
  const killed = new Set(rows.flatMap(({ killers }) => killers))
  const judging = checks.filter(
    (check) => check.level !== 'observe' && check.clauses.some((id) => clauseOf(id).level !== 'observe'),
  )
  return judging.map(({ id }) => id).filter((id) => !killed.has(id))
}

/** What is played, and how: petstore's matrix, or that of a contract. */
export interface MatrixOptions {
  readonly contract: ApiContract | undefined
  /** Ids of faults and variations, or of clauses that faults break; none plays all. */
  readonly ids: readonly string[]
  readonly timeScale?: number
  readonly seed: number
  readonly atOnce?: number
  readonly say: (line: string) => void
  /** Where each run is kept, in a folder by the id of its trial; they are removed unless told. */
  readonly keepIn?: string
}

/** The trials with these ids, or that break these clauses, in the order of the catalogues; no ids stand for all. */
export const trialsOf = (contract: ApiContract | undefined, ids: readonly string[]): readonly PlannedTrial[] =>
  contract ? contractTrials(contract).filter((trial) => isAskedFor(trial, ids)) : plannedTrials(ids)

const requireKnown = (ids: readonly string[], contract: ApiContract | undefined): void => {
  const known = [...new Set(trialsOf(contract, []).flatMap(({ id, expected }) => [id, ...expected]))]
  const unknown = ids.find((id) => !known.includes(id))
  if (unknown === undefined) return
  const hint = suggestion(unknown, known)
  const list = contract ? 'quotaspec faults --contract FILE' : 'quotaspec faults'
  const told = hint.startsWith('known') ? `${list} lists the faults` : hint
  const what = contract
    ? `fault or variation that means something to ${contract.name}`
    : 'fault or variation, nor a clause that one breaks'
  throw new UsageError(`--id ${unknown}: there is no such ${what}; ${told}`)
}

/** Each trial is a server and a run in a thread of its own. */
const mostAtOnce = 64

/** Throws a {@link UsageError} where that can't be played. */
export const checkMatrix = ({ contract, ids, timeScale = 1, seed, atOnce = 1 }: Omit<MatrixOptions, 'say'>): void => {
  checkOption('timeScale', timeScale, '--time-scale')
  checkOption('seed', seed, '--seed')
  if (!Number.isInteger(atOnce) || atOnce < 1 || atOnce > mostAtOnce)
    throw new UsageError(`--at-once ${atOnce}: a whole number from 1 to ${mostAtOnce}`)
  requireKnown(ids, contract)
}

const tell = (row: KeystoneRow, { ids, say }: MatrixOptions): void => {
  const got = [...row.failing].sort().join(', ') || 'nothing'
  const open = row.open.length > 0 ? `, open ${row.open.join(', ')}` : ''
  const verdict = row.exact ? 'ok ' : 'NOT'
  const wanted = row.exact ? '' : ` (wanted ${[...row.expected].sort().join(', ') || 'nothing'})`
  say(`${verdict} ${row.kind} ${row.id}: ${got}${wanted}${row.exact ? '' : open} ${row.seconds} s`)
  if (!row.exact)
    for (const { where, looksLike, facts } of row.diagnosed)
      say(`    ${where} was taken for ${looksLike ?? 'nothing known'} ${JSON.stringify(facts)}`)
  if (ids.length > 0 && row.killers.length > 0) say(`    brought down by ${[...row.killers].sort().join(', ')}`)
}

/** Plays a matrix, and says what comes out. It is right where every row is exact and, of petstore's whole, every check killed. */
export const playMatrix = async (
  options: MatrixOptions,
): Promise<{ readonly rows: readonly KeystoneRow[]; readonly isRight: boolean }> => {
  checkMatrix(options)
  const { contract, ids, seed, say, keepIn } = options
  const rows = await playKeystone({
    keepIn,
    trials: trialsOf(contract, ids),
    // Windows of a minute are too long for so many runs; those of a contract may be of any length, and load the machine for longer.
    timeScale: options.timeScale ?? (contract ? 1 : 10),
    atOnce: options.atOnce ?? (contract ? 6 : 20),
    seed,
    watch: (row) => tell(row, options),
  })
  // A contract does not let every fault happen, so that some checks may find none.
  const unkilled = contract || ids.length > 0 ? [] : unkilledChecks(rows)
  for (const id of unkilled) say(`NOT check ${id}: no fault brings it down`)
  const exact = rows.filter((row) => row.exact).length
  say(`${exact} of ${rows.length} exact`)
  return { rows, isRight: exact === rows.length && unkilled.length === 0 }
}
