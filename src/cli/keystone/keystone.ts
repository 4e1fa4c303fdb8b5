import { join } from 'node:path'
import { faults } from '../../../reference-server/faults/catalogue.js'
import type { Fault } from '../../../reference-server/faults/fault.js'
import { variations } from '../../../reference-server/variations/catalogue.js'
import { checks } from '../../checks/all.js'
import { type ClauseId, clauseOf } from '../../contract/clauses.js'
import { sideBySide } from '../../kit/side-by-side.js'
import { exitCodes } from '../exit-code.js'
import { scenarioFolder } from '../package-root.js'
import type { Diagnosed } from './diagnosed.js'
import { isDiagnosed } from './expected-diagnosis.js'
import { openTrialPool, type TrialOutcome } from './trial-pool.js'

/** What has to come out of one trial, and what did. */
export interface KeystoneRow {
  readonly kind: 'fault' | 'variation'
  readonly id: string
  readonly scenario: string
  readonly expected: readonly ClauseId[]
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
  /** Ids of faults and variations; none plays all. */
  readonly ids: readonly string[]
  readonly watch: (row: KeystoneRow) => void
}

/** Clauses that single exchanges show: what breaks only these needs no load to be seen. */
const withoutLoad = /^(BASE|SCHEMA|INV|AUTH|ERR|VER)-/

/** A scenario that only the kill matrix plays. */
const ofItsOwn = (name: string): string => join(scenarioFolder, 'keystone', `${name}.yaml`)

const day = ofItsOwn('day')

/** Clauses that only a profile of their own can show. */
const scenarioOf: Readonly<Partial<Record<ClauseId, string>>> = {
  'QUOTA-3': day,
  'THROTTLE-6': ofItsOwn('obedience'),
}

/** Faults that the scenario of their clauses does not show, or does not show for what they are. */
const scenarioByFault: Readonly<Record<string, string>> = {
  'refused-patch-applied': 'release-gate',
  'retry-after-of-the-minute': day,
  'quota-never-comes-back': ofItsOwn('return'),
  'nodes-count-alone': ofItsOwn('nodes'),
}

const scenarioFor = ({ id, breaks }: Fault): string => {
  const own = breaks.map((clause) => scenarioOf[clause]).find((name) => name !== undefined)
  return (
    scenarioByFault[id] ?? own ?? (breaks.every((clause) => withoutLoad.test(clause)) ? 'conformance' : 'release-gate')
  )
}

const sorted = (items: readonly string[]): string[] => [...items].sort()

const isMust = (id: ClauseId): boolean => clauseOf(id).level === 'must'

const rowOf = (
  trial: Pick<KeystoneRow, 'kind' | 'id' | 'scenario' | 'expected'>,
  { failing, open, killers, diagnosed, exitCode }: TrialOutcome,
  startedAt: number,
): KeystoneRow => {
  const same = sorted(failing).join() === sorted(trial.expected).join()
  const exits = exitCode === exitCodes.fail || !trial.expected.some(isMust)
  const told = trial.kind === 'fault' ? exits && isDiagnosed(trial.id, diagnosed) : open.length === 0
  const exact = same && told
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  return { ...trial, failing, open, killers, diagnosed, exact, seconds }
}

/** A day is long, so its windows are half as long as the others'; conformance only waits for one at its end. */
const scaleOf = (scenario: string, usual: number): number =>
  usual * (scenario === day ? 2 : scenario === 'conformance' ? 3 : 1)

/** What is to be played, in the order of the catalogues. */
const trialsOf = (wanted: (id: string) => boolean) =>
  [
    ...faults.map((fault) => ({
      kind: 'fault' as const,
      id: fault.id,
      scenario: scenarioFor(fault),
      expected: fault.breaks,
      server: { faults: [fault.id] },
    })),
    ...variations.map(({ id }) => ({
      kind: 'variation' as const,
      id,
      scenario: 'release-gate',
      expected: [],
      server: { variations: [id] },
    })),
  ].filter(({ id }) => wanted(id))

/**
 * A day takes several times as long as the rest, and therefore begins early; but not while all threads are loading what
 * they play, for what a stall makes late is then sent at once, and the minute refuses some of it.
 */
const daysEarly = <T extends { readonly scenario: string }>(trials: readonly T[], atOnce: number): T[] => {
  const days = trials.filter(({ scenario }) => scenario === day)
  const others = trials.filter(({ scenario }) => scenario !== day)
  return [...others.slice(0, atOnce), ...days, ...others.slice(atOnce)]
}

/** Plays every fault and every variation: the test of the tests. */
export const playKeystone = async ({
  timeScale,
  seed,
  atOnce,
  ids,
  watch,
}: KeystoneOptions): Promise<KeystoneRow[]> => {
  const pool = openTrialPool()
  const play = async ({ server, ...trial }: ReturnType<typeof trialsOf>[number]): Promise<KeystoneRow> => {
    const startedAt = performance.now()
    const scale = scaleOf(trial.scenario, timeScale)
    const row = rowOf(trial, await pool.play({ server, scenario: trial.scenario, timeScale: scale, seed }), startedAt)
    watch(row)
    return row
  }
  try {
    const trials = trialsOf((id) => ids.length === 0 || ids.includes(id))
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
