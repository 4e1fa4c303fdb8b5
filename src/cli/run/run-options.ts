import type { Argv, InferredOptionTypes } from 'yargs'
import { type SafetyFlags, safetyOptions } from './safety.js'

/** The flags of `run` and `plan`: they take the same, so that what was planned can be run. */
export const runOptions = {
  target: { type: 'string', describe: 'Base address of the target; that of a Petstore interface ends with /v1' },
  key: {
    type: 'string',
    array: true,
    default: [] as string[],
    describe: 'PLAN=SECRET; better QUOTASPEC_KEY_FREE=… in the environment',
  },
  contract: {
    type: 'string',
    describe: 'A contract file: the quotas of your own API, in place of the Petstore interface',
  },
  'long-windows': { type: 'boolean', default: false, describe: 'Spend quotas of a contract of an hour and longer too' },
  quota: { type: 'string', array: true, default: [] as string[], describe: 'enterprise=minute:300,day:5000' },
  'time-scale': { type: 'number', default: 1, describe: 'Divides every window; 1 against anything real' },
  out: { type: 'string', default: 'reports/latest', describe: 'Folder for the journal and the reports' },
  only: {
    type: 'string',
    array: true,
    default: [] as string[],
    describe: 'Clauses, areas or checks to judge, and no others',
  },
  skip: { type: 'string', array: true, default: [] as string[], describe: 'Clauses, areas or checks to leave out' },
  strict: { type: 'boolean', default: false, describe: 'Fail on "should" clauses too' },
  'read-only': { type: 'boolean', default: false, describe: 'Send no PATCH that could succeed' },
  'allow-load': { type: 'boolean', default: false, describe: 'Let load go to an address that is not this machine' },
  'without-load': { type: 'boolean', describe: 'Play what takes no load where load may not go: ends with 2' },
  'without-rejected-keys': {
    type: 'boolean',
    describe: 'Go on without a key that the target does not accept: ends with 2',
  },
  waivers: { type: 'string', describe: 'A file of known failures, each with a reason, an owner and its last day' },
  seed: { type: 'number', describe: 'Repeats the random choices of a run' },
  ...safetyOptions,
} as const

type Given = InferredOptionTypes<typeof runOptions>
type Optional = 'contract' | 'long-windows' | 'waivers' | 'without-load' | 'without-rejected-keys'
export type RunFlags = Omit<Given, Optional | keyof SafetyFlags> & Partial<Pick<Given, Optional>> & SafetyFlags

export const withScenario = <T>(yargs: Argv<T>) =>
  yargs.positional('scenario', {
    type: 'string',
    default: 'release-gate',
    describe: 'A name in scenarios/, or the path of a YAML file',
  })
