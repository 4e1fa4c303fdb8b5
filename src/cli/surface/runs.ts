import { formatNames, parseFormat } from '../report/format-names.js'
import { configOptions, refuseEarly, runOptions, scenarioWord } from '../run/run-options.js'
import type { Declared, Flag } from './surface.js'

const resume = {
  type: 'string',
  value: 'DIR',
  describe: 'Go on with the daily run that stopped in this folder, given the flags that it began with',
} as const satisfies Flag

/** Flags of `run` alone. */
const runOnly = {
  resume,
  open: {
    type: 'boolean',
    default: false,
    describe: 'Show the run in a browser as it goes, at an address of this machine that it prints, then its report',
  },
  quiet: { type: 'boolean', default: false, describe: 'Print the verdict and nothing else' },
  as: {
    type: 'string',
    value: 'FORMAT',
    sample: 'markdown',
    names: 'formats',
    coerce: parseFormat,
    describe: `Print the report on standard output: ${formatNames.join(', ')}`,
  },
} as const satisfies Record<string, Flag>

const staging = '--target https://staging.example/v1'

export const runSurface = {
  command: 'run [scenario]',
  describe: 'Play a scenario against a target and judge it',
  positionals: { scenario: scenarioWord },
  options: { ...runOptions, ...configOptions, ...runOnly },
  examples: [
    [`quotaspec run smoke ${staging}`, 'a few requests: is it there, are the keys good?'],
    [`quotaspec run ${staging} --allow-load --yes`, 'the release gate, load included'],
  ],
  refuse: refuseEarly,
} as const satisfies Declared

export const planSurface = {
  command: 'plan [scenario]',
  describe: 'Say what a run would send on which key, and how long it takes; sends nothing',
  positionals: { scenario: scenarioWord },
  options: { ...runOptions, ...configOptions },
  examples: [
    [`quotaspec plan ${staging} --allow-load`, 'what the release gate would send'],
    [`quotaspec plan conformance ${staging} --only RATE`, 'what the clauses of one area take'],
  ],
  refuse: refuseEarly,
} as const satisfies Declared
