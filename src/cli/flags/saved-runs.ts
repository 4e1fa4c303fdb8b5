import { formatNames, parseLink } from '../output/report-formats.js'
import { type Declared, number, oneOf, text, texts, toggle } from './command.js'

const folderOfRun = text(undefined, 'The folder of the run', { demandOption: true })

export const judgeSurface = {
  command: 'judge <dir>',
  describe: 'Judge a saved run again, offline',
  positionals: { dir: folderOfRun },
  options: {
    contract: text('FILE', 'A contract file, instead of the contract of the run'),
    waivers: text('FILE', 'A file of known failures, instead of those of the run'),
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
    as: oneOf(formatNames, `The format: ${formatNames.join(', ')}`, { value: 'FORMAT', demandOption: true }),
    link: text('URL', 'sarif: the address of the report', { coerce: parseLink }),
    file: text('FILE', 'sarif: the file of your repository that findings are pinned to'),
  },
  examples: [
    ['quotaspec report reports/latest --as markdown', 'for a comment on a pull request'],
    ['quotaspec report reports/latest --as junit > junit.xml', 'for the tests page of a pipeline'],
  ],
} as const satisfies Declared

export const compareSurface = {
  command: 'compare <runs..>',
  describe: 'Compare a run or a client audit (the last) with one or more baselines; ignores noise',
  positionals: { runs: texts(undefined, 'BASELINE... RUN') },
  options: {
    as: oneOf(['terminal', 'markdown', 'json', 'html'], 'The format', { default: 'terminal' }),
    all: toggle('List every figure that all runs have, also differences within noise'),
    relative: number('20', 'Noise floor of times, in percent of the baseline'),
    absolute: number('5', 'Noise floor of times, in milliseconds'),
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
  positionals: { dir: text(undefined, 'The folder that holds the runs', { default: 'reports' }) },
  examples: [
    ['quotaspec history', 'writes reports/index.html'],
    ['quotaspec history reports/staging', 'the runs of one folder'],
  ],
} as const satisfies Declared
