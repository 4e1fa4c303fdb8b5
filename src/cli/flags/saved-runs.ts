import { formatNames, parseLink } from '../output/report-formats.js'
import type { Declared } from './command.js'

const folderOfRun = { type: 'string', demandOption: true, describe: 'The folder of the run' } as const

export const judgeSurface = {
  command: 'judge <dir>',
  describe: 'Judge a saved run again, offline',
  positionals: { dir: folderOfRun },
  options: {
    contract: { type: 'string', value: 'FILE', describe: 'A contract file, instead of the contract of the run' },
    waivers: { type: 'string', value: 'FILE', describe: 'A file of known failures, instead of those of the run' },
  },
  examples: [
    ['quotaspec judge reports/latest', 'the same evidence, judged by this version'],
    ['quotaspec judge reports/latest --waivers known.yaml', 'with known failures'],
  ],
} as const satisfies Declared

export const reportSurface = {
  command: 'report <dir>',
  describe: 'Print a saved run in another format',
  positionals: { dir: folderOfRun },
  options: {
    as: {
      value: 'FORMAT',
      demandOption: true,
      choices: formatNames,
      describe: `The format: ${formatNames.join(', ')}`,
    },
    link: { type: 'string', value: 'URL', coerce: parseLink, describe: 'sarif: the address of the report' },
    file: { type: 'string', value: 'FILE', describe: 'sarif: the file of your repository that findings are pinned to' },
  },
  examples: [
    ['quotaspec report reports/latest --as markdown', 'for a comment on a pull request'],
    ['quotaspec report reports/latest --as junit > junit.xml', 'for the tests page of a pipeline'],
  ],
} as const satisfies Declared

export const compareSurface = {
  command: 'compare <runs..>',
  describe: 'Compare a run or a client audit (the last) with one or more baselines; ignores noise',
  positionals: { runs: { type: 'string', array: true, demandOption: true, describe: 'BASELINE... RUN' } },
  options: {
    as: { choices: ['terminal', 'markdown', 'json', 'html'], default: 'terminal', describe: 'The format' },
    all: {
      type: 'boolean',
      default: false,
      describe: 'List every figure that all runs have, also differences within noise',
    },
    relative: { type: 'number', sample: '20', describe: 'Noise floor of times, in percent of the baseline' },
    absolute: { type: 'number', sample: '5', describe: 'Noise floor of times, in milliseconds' },
  },
  examples: [
    [
      'quotaspec compare reports/baseline reports/latest',
      'what got better or worse; exits with 1 if anything got worse',
    ],
    ['quotaspec compare reports/a reports/b reports/c --as markdown', 'c against a and b'],
    ['quotaspec compare reports/baseline reports/latest --all', 'every figure of both, noise included'],
  ],
} as const satisfies Declared

export const historySurface = {
  command: 'history [dir]',
  describe: 'Write an index.html of all runs in a folder, with trends by scenario and target',
  positionals: { dir: { type: 'string', default: 'reports', describe: 'The folder that holds the runs' } },
  examples: [
    ['quotaspec history', 'writes reports/index.html'],
    ['quotaspec history reports/staging', 'the runs of one folder'],
  ],
} as const satisfies Declared
