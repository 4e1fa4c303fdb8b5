import type { Check } from '../../checks/framework/check.js'
import type { ApiContract } from '../../contract/api-contract.js'
import { areas, clauses } from '../../contract/clauses.js'
import { firstLookProbe } from '../../evidence/first-look.js'
import { journalVersion, type RunHead } from '../../evidence/journal.js'
import { suggestion } from '../../kit/suggestion.js'
import { UsageError } from '../../kit/usage-error.js'
import type { Probe } from '../../probes/probe.js'
import { spread } from '../../probes/profiles/spread.js'
import { checksOf } from '../judging/checks-of-run.js'
import { thisProgram } from '../machine/invoked-as.js'
import { scenarioFolder, toolVersion } from '../machine/package-root.js'
import { thisMachine } from '../machine/this-machine.js'
import type { ScheduledProbe } from '../plan/budget.js'
import { neededProbes } from '../plan/needed-probes.js'
import { joinedPlan, planSection, type RunPlan } from '../plan/planning.js'
import { againAtMost } from '../plan/play-again.js'
import { findProbe, probes } from '../plan/probe-registry.js'
import { sectionsOf } from '../plan/sections.js'
import { configName } from './config-use.js'
import { givenCredentials, leftOutByContract, scheduledFor } from './contract-run.js'
import { agentsAskedFor } from './fleet-flags.js'
import { readKeyFile } from './key-file.js'
import { keyMark } from './key-mark.js'
import { type GivenKey, givenKeys, letterCaseOf, parseEnterpriseQuota } from './keys.js'
import { checkLoadFlags } from './load-flags.js'
import { type LoadedScenario, loadScenario } from './load-scenario.js'
import { loadWaivers } from './load-waivers.js'
import { mergedGates } from './merge-sections.js'
import type { RunFlags } from './run-flags.js'
import { type Safety, safetyArguments, safetyOf } from './safety.js'
import { checkScaleAndSeed } from './scale-and-seed.js'
import { parseTarget } from './target.js'

export interface PreparedRun {
  readonly scenario: LoadedScenario
  readonly scheduled: readonly ScheduledProbe[]
  readonly keys: readonly GivenKey[]
  readonly plan: RunPlan
  readonly head: RunHead
  readonly safety: Safety
  /** What is to be noted before anything is sent. */
  readonly remarks: readonly string[]
}

const quoted = (text: string): string => (/^[\w./:@=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

/** The file that the run went by, for what no flag says: gates, and the variables of keys. The one that is found by itself needs no name. */
const configArguments = ({ config, configUse: use }: RunFlags): string[] => {
  if (!use) return config === false ? ['--no-config'] : []
  const isFound = use.environment !== undefined && config === undefined && use.file === configName
  return [
    ...(isFound ? [] : [`--config ${quoted(use.file)}`]),
    ...(use.environment === undefined ? [] : [`--env ${use.environment}`]),
  ]
}

/** The flags that make a difference, each as it is typed. */
const typedFlags = (flags: RunFlags, baseUrl: string): string[] => [
  `--target ${quoted(baseUrl)}`,
  ...(flags.contract === undefined ? [] : [`--contract ${quoted(flags.contract)}`]),
  ...(flags['long-windows'] ? ['--long-windows'] : []),
  ...flags.quota.map((each) => `--quota ${quoted(each)}`),
  ...(flags['time-scale'] === 1 ? [] : [`--time-scale ${flags['time-scale']}`]),
  ...flags.only.map((each) => `--only ${quoted(each)}`),
  ...flags.skip.map((each) => `--skip ${quoted(each)}`),
  ...(flags.with ?? []).map((each) => `--with ${quoted(each)}`),
  ...(flags.strict ? ['--strict'] : []),
  ...(flags['read-only'] ? ['--read-only'] : []),
  ...(flags['allow-load'] ? ['--allow-load'] : []),
  ...(flags['without-load'] ? ['--without-load'] : []),
  ...(flags['without-rejected-keys'] ? ['--without-rejected-keys'] : []),
  ...(flags.agents === undefined ? [] : [`--agents ${quoted(flags.agents)}`]),
  ...(flags.waivers === undefined ? [] : [`--waivers ${quoted(flags.waivers)}`]),
  ...safetyArguments(flags, quoted),
]

/** The command that repeats the run; keys are left to the environment. What the file says that it names is left to that. */
const commandOf = (scenario: string, flags: RunFlags, baseUrl: string, seed: number): string => {
  const { standsFor = [], takenBack = [] } = flags.configUse ?? {}
  const said = new Set(standsFor)
  return [
    `${thisProgram()} run`,
    ...(said.has('scenario') ? [] : [quoted(scenario)]),
    ...typedFlags(flags, baseUrl).filter((each) => !said.has(each.slice(2).split(' ', 1).join())),
    ...takenBack,
    ...configArguments(flags),
    `--seed ${seed}`,
  ].join(' ')
}

const checkWishes = (flag: string, wishes: readonly string[], checks: readonly Check[]): void => {
  const known = [...clauses.map(({ id }) => id), ...Object.keys(areas), ...checks.map(({ id }) => id)]
  const lower = new Set(known.map((each) => each.toLowerCase()))
  const unknown = wishes.find((wish) => !lower.has(wish.toLowerCase()))
  if (unknown === undefined) return
  const hint = suggestion(unknown, known)
  throw new UsageError(
    `--${flag} ${unknown}: no clause, area or check has that name; ${hint.startsWith('known') ? 'an id looks like RATE-5, RATE or rate.headers-present' : hint}`,
  )
}

const checkWith = (besides: readonly string[], played: readonly string[], scenario: string): void => {
  const unknown = besides.find((id) => !played.includes(id))
  if (unknown === undefined) return
  throw new UsageError(
    `--with ${unknown}: the scenario ${scenario} plays no such probe; ${suggestion(unknown, played)}`,
  )
}

const known = (id: string): Probe => {
  const probe = findProbe(id)
  if (!probe) throw new Error(`the scenario was loaded with a probe ${id} that is none`)
  return probe
}

/** What spreads a key over machines is told how many there are. */
const onMachines = (scheduled: readonly ScheduledProbe[], agents: number): readonly ScheduledProbe[] =>
  scheduled.map((each) =>
    each.probe === spread ? { ...each, settings: { ...each.settings, machines: Math.max(1, agents) } } : each,
  )

/** Before anything else a run looks at its target and at every key: hello comes first, whether or not it was asked for. */
const withHelloFirst = (scheduled: readonly ScheduledProbe[]): readonly ScheduledProbe[] => {
  const asked = scheduled.find(({ probe }) => probe.id === firstLookProbe)
  return [asked ?? { probe: known(firstLookProbe), settings: {} }, ...scheduled.filter((each) => each !== asked)]
}

const settle = (
  flags: RunFlags,
  environment: NodeJS.ProcessEnv,
  contract: ApiContract | undefined,
  checks: readonly Check[],
): { baseUrl: string; keys: GivenKey[]; seed: number } => {
  checkScaleAndSeed(flags)
  checkLoadFlags(flags)
  checkWishes('only', flags.only, checks)
  checkWishes('skip', flags.skip, checks)
  const baseUrl = parseTarget(flags.target)
  const fromFile = flags['key-file'] === undefined ? [] : readKeyFile(flags['key-file'])
  const given = [...flags.key, ...fromFile]
  const keys = contract
    ? givenCredentials(contract, given, environment)
    : givenKeys(given, environment, parseEnterpriseQuota(flags.quota))
  const named = Object.values(flags.configUse?.keys ?? {})
  if (keys.length === 0 && named.length > 0)
    throw new UsageError(`no key was given: set ${named.join(', ')}, as ${flags.configUse?.file} has it`)
  if (keys.length === 0)
    throw new UsageError(
      'no key was given: set QUOTASPEC_KEY_FREE (or _PRO, _BUSINESS, _ENTERPRISE), or add --key free=YOUR-KEY; for another API than the Petstore give a contract file: --contract FILE, which quotaspec init writes',
    )
  return { baseUrl, keys, seed: flags.seed ?? Math.floor(Math.random() * 2 ** 31) }
}

/** The variable that the user set: a configuration may name another than the one in which keys are looked for. */
const variableOf = ({ plan, variable }: GivenKey, { configUse }: RunFlags): string | null =>
  variable === null ? null : (configUse?.keys[plan] ?? variable)

/** A scenario's ceiling holds before anything is sent, not when it is reached. */
const checkCeiling = (scenario: LoadedScenario, plan: RunPlan): void => {
  const most = scenario.limits?.mostRequests
  const planned = plan.requests.reduce((sum, { requests }) => sum + requests, 0)
  if (most === undefined || planned <= most) return
  throw new UsageError(
    `${scenario.file}: limits.mostRequests is ${most}, and with these keys the run could send ${planned}: give fewer keys, or raise it`,
  )
}

/**
 * Checks everything that the user gave and works out the plan. Sends nothing. Throws a {@link UsageError}.
 *
 * @param contract the contract that the target is held to; absent: the bundled one.
 */
export const prepareRun = (
  scenarioName: string,
  flags: RunFlags,
  environment: NodeJS.ProcessEnv,
  contract?: ApiContract,
): PreparedRun => {
  const checks = checksOf({ contract })
  const settings = new Map(probes.map((probe) => [probe.id, probe.settings]))
  const loaded = loadScenario(scenarioName, scenarioFolder, settings)
  const scenario = { ...loaded, gates: mergedGates(loaded.gates, flags.configUse?.gates) }
  const { baseUrl, keys, seed } = settle(flags, environment, contract, checks)
  const all = scenario.probes.map(({ probe, ...each }) => ({ probe: known(probe), settings: each }))
  const inTurn = withHelloFirst(onMachines(all, agentsAskedFor(flags)))
  const ids = inTurn.map(({ probe }) => probe.id)
  checkWith(flags.with ?? [], ids, scenario.name)
  const taken = neededProbes(ids, flags, checks)
  const needed = inTurn.filter(({ probe }) => taken.includes(probe.id))
  const long = { timeScale: flags['time-scale'], longWindows: flags['long-windows'] ?? false }
  const scheduled = contract ? scheduledFor(contract, needed, long) : needed
  const facts = keys.map((key) => ({
    ...{ name: key.name, plan: key.plan, quota: key.quota, letterCase: letterCaseOf(key.secret) },
    variable: variableOf(key, flags),
  }))
  const sections = sectionsOf({ contract, keys: facts, timeScale: flags['time-scale'] }, scheduled)
  const plan = joinedPlan(
    sections.map((section) =>
      planSection(section, againAtMost(section.scheduled, { only: flags.only, skip: flags.skip })),
    ),
  )
  checkCeiling(scenario, plan)
  const startedAt = new Date()
  const head: RunHead = {
    type: 'run',
    journalVersion,
    toolVersion,
    id: `${startedAt.toISOString().replace(/[:.]/g, '-')}-${scenario.name}`,
    startedAt: startedAt.toISOString(),
    wallStartMs: startedAt.getTime(),
    scenario: scenario.name,
    probes: scheduled.map(({ probe, settings: each, quota }) => ({
      probe: probe.id,
      settings: { ...each },
      ...(quota === undefined ? {} : { quota }),
    })),
    ...(contract && { contract }),
    gates: scenario.gates ?? {},
    waivers:
      flags.waivers === undefined
        ? []
        : loadWaivers(
            flags.waivers,
            checks.map(({ id }) => id),
          ),
    only: [...flags.only],
    skip: [...flags.skip],
    baseUrl,
    timeScale: flags['time-scale'],
    seed,
    strict: flags.strict || scenario.strict || scenario.gates?.level === 'should',
    readOnly: flags['read-only'],
    withoutLoad: flags['without-load'] ?? false,
    withoutRejectedKeys: flags['without-rejected-keys'] ?? false,
    keys: scheduled.some(({ probe }) => probe.spendsDay)
      ? facts.map((each, i) => ({ ...each, mark: keyMark(keys[i].secret) }))
      : facts,
    planned: { requests: [...plan.requests], durationMs: plan.durationMs },
    command: commandOf(scenarioName, flags, baseUrl, seed),
    environment: thisMachine(),
  }
  const remarks = [...(flags.configUse?.remarks ?? []), ...(contract ? leftOutByContract(contract, keys, long) : [])]
  return { scenario, scheduled, keys, plan, head, safety: safetyOf(flags), remarks }
}
