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
    describe: 'The Redis of the run; better QUOTASPEC_REDIS=… in the environment',
  },
  name: { type: 'string', value: 'NAME', describe: 'What a run asks for: eu-1 is one of --agents eu=2' },
  target: {
    type: 'string',
    value: 'URL',
    describe: 'The address that it sends to, and to no other, whatever a run says',
  },
  'runs-on': {
    type: 'string',
    value: 'URL',
    describe: 'The target of the runs that it takes part in, where it reaches the same service by another address',
  },
  contract: { type: 'string', value: 'FILE', describe: 'Only take part in runs with this contract file' },
  'allow-load': { type: 'boolean', default: false, describe: 'Let load go to an address that is not this machine' },
  'most-requests': { type: 'number', sample: '100000', describe: 'So many requests in all, and no more' },
  'most-per-second': { type: 'number', sample: '500', describe: 'So many requests in a second, and no more' },
  once: { type: 'boolean', default: false, describe: 'End with the first run that it took part in' },
  journal: {
    type: 'string',
    value: 'DIR',
    describe: 'The folder in which it marks what it sends (one of its own below the system’s)',
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
    describe: 'Count on Redis, with all servers that do: redis://[USER:PASSWORD@]HOST:PORT[/DB], or QUOTASPEC_STORE',
  },
  'store-prefix': { type: 'string', describe: 'With --store: before the name of each key. Default: quotaspec:' },
  'store-failure': {
    choices: storeFailures,
    describe: 'With --store: while Redis does not answer, 503 (closed, the default) or served uncounted (open)',
  },
  'store-timeout': {
    type: 'number',
    sample: '2',
    describe: 'With --store: seconds that a decision may take (0.5)',
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
  describe: 'Run the reference server, for petstore or for a contract file',
  options: {
    contract: { type: 'string', value: 'FILE', describe: 'Serve the API of this contract file, in place of petstore' },
    port: { type: 'number', default: 8080, sample: '8080', describe: '0 takes a free one' },
    host: {
      type: 'string',
      default: '127.0.0.1',
      describe: 'The address to listen at; 0.0.0.0 lets other machines in',
    },
    key: {
      ...several('PLAN=SECRET; with --contract CREDENTIAL=SECRET, which goes before the variables that it names'),
      names: 'plans',
    },
    quota: several('enterprise=minute:300,day:5000'),
    'time-scale': { type: 'number', default: 1, sample: '10', describe: 'Divides every window' },
    algorithm: {
      choices: algorithmNames,
      value: 'NAME',
      describe: `How requests are counted: ${algorithmNames.join(', ')}`,
    },
    'block-after': {
      type: 'number',
      sample: '5',
      describe: 'With --contract: so many refusals in a row bring no block or ban yet',
    },
    fault: { ...several('A departure from the interface; see quotaspec faults'), names: 'faults' },
    variation: { ...several('Something unusual that keeps the interface all the same'), names: 'variations' },
    ...storeOptions,
  },
  examples: [
    ['quotaspec serve --time-scale 10', 'minutes of 6 s, and a key for each plan made up'],
    ['quotaspec serve --key free=local-free-key --fault limit-plus-one', 'a server that admits one too many'],
  ],
} as const satisfies Declared

export const faultsSurface = {
  command: 'faults',
  describe: 'List the faults of the reference server; with --run, play the kill matrix of petstore or of a contract',
  options: {
    contract: {
      type: 'string',
      value: 'FILE',
      describe: 'Those that mean something to this contract file, in place of petstore',
    },
    run: {
      type: 'boolean',
      default: false,
      describe: 'Play the kill matrix: every fault, and every conforming variation',
    },
    id: {
      ...several('With --run: these faults and variations only, or those that break a clause (RATE-2)'),
      names: 'faults',
    },
    seed: { type: 'number', default: 1, sample: '7', describe: 'With --run: the seed of every run' },
    'time-scale': {
      type: 'number',
      sample: '10',
      describe: 'With --run: divides every window; 10, and 1 with --contract',
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
    fault: { ...several('What the server is to do wrong; see quotaspec faults'), names: 'faults' },
    out: {
      type: 'string',
      value: 'DIR',
      default: 'reports/latest',
      describe: 'Folder for the journal and the reports',
    },
    seed: {
      type: 'number',
      sample: '7',
      describe: 'What random choices are drawn from: the same number draws the same again, and a report names its own',
    },
    open: { type: 'boolean', default: false, describe: 'Show the run in a browser as it goes' },
  },
  examples: [
    ['quotaspec demo', 'all of it in 40 s, with a report that passes'],
    ['quotaspec demo --fault limit-plus-one', 'the same, with one that fails'],
  ],
} as const satisfies Declared

export const agentSurface = {
  command: 'agent',
  describe: 'Put load on a target for runs that are played on other machines',
  options: agentOptions,
  examples: [
    [
      'quotaspec agent --redis redis://10.0.0.5 --name eu-1 --target https://staging.example/v1',
      'waits for runs that ask for eu=1 or more, and sends what they want sent',
    ],
    [
      'quotaspec agent --name eu-1 --target http://127.0.0.1:8080/v1 --once --most-requests 5000',
      'one run by the Redis of QUOTASPEC_REDIS, and no more than 5,000 requests',
    ],
  ],
} as const satisfies Declared

export const clientSurface = {
  command: 'client [words..]',
  describe: "Audit a client's backoff: quotaspec client -- COMMAND …",
  positionals: { words: { type: 'string', array: true, describe: 'The command, after --' } },
  options: {
    case: { type: 'string', array: true, default: [], describe: 'Cases to play, and no others' },
    cases: {
      type: 'string',
      value: 'FILE',
      default: 'backoff',
      describe: 'A file of cases: backoff, or the path of a YAML file',
    },
    listen: {
      type: 'boolean',
      default: false,
      describe: 'Wait for a client that is started elsewhere; Ctrl-C ends it',
    },
    judge: { type: 'string', value: 'DIR', describe: 'Judge a saved audit again, offline: its folder' },
    'at-least': {
      choices: gradeLetters,
      describe: 'Exit 1 where even the best possible grade is lower, 2 where the grade is open and may be lower',
    },
    watch: { type: 'number', sample: '60', describe: 'Seconds for which each play is watched, where that is longer' },
    out: {
      type: 'string',
      value: 'DIR',
      default: 'reports/client',
      describe: 'Folder for the arrivals and the reports',
    },
    strict: { type: 'boolean', default: false, describe: 'Fail on "should" clauses too' },
  },
  examples: [
    ['quotaspec client -- node my-client.js', 'starts it some 60 times, and grades it from A to F'],
    ['quotaspec client --at-least B -- python client.py', 'ends with 1 where the grade is lower'],
  ],
} as const satisfies Declared
