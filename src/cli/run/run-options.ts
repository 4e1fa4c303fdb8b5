import { existsSync } from 'node:fs'
import { parseTarget } from '../../run/options/target.js'
import { defaultExchangeLimits } from '../../wire/http/exchange-limits.js'
import type { Flag, Positional, TypedFlag } from '../flags/command.js'

const seconds = (ms: number): number => ms / 1000

/** Flags of `run` and `plan` that keep a run from harm: its own, its target's and its keys'. */
export const safetyOptions = {
  'connect-timeout': {
    type: 'number',
    value: 'SECONDS',
    sample: '10',
    describe: `Seconds to connect, TLS included (${seconds(defaultExchangeLimits.connectMs)})`,
  },
  'head-timeout': {
    type: 'number',
    value: 'SECONDS',
    sample: '10',
    describe: `Seconds to wait for the head of an answer (${seconds(defaultExchangeLimits.headMs)})`,
  },
  'body-timeout': {
    type: 'number',
    value: 'SECONDS',
    sample: '10',
    describe: `Seconds to wait for its body (${seconds(defaultExchangeLimits.bodyMs)})`,
  },
  'time-limit': {
    type: 'number',
    value: 'SECONDS',
    sample: '600',
    describe: 'Seconds for the whole run (twice the planned time plus a minute)',
  },
  'key-file': { type: 'string', value: 'FILE', describe: 'A file with a line PLAN=SECRET for each key' },
  ca: { type: 'string', value: 'FILE', describe: "A PEM file of certificates to trust besides the system's" },
  insecure: { type: 'boolean', describe: 'Do not check certificates: the keys go to whoever answers' },
  yes: { type: 'boolean', describe: 'Put load on the target without asking' },
} as const satisfies Readonly<Record<string, Flag>>

/** The flags of `run` and `plan`: they take the same, so that what was planned can be run. None has a default here. */
export const runOptions = {
  target: {
    type: 'string',
    value: 'URL',
    sample: 'http://127.0.0.1:8080/v1',
    describe: 'Base address of the target; for the Petstore it ends with /v1',
  },
  key: {
    type: 'string',
    array: true,
    value: 'PLAN=SECRET',
    describe: 'A key; safer: set QUOTASPEC_KEY_FREE=… in the environment',
    names: 'plans',
  },
  contract: {
    type: 'string',
    value: 'FILE',
    describe: 'A contract file: the quotas of your own API, instead of the Petstore',
  },
  'long-windows': { type: 'boolean', describe: 'Also test quotas with windows of an hour or longer' },
  quota: {
    type: 'string',
    array: true,
    value: 'PLAN=LIMITS',
    describe: 'The limits of a plan, such as enterprise=minute:300,day:5000',
  },
  'time-scale': {
    type: 'number',
    defaultDescription: '1',
    sample: '10',
    describe: 'Divide every window by N; keep 1 for a real server',
  },
  out: {
    type: 'string',
    defaultDescription: 'reports/latest',
    value: 'DIR',
    describe: 'Folder for the journal and the reports',
  },
  only: {
    type: 'string',
    array: true,
    value: 'ID',
    describe: 'Judge only these clauses, areas or checks',
    names: 'wishes',
  },
  skip: {
    type: 'string',
    array: true,
    value: 'ID',
    describe: 'Leave out these clauses, areas or checks',
    names: 'wishes',
  },
  with: {
    type: 'string',
    array: true,
    value: 'PROBE',
    describe: 'With --only: also play this probe of the scenario',
    names: 'probes',
  },
  strict: { type: 'boolean', describe: 'Also fail on broken "should" clauses' },
  'read-only': { type: 'boolean', describe: 'Send no PATCH that could succeed' },
  'allow-load': { type: 'boolean', describe: 'Allow load on a target that is not this machine' },
  'without-load': { type: 'boolean', describe: 'Where load is not allowed, play the rest (exit code 2)' },
  'without-rejected-keys': {
    type: 'boolean',
    describe: 'Continue without keys that the target rejects (exit code 2)',
  },
  waivers: {
    type: 'string',
    value: 'FILE',
    describe: 'A file of known failures, each with a reason, an owner and an end date',
  },
  seed: {
    type: 'number',
    sample: '7',
    describe: 'Seed of random choices: the same seed repeats them; each report names its seed',
  },
  agents: {
    type: 'string',
    value: 'NAMES',
    sample: 'eu=2,us=2',
    describe: 'Let agents send the loads: eu=2,us=2 takes two agents named eu-… and two named us-…',
  },
  redis: {
    type: 'string',
    value: 'URL',
    describe: 'The Redis that connects the agents; safer: set QUOTASPEC_REDIS=… in the environment',
  },
  'agents-within': { type: 'number', sample: '60', describe: 'Seconds to wait for agents (30)' },
  ...safetyOptions,
} as const satisfies Readonly<Record<string, Flag>>

/** The flags that say which configuration file holds: its settings stand in for flags that are not given. */
export const configOptions = {
  config: {
    type: 'string',
    value: 'FILE',
    mayBeOff: true,
    describe: 'A configuration file (quotaspec.yaml in this folder, if there is one); --no-config for none',
  },
  env: { type: 'string', value: 'NAME', describe: 'The environment in the configuration file: staging' },
} as const satisfies Readonly<Record<string, Flag>>

/** The word behind `run` and `plan`. */
export const scenarioWord = {
  type: 'string',
  defaultDescription: 'release-gate',
  describe: 'A name in scenarios/, or the path of a YAML file',
  names: 'scenarios',
} as const satisfies Positional

/** The name under which a configuration is found in the working directory. */
export const configName = 'quotaspec.yaml'

/** Throws a {@link UsageError} where nothing names a target, before what plays and judges is loaded. */
export const refuseEarly = (typed: readonly TypedFlag[]): void => {
  const has = (name: string) => typed.some((flag) => flag.name === name)
  const given = (name: string) => typed.find((flag) => flag.name === name)?.value
  const isConfigured = has('env') || (has('config') ? given('config') !== undefined : existsSync(configName))
  if (!has('target') && !isConfigured) parseTarget(undefined)
}
