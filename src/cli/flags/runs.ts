import { existsSync } from 'node:fs'
import { parseTarget } from '../../run/options/target.js'
import { defaultExchangeLimits } from '../../wire/http/exchange-limits.js'
import { type Declared, number, said, text, toggle } from './command.js'
import { printedAs } from './saved-runs.js'

const seconds = (ms: number): number => ms / 1000

const waits = (describe: string) => number('10', describe, { value: 'SECONDS' })

/** Flags of `run` and `plan` that protect the run, its target and its keys. */
export const safetyOptions = {
  'connect-timeout': waits(`Seconds to connect, TLS included (${seconds(defaultExchangeLimits.connectMs)})`),
  'head-timeout': waits(`Seconds to wait for response headers (${seconds(defaultExchangeLimits.headMs)})`),
  'body-timeout': waits(`Seconds to wait for the body of a response (${seconds(defaultExchangeLimits.bodyMs)})`),
  'time-limit': number(
    '600',
    'Seconds for the whole run (three times the planned time, plus the time for repeats, plus 60)',
    { value: 'SECONDS' },
  ),
  'key-file': text('FILE', 'A file with a line PLAN=SECRET for each key'),
  ca: text('FILE', "A PEM file of certificates to trust in addition to the system's"),
  insecure: said('Do not check certificates: the keys go to whoever answers'),
  yes: said('Put load on the target without asking'),
}

/** The flags of `run` and `plan`, which take the same, so that a plan can be run. None has a default here. */
export const runOptions = {
  target: text('URL', 'Base address of the target; for the Petstore it ends with /v1', {
    sample: 'http://127.0.0.1:8080/v1',
  }),
  key: text('PLAN=SECRET', 'A key; safer: set QUOTASPEC_KEY_FREE=… in the environment', {
    array: true,
    names: 'plans',
  }),
  contract: text('FILE', 'A contract file: the quotas of your own API, instead of the Petstore'),
  'long-windows': said('Also test quotas with windows of an hour or longer'),
  quota: text(
    'PLAN=LIMITS',
    'The agreed limits of Enterprise: enterprise=minute:300,day:5000 (those of other plans are fixed)',
    { array: true },
  ),
  'time-scale': number('10', 'Divide every window by N; keep 1 for a real server', { defaultDescription: '1' }),
  out: text('DIR', 'Folder for the journal and the reports', { defaultDescription: 'reports/latest' }),
  only: text('ID', 'Judge only these clauses, areas or checks', { array: true, names: 'wishes' }),
  skip: text('ID', 'Leave out these clauses, areas or checks', { array: true, names: 'wishes' }),
  with: text('PROBE', 'With --only: also play this probe of the scenario', { array: true, names: 'probes' }),
  strict: said('Also fail on broken "should" clauses'),
  'read-only': said('Send no PATCH that could succeed'),
  'allow-load': said('Allow load on a target that is not this machine'),
  'without-load': said('If load is not allowed, play the rest (exit code 2)'),
  'without-rejected-keys': said('Continue without keys that the target rejects (exit code 2)'),
  waivers: text('FILE', 'A file of known failures, each with a reason, an owner and an end date'),
  seed: number('7', 'Seed of random choices: the same seed repeats them; each report names its seed'),
  agents: text('NAMES', 'Let agents send the loads: eu=2,us=2 takes two agents named eu-… and two named us-…', {
    sample: 'eu=2,us=2',
  }),
  redis: text('URL', 'The Redis that connects the agents; safer: set QUOTASPEC_REDIS=… in the environment'),
  'agents-within': number('60', 'Seconds to wait for agents (30)', {
    within: { words: 'seconds, from 1 to 3600; 60 is a minute', least: 1, most: 3_600 },
  }),
  ...safetyOptions,
}

/** The flags that choose a configuration file, whose settings replace flags that are not given. */
export const configOptions = {
  config: text('FILE', 'A configuration file (quotaspec.yaml in this folder, if there is one); --no-config for none', {
    mayBeOff: true,
  }),
  env: text('NAME', 'The environment in the configuration file: staging'),
}

/** The configuration file that quotaspec looks for in the working directory. */
export const configName = 'quotaspec.yaml'

const scenarioWord = text(undefined, 'A name in scenarios/, or the path of a YAML file', {
  defaultDescription: 'release-gate',
  names: 'scenarios',
})

/** Throws a {@link UsageError} if nothing names a target, before the code that plays and judges is loaded. */
const refuseEarly = ({ target, env, config }: Readonly<Record<string, unknown>>): void => {
  const isConfigured = env !== undefined || (config === undefined ? existsSync(configName) : config !== false)
  if (target === undefined && !isConfigured) parseTarget(undefined)
}

const runOnly = {
  resume: text('DIR', 'Continue the daily run that stopped in this folder; give the same flags again'),
  open: toggle('Print a local address and show the progress there in a browser, then the report'),
  quiet: toggle('Print the verdict and nothing else'),
  as: printedAs,
}

const staging = '--target https://staging.example/v1'

const run = {
  command: 'run [scenario]',
  describe: 'Play a scenario against a target and judge it',
  positionals: { scenario: scenarioWord },
  options: { ...runOptions, ...configOptions, ...runOnly },
  examples: [
    [`quotaspec run smoke ${staging}`, 'a few requests: whether it answers, and whether the keys are valid'],
    [`quotaspec run ${staging} --allow-load --yes`, 'the release gate, load included'],
  ],
  refuse: refuseEarly,
} as const satisfies Declared

const plan = {
  command: 'plan [scenario]',
  describe: 'Show what a run would send with each key, and how long it takes; sends nothing',
  positionals: { scenario: scenarioWord },
  options: { ...runOptions, ...configOptions },
  examples: [
    [`quotaspec plan ${staging} --allow-load`, 'what the release gate would send'],
    [`quotaspec plan conformance ${staging} --only RATE`, 'what the rules of one area need'],
  ],
  refuse: refuseEarly,
} as const satisfies Declared

const { yes: _yes, 'time-limit': _timeLimit, ...safety } = safetyOptions
const { target, key, contract, quota, 'time-scale': timeScale } = runOptions

const doctor = {
  command: 'doctor',
  describe: 'Check address, TLS, keys and clock of a target, and this machine, with a few requests',
  options: { target, key, contract, quota, 'time-scale': timeScale, ...safety, ...configOptions },
  refuse: refuseEarly,
  examples: [
    ['quotaspec doctor --target https://staging.example/v1', 'with the keys in the environment'],
    ['quotaspec doctor --target https://staging.example/v1 --ca our-ca.pem', 'with your own certificate authority'],
  ],
} as const satisfies Declared

const restore = {
  command: 'restore <dir>',
  describe: 'Undo changes that a killed run left on the target',
  positionals: { dir: text(undefined, 'The folder of the run', { demandOption: true }) },
  options: { target, key, quota, ...safety },
  examples: [
    ['quotaspec restore reports/latest --target https://staging.example/v1', 'with the keys in the environment'],
    ['quotaspec restore reports/latest --target http://127.0.0.1:8080/v1 --key-file keys', 'with the keys of a file'],
  ],
} as const satisfies Declared

export const runCommands = { run, plan, doctor, restore }
