import { existsSync } from 'node:fs'
import { parseTarget } from '../../run/options/target.js'
import { configName, configOptions, runOptions, safetyOptions } from '../run/run-options.js'
import { type Declared, text, toggle } from './command.js'
import { printedAs } from './saved-runs.js'

const scenarioWord = text(undefined, 'A name in scenarios/, or the path of a YAML file', {
  defaultDescription: 'release-gate',
  names: 'scenarios',
})

/** Throws a {@link UsageError} where nothing names a target, before what plays and judges is loaded. */
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

export const runSurface = {
  command: 'run [scenario]',
  describe: 'Play a scenario against a target and judge it',
  positionals: { scenario: scenarioWord },
  options: { ...runOptions, ...configOptions, ...runOnly },
  examples: [
    [`quotaspec run smoke ${staging}`, 'a few requests: does it answer, are the keys valid?'],
    [`quotaspec run ${staging} --allow-load --yes`, 'the release gate, load included'],
  ],
  refuse: refuseEarly,
} as const satisfies Declared

export const planSurface = {
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

export const doctorSurface = {
  command: 'doctor',
  describe: 'Check address, TLS, keys and clock of a target, and this machine, with a few requests',
  options: { target, key, contract, quota, 'time-scale': timeScale, ...safety, ...configOptions },
  refuse: refuseEarly,
  examples: [
    ['quotaspec doctor --target https://staging.example/v1', 'with the keys in the environment'],
    ['quotaspec doctor --target https://staging.example/v1 --ca our-ca.pem', 'with your own certificate authority'],
  ],
} as const satisfies Declared

export const restoreSurface = {
  command: 'restore <dir>',
  describe: 'Undo changes that a killed run left on the target',
  positionals: { dir: text(undefined, 'The folder of the run', { demandOption: true }) },
  options: { target, key, quota, ...safety },
  examples: [
    ['quotaspec restore reports/latest --target https://staging.example/v1', 'with the keys in the environment'],
    ['quotaspec restore reports/latest --target http://127.0.0.1:8080/v1 --key-file keys', 'with the keys of a file'],
  ],
} as const satisfies Declared
