import { algorithmNames } from '../../../reference-server/limiters/algorithms.js'
import { storeFailures } from '../../../reference-server/stores/store.js'
import { UsageError } from '../../kit/usage-error.js'
import { type Declared, givenOf, number, oneOf, text, texts, toggle } from './command.js'
import { safetyOptions } from './runs.js'

const scale = { words: 'a number above 0; 10 makes a minute last 6 s', least: Number.MIN_VALUE }
const within = { words: 'a whole number of requests, 1 at least', least: 1, isWhole: true } as const

const agentOptions = {
  redis: text('URL', 'The Redis of the run; safer: set QUOTASPEC_REDIS=… in the environment'),
  name: text('NAME', 'Its name: a run with --agents eu=2 takes eu-1'),
  target: text('URL', 'The only address that it sends to, whatever a run asks for'),
  'runs-on': text('URL', 'The target that runs name, if this machine reaches it at another address'),
  contract: text('FILE', 'Only take part in runs with this contract file'),
  'allow-load': toggle('Allow load on a target that is not this machine'),
  'most-requests': number('100000', 'Most requests that it sends in all', { within }),
  'most-per-second': number('500', 'Most requests that it sends in a second', { within }),
  once: toggle('End after the first run that it took part in'),
  journal: text('DIR', 'The folder where it records what it sends (a new temporary folder)'),
  'key-file': safetyOptions['key-file'],
  ca: safetyOptions.ca,
  insecure: safetyOptions.insecure,
}

const storeOptions = {
  store: text(
    'REDIS-URL',
    'Keep the counts in Redis, shared with other servers: redis://[USER:PASSWORD@]HOST:PORT[/DB], or QUOTASPEC_STORE',
    { sample: 'redis://127.0.0.1:6379' },
  ),
  'store-prefix': text(undefined, 'With --store: the prefix of each Redis key (quotaspec:)'),
  'store-failure': oneOf(
    storeFailures,
    'With --store: if Redis does not answer, refuse with 503 (closed, the default) or serve without counting (open)',
  ),
  'store-timeout': number('2', 'With --store: seconds to wait for Redis (0.5)', {
    within: { words: 'seconds, from 0.01 to 60; 0.5 is half a second', least: 0.01, most: 60 },
  }),
}

const gradeLetters = ['A', 'B', 'C', 'D'] as const

const fault = texts(undefined, 'Something the server does wrong; see quotaspec faults', { names: 'faults' })

const serve = {
  command: 'serve',
  describe: 'Run the reference server, for the Petstore or for a contract file',
  options: {
    contract: text('FILE', 'Serve the API of this contract file instead of the Petstore'),
    port: number('8080', '0 takes a free one', {
      default: 8080,
      within: { words: 'a port from 0 to 65535', least: 0, most: 65_535, isWhole: true },
    }),
    host: text(undefined, 'The address to listen on; 0.0.0.0 lets other machines in', { default: '127.0.0.1' }),
    key: texts(
      undefined,
      'PLAN=SECRET; with --contract CREDENTIAL=SECRET, which takes precedence over the variables of the contract',
      { names: 'plans' },
    ),
    quota: texts(
      undefined,
      'The agreed limits of Enterprise: enterprise=minute:300,day:5000 (those of other plans are fixed)',
    ),
    'time-scale': number('10', 'Divide every window by N', { default: 1, within: scale }),
    algorithm: oneOf(algorithmNames, `How requests are counted: ${algorithmNames.join(', ')}`, { value: 'NAME' }),
    'block-after': number('5', 'With --contract: how many refusals in a row start a block or ban', {
      within: { words: 'a whole number; 0 blocks with the first request over the limit', least: 0, isWhole: true },
    }),
    fault,
    variation: texts(undefined, 'An unusual behaviour that still conforms', { names: 'variations' }),
    ...storeOptions,
  },
  examples: [
    ['quotaspec serve --time-scale 10', 'a minute lasts 6 s; the server makes up a key for each plan'],
    ['quotaspec serve --key free=local-free-key --fault limit-plus-one', 'a server that admits one too many'],
  ],
} as const satisfies Declared

/** Flags of trials, which mean nothing where none is played. */
const ofTrials = {
  id: texts(undefined, 'With --run: only these faults and variations, or the faults that break a rule (RATE-2)', {
    names: 'faults',
  }),
  seed: number('7', 'With --run: the seed of every run', {
    defaultDescription: '1',
    within: { words: 'a whole number from 0 to 2147483647', least: 0, most: 2 ** 31 - 1, isWhole: true },
  }),
  'time-scale': number('10', 'With --run: divide every window by N (10; with --contract 1)', { within: scale }),
  'at-once': number('8', 'With --run: how many trials run at a time (20; with --contract 6)', {
    within: { words: 'a whole number from 1 to 64', least: 1, most: 64, isWhole: true },
  }),
}

const faults = {
  command: 'faults',
  describe: 'List the faults of the reference server; with --run, test that quotaspec finds each of them',
  options: {
    contract: text('FILE', 'List or play the faults that apply to this contract file, instead of the Petstore'),
    run: toggle('Play the kill matrix: every fault, and every conforming variation'),
    ...ofTrials,
  },
  examples: [
    ['quotaspec faults', 'each fault, with the clauses that it breaks'],
    ['quotaspec faults --run --id limit-plus-one', 'plays one, and says which clauses failed'],
  ],
  refuse: ({ run, ...flags }) => {
    const other = run ? undefined : givenOf(ofTrials, flags)
    if (other !== undefined) throw new UsageError(`--${other} works only with --run: add --run`)
  },
} as const satisfies Declared

const demo = {
  command: 'demo',
  describe: 'Run the release gate against the reference server',
  options: {
    fault,
    out: text('DIR', 'Folder for the journal and the reports', { default: 'reports/latest' }),
    seed: number('7', 'Seed of random choices: the same seed repeats them; each report names its seed'),
    open: toggle('Show the progress in a browser, then the report'),
  },
  examples: [
    ['quotaspec demo', 'the release gate in half a minute, with a report that passes'],
    ['quotaspec demo --fault limit-plus-one', 'the same, with one that fails'],
  ],
} as const satisfies Declared

const agent = {
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

const mcp = {
  command: 'mcp',
  describe: 'Serve run, plan, judge and more as tools to a coding agent (MCP on standard input and output)',
  options: {
    allow: texts('HOST', 'A host other than this machine that may get requests, with the keys from the environment'),
    'allow-load': texts('HOST', 'A host that may get requests and load'),
  },
  examples: [
    ['quotaspec mcp', 'for an API on this machine'],
    ['quotaspec mcp --allow-load staging.example', 'for a staging server too'],
  ],
} as const satisfies Declared

const client = {
  command: 'client [words..]',
  describe: "Audit a client's backoff: quotaspec client -- COMMAND …",
  positionals: { words: texts(undefined, 'The command, after --') },
  options: {
    case: texts(undefined, 'Play only these cases'),
    cases: text('FILE', 'The cases to play: backoff, or the path of a YAML file', { default: 'backoff' }),
    listen: toggle('Wait for a client that you start yourself; Ctrl-C ends the audit'),
    judge: text('DIR', 'Judge a saved audit again, offline: its folder'),
    'at-least': oneOf(gradeLetters, 'Exit 1 if the grade is lower, 2 if it is open and may be lower'),
    watch: number('60', 'Least seconds to watch each play', {
      within: { words: 'seconds, up to 3600', least: Number.MIN_VALUE, most: 3_600 },
    }),
    out: text('DIR', 'Folder for the arrivals and the reports', { default: 'reports/client' }),
    strict: toggle('Also fail on broken "should" clauses'),
  },
  examples: [
    ['quotaspec client -- node my-client.js', 'starts it about 60 times, and grades it from A to F'],
    ['quotaspec client --at-least B -- python client.py', 'exits with 1 if the grade is lower'],
  ],
} as const satisfies Declared

export const serverCommands = { serve, faults, demo, agent, mcp, client }
