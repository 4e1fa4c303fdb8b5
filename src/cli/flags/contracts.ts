import { mostRequests } from '../../discovery/ask-gently.js'
import { type Declared, number, oneOf, said, text, texts, toggle } from './command.js'

/** The pipelines for which `init` writes a file. */
export const ciSystems = ['github', 'gitlab', 'none'] as const
export type CiSystem = (typeof ciSystems)[number]

const trust = {
  ca: text('FILE', "A PEM file of certificates to trust in addition to the system's"),
  insecure: toggle('Do not check certificates: the credential goes to whoever answers'),
}

const asked = {
  target: text('URL', 'The base address of the API'),
  header: texts(
    'LINE',
    "The header with the credential: 'Authorization: Bearer $ACME_KEY' names the variable that holds the secret. none: the API takes no credential. Give it twice for two credentials",
  ),
}

const cheapPath = 'A cheap, safe path to request: /items?limit=1. Up to three'

const discover = {
  command: 'discover',
  describe: `Write a contract file from what an API shows in at most ${mostRequests} gentle requests`,
  options: {
    ...asked,
    probe: texts('PATH', `${cheapPath}; / if none is given`),
    openapi: text('FILE', 'An OpenAPI document: without --probe, its simplest GETs are requested'),
    limit: number('60', 'The limit in the documentation, if no answer shows it', {
      within: { words: 'a whole number of requests, such as 60', least: 1, isWhole: true },
    }),
    window: text(undefined, 'Its window: 1s, 1m, 1h'),
    out: text('FILE', 'The file to write (standard output)'),
    ...trust,
  },
  examples: [
    ['quotaspec discover --target https://api.example --probe /items --out contract.yaml', 'without a credential'],
    [`quotaspec discover --target https://api.example --header 'Authorization: Bearer $KEY'`, 'with one'],
  ],
} as const satisfies Declared

const init = {
  command: 'init [folder]',
  describe: 'Ask for what is missing, and write a contract, a scenario and a CI file into a folder',
  positionals: { folder: text(undefined, 'The root of your repository', { default: '.' }) },
  options: {
    ...asked,
    probe: texts('PATH', cheapPath),
    discover: said(`Send at most ${mostRequests} gentle requests, and write what the answers show`),
    headers: text(undefined, 'Without --discover: the preset of header fields that show the limit'),
    limit: text(undefined, 'The limit of one window, if no answer shows it'),
    window: text(undefined, 'How long a window is, if no answer shows it: 1s, 1m, 1h'),
    ci: text(undefined, `The pipelines to write a file for: ${ciSystems.join(', ')}`),
    force: toggle('Overwrite files that exist'),
    ...trust,
  },
  examples: [
    ['quotaspec init --target https://api.example', 'asks for the rest'],
    [
      'quotaspec init . --target https://api.example --header none --probe /items --discover --ci github',
      'asks nothing',
    ],
  ],
} as const satisfies Declared

const contract = {
  command: 'contract',
  describe: 'Print the Petstore interface as an OpenAPI 3.1 document',
  options: { as: oneOf(['openapi'], 'The format', { default: 'openapi' }) },
  examples: [['quotaspec contract > petstore.json', 'for a mock, or a client generator']],
} as const satisfies Declared

const schema = {
  command: 'schema [of]',
  describe: 'Print the JSON Schema of report.json, or of a file that you write',
  positionals: {
    of: oneOf(['report', 'config', 'scenario', 'contract', 'waivers', 'client-cases'], 'Which file', {
      default: 'report',
    }),
  },
  options: {
    as: oneOf(['json', 'markdown'], 'json: the schema; markdown: the fields of the file in tables', {
      default: 'json',
    }),
  },
  examples: [
    ['quotaspec schema > report.schema.json', 'the schema of report.json'],
    ['quotaspec schema contract --as markdown', 'what a contract file may hold, in tables'],
  ],
} as const satisfies Declared

const probes = {
  command: 'probes [id]',
  describe: 'List the probes that a scenario may name, or explain one with its settings',
  positionals: { id: text(undefined, 'The probe to explain', { names: 'probes' }) },
  options: { as: oneOf(['list', 'markdown'], 'markdown: all of them with their settings', { default: 'list' }) },
  examples: [
    ['quotaspec probes', 'one line for each'],
    ['quotaspec probes burst', 'what it does, what it costs, its settings'],
  ],
} as const satisfies Declared

const completion = {
  command: 'completion',
  describe: 'Print a script that completes commands, flags and names in bash or zsh',
  examples: [
    ['quotaspec completion >> ~/.bashrc', 'from the next shell on'],
    ['quotaspec completion >> ~/.zshrc', 'the same in zsh'],
  ],
} as const satisfies Declared

export const contractCommands = { discover, init, contract, schema, probes, completion }
