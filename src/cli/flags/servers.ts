import { existsSync } from 'node:fs'
import type { InferredOptionTypes } from 'yargs'
import { algorithmNames } from '../../../reference-server/limiters/limiter.js'
import { storeFailures } from '../../../reference-server/stores/shared-store.js'
import { UsageError } from '../../kit/usage-error.js'
import { safetyOptions } from '../run/run-options.js'
import type { Declared, Flag } from './command.js'

/** The flags of `agent`. */
const agentOptions = {
  redis: {
    type: 'string',
    value: 'URL',
    describe: 'The Redis of the run; safer: set QUOTASPEC_REDIS=… in the environment',
  },
  name: { type: 'string', value: 'NAME', describe: 'Its name: a run with --agents eu=2 takes eu-1' },
  target: {
    type: 'string',
    value: 'URL',
    describe: 'The only address that it sends to, whatever a run says',
  },
  'runs-on': {
    type: 'string',
    value: 'URL',
    describe: 'The target of the runs that it takes part in, if it reaches the same service by another address',
  },
  contract: { type: 'string', value: 'FILE', describe: 'Only take part in runs with this contract file' },
  'allow-load': { type: 'boolean', default: false, describe: 'Allow load on a target that is not this machine' },
  'most-requests': { type: 'number', sample: '100000', describe: 'At most so many requests in all' },
  'most-per-second': { type: 'number', sample: '500', describe: 'At most so many requests in a second' },
  once: { type: 'boolean', default: false, describe: 'End after the first run that it took part in' },
  journal: {
    type: 'string',
    value: 'DIR',
    describe: 'The folder in which it notes what it sends (its own, below the system’s folder for temporary files)',
  },
  'key-file': safetyOptions['key-file'],
  ca: safetyOptions.ca,
  insecure: safetyOptions.insecure,
} as const satisfies Readonly<Record<string, Flag>>

export type AgentFlags = InferredOptionTypes<typeof agentOptions>

const checkCount = (flags: AgentFlags, name: 'most-requests' | 'most-per-second'): void => {
  const given = flags[name]
  if (given === undefined || (Number.isSafeInteger(given) && given >= 1)) return
  throw new UsageError(`--${name} ${given}: a whole number of requests, 1 at least`)
}

/** The name that was given. Throws a {@link UsageError} where flags are missing, or say what can't be. */
export const checkedName = (flags: AgentFlags): string => {
  checkCount(flags, 'most-requests')
  checkCount(flags, 'most-per-second')
  const { name, journal } = flags
  if (name === undefined || name === '')
    throw new UsageError('--name is missing: a run asks for agents by their names; --name eu-1 is one of eu')
  if (!/^[\w.-]{1,64}$/.test(name))
    throw new UsageError(`--name ${name}: up to 64 letters, digits, dots, hyphens and underscores`)
  if (journal !== undefined && !existsSync(journal))
    throw new UsageError(`--journal ${journal}: there is no such folder`)
  return name
}

/** The flags of a store that several servers share. */
const storeOptions = {
  store: {
    type: 'string',
    value: 'REDIS-URL',
    sample: 'redis://127.0.0.1:6379',
    describe:
      'Keep the counts in Redis, shared with other servers: redis://[USER:PASSWORD@]HOST:PORT[/DB], or QUOTASPEC_STORE',
  },
  'store-prefix': { type: 'string', describe: 'With --store: the prefix of each Redis key (quotaspec:)' },
  'store-failure': {
    choices: storeFailures,
    describe:
      'With --store: if Redis does not answer, refuse with 503 (closed, the default) or serve without counting (open)',
  },
  'store-timeout': {
    type: 'number',
    sample: '2',
    describe: 'With --store: seconds to wait for Redis (0.5)',
  },
} as const satisfies Readonly<Record<string, Flag>>

export type StoreArgs = Partial<InferredOptionTypes<typeof storeOptions>>

/** Grades that can be asked for. */
const gradeLetters = ['A', 'B', 'C', 'D'] as const

const several = (describe: string): Flag & { array: true; default: string[] } => ({
  type: 'string',
  array: true,
  default: [],
  describe,
})

export const serveSurface = {
  command: 'serve',
  describe: 'Run the reference server, for the Petstore or for a contract file',
  options: {
    contract: {
      type: 'string',
      value: 'FILE',
      describe: 'Serve the API of this contract file instead of the Petstore',
    },
    port: { type: 'number', default: 8080, sample: '8080', describe: '0 takes a free one' },
    host: {
      type: 'string',
      default: '127.0.0.1',
      describe: 'The address to listen at; 0.0.0.0 lets other machines in',
    },
    key: {
      ...several('PLAN=SECRET; with --contract CREDENTIAL=SECRET, used before the variables that the contract names'),
      names: 'plans',
    },
    quota: several('The limits of a plan, such as enterprise=minute:300,day:5000'),
    'time-scale': { type: 'number', default: 1, sample: '10', describe: 'Divide every window by N' },
    algorithm: {
      choices: algorithmNames,
      value: 'NAME',
      describe: `How requests are counted: ${algorithmNames.join(', ')}`,
    },
    'block-after': {
      type: 'number',
      sample: '5',
      describe: 'With --contract: refusals in a row that do not yet start a block or ban',
    },
    fault: { ...several('Something the server does wrong; see quotaspec faults'), names: 'faults' },
    variation: { ...several('An unusual behaviour that still conforms'), names: 'variations' },
    ...storeOptions,
  },
  examples: [
    ['quotaspec serve --time-scale 10', 'a minute lasts 6 s; the server makes up a key for each plan'],
    ['quotaspec serve --key free=local-free-key --fault limit-plus-one', 'a server that admits one too many'],
  ],
} as const satisfies Declared

export const faultsSurface = {
  command: 'faults',
  describe:
    'List the faults of the reference server; with --run, play the kill matrix of the Petstore or of a contract',
  options: {
    contract: {
      type: 'string',
      value: 'FILE',
      describe: 'List or play the faults that apply to this contract file, instead of the Petstore',
    },
    run: {
      type: 'boolean',
      default: false,
      describe: 'Play the kill matrix: every fault, and every conforming variation',
    },
    id: {
      ...several('With --run: only these faults and variations, or the faults that break a rule (RATE-2)'),
      names: 'faults',
    },
    seed: { type: 'number', default: 1, sample: '7', describe: 'With --run: the seed of every run' },
    'time-scale': {
      type: 'number',
      sample: '10',
      describe: 'With --run: divide every window by N; 10, and 1 with --contract',
    },
    'at-once': {
      type: 'number',
      sample: '8',
      describe: 'With --run: trials side by side; 20, and 6 with --contract',
    },
  },
  examples: [
    ['quotaspec faults', 'each fault, with the clauses that it breaks'],
    ['quotaspec faults --run --id limit-plus-one', 'plays one, and says which clauses failed'],
  ],
} as const satisfies Declared

export const demoSurface = {
  command: 'demo',
  describe: 'Run the release gate against the reference server',
  options: {
    fault: { ...several('Something the server does wrong; see quotaspec faults'), names: 'faults' },
    out: {
      type: 'string',
      value: 'DIR',
      default: 'reports/latest',
      describe: 'Folder for the journal and the reports',
    },
    seed: {
      type: 'number',
      sample: '7',
      describe: 'Seed of random choices: the same seed repeats them; each report names its seed',
    },
    open: { type: 'boolean', default: false, describe: 'Show the progress in a browser, then the report' },
  },
  examples: [
    ['quotaspec demo', 'everything in 40 s, with a report that passes'],
    ['quotaspec demo --fault limit-plus-one', 'the same, with one that fails'],
  ],
} as const satisfies Declared

export const agentSurface = {
  command: 'agent',
  describe: 'Send load for runs that are started on other machines',
  options: agentOptions,
  examples: [
    [
      'quotaspec agent --redis redis://10.0.0.5 --name eu-1 --target https://staging.example/v1',
      'waits for runs that ask for eu=1 or more, and sends their loads',
    ],
    [
      'quotaspec agent --name eu-1 --target http://127.0.0.1:8080/v1 --once --most-requests 5000',
      'takes part in one run (Redis from QUOTASPEC_REDIS), with at most 5,000 requests',
    ],
  ],
} as const satisfies Declared

export const clientSurface = {
  command: 'client [words..]',
  describe: "Audit a client's backoff: quotaspec client -- COMMAND …",
  positionals: { words: { type: 'string', array: true, describe: 'The command, after --' } },
  options: {
    case: { type: 'string', array: true, default: [], describe: 'Play only these cases' },
    cases: {
      type: 'string',
      value: 'FILE',
      default: 'backoff',
      describe: 'The cases to play: backoff, or the path of a YAML file',
    },
    listen: {
      type: 'boolean',
      default: false,
      describe: 'Wait for a client that you start yourself; Ctrl-C ends the audit',
    },
    judge: { type: 'string', value: 'DIR', describe: 'Judge a saved audit again, offline: its folder' },
    'at-least': {
      choices: gradeLetters,
      describe: 'Exit 1 if the grade is lower, 2 if it is still open and may be lower',
    },
    watch: { type: 'number', sample: '60', describe: 'Watch each play for at least so many seconds' },
    out: {
      type: 'string',
      value: 'DIR',
      default: 'reports/client',
      describe: 'Folder for the arrivals and the reports',
    },
    strict: { type: 'boolean', default: false, describe: 'Also fail on broken "should" clauses' },
  },
  examples: [
    ['quotaspec client -- node my-client.js', 'starts it some 60 times, and grades it from A to F'],
    ['quotaspec client --at-least B -- python client.py', 'exits with 1 if the grade is lower'],
  ],
} as const satisfies Declared
