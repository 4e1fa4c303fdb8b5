import { join } from 'node:path'
import { faults } from '../../reference-server/faults/catalogue.js'
import type { Fault } from '../../reference-server/faults/fault.js'
import { variations } from '../../reference-server/variations/catalogue.js'
import { checks } from '../checks/all.js'
import { type ClauseId, clauseOf } from '../contract/clauses.js'
import { playTrial, sideBySide, type Trial, type TrialResult } from './kill-matrix.js'
import { scenarioFolder } from './package-root.js'

/** What has to come out of one trial, and what did. */
export interface KeystoneRow {
  readonly kind: 'fault' | 'variation'
  readonly id: string
  readonly scenario: string
  readonly expected: readonly string[]
  readonly failing: readonly string[]
  /** Of a variation: nothing may be left open either. */
  readonly open: readonly string[]
  readonly killers: readonly string[]
  readonly exact: boolean
  readonly seconds: number
}

export interface KeystoneOptions {
  readonly timeScale: number
  readonly seed: number
  readonly atOnce: number
  /** Ids of faults and variations; none plays all. */
  readonly ids: readonly string[]
  readonly watch: (row: KeystoneRow) => void
}

/** Clauses that single exchanges show: what breaks only these needs no load to be seen. */
const withoutLoad = /^(BASE|SCHEMA|INV|AUTH|ERR|VER)-/

/** A scenario that only the kill matrix plays. */
const ofItsOwn = (name: string): string => join(scenarioFolder, 'keystone', `${name}.yaml`)

/** Clauses that only a profile of their own can show. */
const scenarioOf: Readonly<Partial<Record<ClauseId, string>>> = {
  'QUOTA-3': ofItsOwn('day'),
  'THROTTLE-6': ofItsOwn('obedience'),
}

/** A PATCH that is refused, and a wait that is the day's, belong to clauses that other faults break without any load. */
const scenarioByFault: Readonly<Record<string, string>> = {
  'refused-patch-applied': 'release-gate',
  'retry-after-of-the-minute': ofItsOwn('day'),
  'quota-never-comes-back': ofItsOwn('return'),
}

const scenarioFor = ({ id, breaks }: Fault): string => {
  const own = breaks.map((clause) => scenarioOf[clause]).find((name) => name !== undefined)
  return (
    scenarioByFault[id] ?? own ?? (breaks.every((clause) => withoutLoad.test(clause)) ? 'conformance' : 'release-gate')
  )
}

/** A day at this scale lasts as long as a few minutes' windows: a plan's day can be spent while one waits. */
const timeScaleFor = (scenario: string, usual: number): number => (scenario === ofItsOwn('day') ? usual * 4 : usual)

const sorted = (items: readonly string[]): string[] => [...items].sort()

const rowOf = (
  trial: Pick<KeystoneRow, 'kind' | 'id' | 'scenario' | 'expected'>,
  { failing, open, killers }: Omit<TrialResult, 'report'>,
  startedAt: number,
): KeystoneRow => {
  const same = sorted(failing).join() === sorted(trial.expected).join()
  const exact = same && (trial.kind === 'fault' || open.length === 0)
  return { ...trial, failing, open, killers, exact, seconds: Math.round((performance.now() - startedAt) / 1000) }
}

/** A trial that breaks down is no reason to lose the others: it counts as one that is not exact. */
const played = async (trial: Trial): Promise<Omit<TrialResult, 'report'>> => {
  try {
    return await playTrial(trial)
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
    return { failing: [`broke down: ${cause}`], open: [], killers: [] }
  }
}

/** Plays every fault and every variation: the test of the tests. */
export const playKeystone = async ({
  timeScale,
  seed,
  atOnce,
  ids,
  watch,
}: KeystoneOptions): Promise<KeystoneRow[]> => {
  const wanted = (id: string) => ids.length === 0 || ids.includes(id)
  const trials = [
    ...faults.map((fault) => ({
      kind: 'fault' as const,
      id: fault.id,
      scenario: scenarioFor(fault),
      expected: fault.breaks,
    })),
    ...variations.map(({ id }) => ({ kind: 'variation' as const, id, scenario: 'release-gate', expected: [] })),
  ].filter(({ id }) => wanted(id))
  const play = async (trial: (typeof trials)[number]): Promise<KeystoneRow> => {
    const startedAt = performance.now()
    const server = trial.kind === 'fault' ? { faults: [trial.id] } : { variations: [trial.id] }
    const scale = timeScaleFor(trial.scenario, timeScale)
    const row = rowOf(trial, await played({ server, scenario: trial.scenario, timeScale: scale, seed }), startedAt)
    watch(row)
    return row
  }
  const rows = await sideBySide(trials, atOnce, play)
  // Many trials in one process are in each other's way: what came out wrong among them has to come out right by itself.
  const alone = new Map<string, KeystoneRow>()
  for (const trial of trials.filter((_, i) => !rows[i].exact)) alone.set(trial.id, await play(trial))
  return rows.map((row) => alone.get(row.id) ?? row)
}

/** Checks that judge, and that no fault of a whole keystone has brought down. */
export const unkilledChecks = (rows: readonly KeystoneRow[]): string[] => {
  const killed = new Set(rows.flatMap(({ killers }) => killers))
  const judging = checks.filter(
    (check) => check.level !== 'observe' && check.clauses.some((id) => clauseOf(id).level !== 'observe'),
  )
  return judging.map(({ id }) => id).filter((id) => !killed.has(id))
}

/** The page without its last column: which of several checks sees a fault first may differ from run to run. */
const withoutKillers = (page: string): string =>
  page
    .split('\n')
    .map((line) => (line.startsWith('| `') ? line.split('|').slice(0, 3).join('|') : line))
    .join('\n')

/** Whether a saved page tells of the same faults, clauses and variations as this one. */
export const tellsTheSame = (saved: string, page: string): boolean => withoutKillers(saved) === withoutKillers(page)

const list = (items: readonly string[]): string => (items.length === 0 ? '—' : sorted(items).join(', '))

/** The kill matrix as a page: which checks bring down which fault, and the variations that none accuses. */
export const renderKillMatrix = (rows: readonly KeystoneRow[]): string => {
  const table = rows
    .filter(({ kind }) => kind === 'fault')
    .map(({ id, failing, killers }) => `| \`${id}\` | ${list(failing)} | ${list(killers)} |`)
  const clean = rows.filter(({ kind, exact }) => kind === 'variation' && exact).map(({ id }) => `\`${id}\``)
  return [
    '# The kill matrix',
    '',
    'A check counts only once it has been seen to fail. Each row is a fault of the reference server, the clauses that fail',
    'on it (exactly those that it breaks) and the checks that bring it down. Made by `npm run keystone -- --write`.',
    '',
    `| fault (${table.length}) | failing clauses | checks that fail |`,
    '| --- | --- | --- |',
    ...table,
    '',
    `## Conforming variations (${clean.length}), on which nothing fails and nothing is left open`,
    '',
    clean.join(', '),
    '',
  ].join('\n')
}
