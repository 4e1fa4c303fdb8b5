import type { Declared } from './surface.js'

export const contractSurface = {
  command: 'contract',
  describe: 'Print the interface that targets are held to, as an OpenAPI 3.1 document',
  options: { as: { choices: ['openapi'], default: 'openapi', describe: 'The format' } },
  examples: [['quotaspec contract > petstore.json', 'for a mock, or a client generator']],
} as const satisfies Declared

export const schemaSurface = {
  command: 'schema [of]',
  describe: 'Print the JSON Schema of report.json, or of a file that you write',
  positionals: {
    of: {
      choices: ['report', 'config', 'scenario', 'contract', 'waivers', 'client-cases'],
      default: 'report',
      describe: 'What is described',
    },
  },
  options: {
    as: {
      choices: ['json', 'markdown'],
      default: 'json',
      describe: 'json: the schema; markdown: the fields of the file in tables',
    },
  },
  examples: [
    ['quotaspec schema > report.schema.json', 'that of report.json'],
    ['quotaspec schema contract --as markdown', 'what a contract file may hold, in tables'],
  ],
} as const satisfies Declared

export const probesSurface = {
  command: 'probes [id]',
  describe: 'List the probes that a scenario may name, or explain one with its settings',
  positionals: { id: { type: 'string', describe: 'The probe to explain', names: 'probes' } },
  options: {
    as: {
      choices: ['list', 'markdown'],
      default: 'list',
      describe: 'markdown: all of them with their settings',
    },
  },
  examples: [
    ['quotaspec probes', 'a line for each'],
    ['quotaspec probes burst', 'what it does, what it costs, its settings'],
  ],
} as const satisfies Declared
