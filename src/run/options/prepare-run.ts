import type { Check } from '../../checks/framework/check.js'
import type { ApiContract } from '../../contract/api-contract.js'
import { areas, clauses } from '../../contract/clauses.js'
import { windowOfQuota } from '../../contract/partitions.js'
import { contractOf } from '../../contract/petstore/petstore.js'
import { firstLookProbe, journalVersion, type RunHead } from '../../evidence/journal.js'
import { UsageError } from '../../kit/usage-error.js'
import { formatDuration, nearest, suggestion } from '../../kit/words.js'
import type { Probe } from '../../probes/probe.js'
import { otherRequests } from '../../probes/profiles/other-requests.js'
import { spread } from '../../probes/profiles/spread.js'
import { thisMachine } from '../machine.js'
import { scenarioFolder, toolVersion } from '../package.js'
import type { ScheduledProbe } from '../plan/budget.js'
import { joinedPlan, planSection, type RunPlan, sectionsOf } from '../plan/planning.js'
import { againAtMost } from '../plan/play-again.js'
import { checksOf, findProbe, neededProbes, probes, quotaProbes } from '../registry.js'
import { commandOf } from './command-of-run.js'
import { mergedGates } from './gates.js'
import { type GivenKey, keyMark, keysAtHand, letterCaseOf, readKeyFile } from './keys.js'
import { type LoadedScenario, loadScenario } from './scenario.js'
import type { SettledOptions } from './settle-options.js'
import { safetyOf } from './target.js'
import { loadWaivers } from './waivers.js'

/** Windows at least this long are spent only on request. */
const longWindowMs = 3_600_000

/** What a run leaves out of its contract, in sentences: credentials that were not given, and windows that are too long. */
export const leftOutByContract = (
  contract: ApiContract,
  keys: readonly GivenKey[],
  { timeScale, longWindows }: { readonly timeScale: number; readonly longWindows: boolean },
): string[] => {
  const missing = Object.entries(contract.credentials).filter(([name]) => !keys.some((key) => key.name === name))
  const long = longWindows ? [] : contract.quotas.filter((quota) => windowOfQuota(quota, timeScale) >= longWindowMs)
  return [
    ...missing.map(([name, { env }]) => `the credential ${name} is left out: ${env} is not set`),
    ...long.map(
      (quota) =>
        `the quota ${quota.id} is not tested: its window is ${formatDuration(windowOfQuota(quota, timeScale))} long (--long-windows tests it)`,
    ),
  ]
}

/** Adds the probe of other requests right after a burst: they count against the same quota. */
const withOtherRequests = (scheduled: readonly ScheduledProbe[]): readonly ScheduledProbe[] => {
  const isNamed = scheduled.some(({ probe }) => probe === otherRequests)
  return scheduled.flatMap((each) =>
    each.probe.id === 'burst' && !isNamed ? [each, { probe: otherRequests, settings: {} }] : [each],
  )
}

/** A scenario's probes for each quota of a contract; for a long window only those that put no load on it. */
export const scheduledFor = (
  contract: ApiContract,
  scheduled: readonly ScheduledProbe[],
  { timeScale, longWindows }: { readonly timeScale: number; readonly longWindows: boolean },
): ScheduledProbe[] =>
  contract.quotas.flatMap((quota) => {
    const isSpent = longWindows || windowOfQuota(quota, timeScale) < longWindowMs
    return withOtherRequests(scheduled)
      .filter(({ probe }) => quotaProbes.includes(probe) && (isSpent || !probe.isLoad))
      .map((each) => ({ ...each, quota: quota.id }))
  })

const checkWishes = (wishes: readonly string[], name: string, checkIds: readonly string[]): void => {
  const known = [...clauses.map(({ id }) => id), ...Object.keys(areas), ...checkIds]
  const lower = new Set(known.map((each) => each.toLowerCase()))
  const unknown = wishes.find((wish) => !lower.has(wish.toLowerCase()))
  if (unknown === undefined) return
  const meant = nearest(unknown, known)
  const hint = meant === undefined ? 'an id looks like RATE-5, RATE or rate.headers-present' : `did you mean ${meant}?`
  throw new UsageError(`${name} ${unknown}: no clause, area or check has that name; ${hint}`)
}

const checkWith = ({ options, nameOf }: SettledOptions, played: readonly string[], scenario: string): void => {
  const unknown = options.with.find((id) => !played.includes(id))
  if (unknown === undefined) return
  throw new UsageError(
    `${nameOf('with')} ${unknown}: the scenario ${scenario} plays no such probe; ${suggestion(unknown, played)}`,
  )
}

const known = (id: string): Probe => {
  const probe = findProbe(id)
  if (!probe) throw new Error(`the scenario was loaded with an unknown probe ${id}`)
  return probe
}

/** Tells the probe that spreads a key over machines how many machines there are. */
const onMachines = (scheduled: readonly ScheduledProbe[], agents: number): readonly ScheduledProbe[] =>
  scheduled.map((each) =>
    each.probe === spread ? { ...each, settings: { ...each.settings, machines: Math.max(1, agents) } } : each,
  )

/** Puts hello first, asked for or not: a run begins by looking at its target and every key. */
const withHelloFirst = (scheduled: readonly ScheduledProbe[]): readonly ScheduledProbe[] => {
  const asked = scheduled.find(({ probe }) => probe.id === firstLookProbe)
  return [asked ?? { probe: known(firstLookProbe), settings: {} }, ...scheduled.filter((each) => each !== asked)]
}

const keysOf = (
  { options: { keys: typed, keyFile, keyVariables, quotas }, file, nameOf }: SettledOptions,
  environment: NodeJS.ProcessEnv,
  contract: ApiContract | undefined,
): GivenKey[] => {
  const given = [...typed, ...readKeyFile(keyFile, nameOf('keyFile'))]
  const keys = keysAtHand(contract, given, environment, quotas.enterprise, keyVariables)
  const variables = Object.values(keyVariables)
  if (keys.length === 0 && variables.length > 0)
    throw new UsageError(`no key was given: set ${variables.join(', ')}, which ${file?.file.file} names`)
  if (keys.length === 0)
    throw new UsageError(
      'no key was given: set QUOTASPEC_KEY_FREE (or _PRO, _BUSINESS, _ENTERPRISE), or add --key free=YOUR-KEY; to test an API of your own, pass its contract file: --contract FILE (quotaspec init writes one)',
    )
  return keys
}

const scenarioOf = ({ options, file, sourceOf, nameOf }: SettledOptions): LoadedScenario => {
  const settings = new Map(probes.map((probe) => [probe.id, probe.settings]))
  const where = file && sourceOf('scenario') === file ? `${nameOf('scenario')}: ` : ''
  const loaded = loadScenario(options.scenario, scenarioFolder, settings, where)
  return { ...loaded, gates: mergedGates(loaded.gates, options.gates) }
}

/** An event happens during a load, so its probe has to put one on a key. */
const checkEvents = ({ events, file }: LoadedScenario): void => {
  const wrong = events.find(({ during }) => !known(during).isLoad)
  if (wrong === undefined) return
  throw new UsageError(
    `${file}: events: ${wrong.name} should happen during ${wrong.during}, which puts no load on any key: name a probe that does`,
  )
}

/** Refuses a plan above the scenario's ceiling before anything is sent. */
const checkCeiling = (scenario: LoadedScenario, plan: RunPlan): void => {
  const most = scenario.limits?.mostRequests
  const planned = plan.requests.reduce((sum, { requests }) => sum + requests, 0)
  if (most === undefined || planned <= most) return
  throw new UsageError(
    `${scenario.file}: limits.mostRequests is ${most}, and with these keys the run could send ${planned}: give fewer keys, or raise it`,
  )
}

const scheduleOf = (settled: SettledOptions, scenario: LoadedScenario, checks: readonly Check[]) => {
  const { options } = settled
  const machines = options.agents.reduce((sum, { count }) => sum + count, 0)
  const all = scenario.probes.map(({ probe, ...each }) => ({ probe: known(probe), settings: each }))
  const inTurn = withHelloFirst(onMachines(all, machines))
  const ids = inTurn.map(({ probe }) => probe.id)
  checkWith(settled, ids, scenario.name)
  const taken = neededProbes(ids, options, checks)
  return inTurn.filter(({ probe }) => taken.includes(probe.id))
}

/** Checks everything the user gave and makes the plan; sends nothing. Throws a {@link UsageError}. */
export const prepareRun = (settled: SettledOptions, environment: NodeJS.ProcessEnv, contract?: ApiContract) => {
  const { options, nameOf } = settled
  const { only, skip, timeScale, waivers } = options
  const checks = checksOf({ contract, events: [] })
  const checkIds = checks.map(({ id }) => id)
  const scenario = scenarioOf(settled)
  checkEvents(scenario)
  checkWishes(only, nameOf('only'), checkIds)
  checkWishes(skip, nameOf('skip'), checkIds)
  const needed = scheduleOf(settled, scenario, checks)
  const keys = keysOf(settled, environment, contract)
  const { scheduled, leftOut } = contract
    ? { scheduled: scheduledFor(contract, needed, options), leftOut: leftOutByContract(contract, keys, options) }
    : { scheduled: needed, leftOut: [] }
  const { credentials } = contractOf({ contract, keys })
  const facts = keys.map(({ name, plan, quota, secret, variable }) => ({
    ...{ name, plan, quota, variable },
    // With basic authentication, the user name may be case-insensitive.
    letterCase: letterCaseOf(credentials[name]?.scheme === 'basic' ? secret.replace(/:.*/, '') : secret),
    // A run that spends a day may be resumed, and only with the same key.
    ...(scheduled.some(({ probe }) => probe.spendsDay) && { mark: keyMark(secret) }),
  }))
  const plan = joinedPlan(
    sectionsOf({ contract, keys: facts, timeScale }, scheduled).map((section) =>
      planSection(section, againAtMost(section.scheduled, { only, skip }, section.keys)),
    ),
  )
  checkCeiling(scenario, plan)
  const startedAt = new Date()
  const seed = options.seed ?? Math.floor(Math.random() * 2 ** 31)
  const head: RunHead = {
    type: 'run',
    journalVersion,
    toolVersion,
    id: `${startedAt.toISOString().replace(/[:.]/g, '-')}-${scenario.name}`,
    startedAt: startedAt.toISOString(),
    wallStartMs: startedAt.getTime(),
    scenario: scenario.name,
    probes: scheduled.map(({ probe, settings, quota }) => ({ probe: probe.id, settings: { ...settings }, quota })),
    contract,
    gates: scenario.gates ?? {},
    ...(scenario.events.length > 0 && {
      events: scenario.events.map(({ name, during, at }) => ({ name, during, at })),
    }),
    waivers: loadWaivers(waivers, checkIds, nameOf('waivers')),
    only: [...only],
    skip: [...skip],
    baseUrl: options.target,
    timeScale,
    seed,
    strict: options.strict || scenario.strict || scenario.gates?.level === 'should',
    readOnly: options.readOnly,
    withoutLoad: options.withoutLoad,
    withoutRejectedKeys: options.withoutRejectedKeys,
    keys: facts,
    planned: { requests: [...plan.requests], durationMs: plan.durationMs, againMs: plan.againMs },
    command: commandOf(settled, seed),
    environment: thisMachine(),
  }
  const remarks = [...settled.remarks, ...leftOut]
  const safety = safetyOf(options, nameOf('ca'))
  return { options, nameOf, scenario, scheduled, keys, plan, head, safety, remarks, leftOut }
}

/** A run that is ready to begin: its options are valid, and nothing has been sent. */
export type PreparedRun = ReturnType<typeof prepareRun>
