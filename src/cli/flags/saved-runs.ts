import { UsageError } from '../../kit/usage-error.js'
import { formatNames } from '../output/report-formats.js'
import { type Declared, givenOf, number, oneOf, text, texts, toggle } from './command.js'

const folderOfRun = text(undefined, 'The folder of the run', { demandOption: true })

export const printedAs = oneOf(formatNames, `Print the report on standard output: ${formatNames.join(', ')}`, {
  value: 'FORMAT',
  sample: 'markdown',
})

const ofLogs = {
  complete: toggle('The logs are complete, with every request that counts: judge refusals too'),
  format: text(
    'FORMAT',
    'How lines are written: nginx, apache, envoy, alb, haproxy, json, har, k6-csv, k6-json, or a template such as \'$remote_addr [$time_local] "$request" $status $request_time\'',
    { defaultDescription: 'detected' },
  ),
  fields: text('PLACES', "Where a line has each field: 'key=$.apiKey, at=$.ts, ms=$.duration, status=$.code'"),
  request: texts('NAME=PATTERN', "Lines that are this request of the contract: items='GET /items/*'"),
  'clock-error': texts(
    'TIME',
    'How far the clock of each log may be off (50ms with several logs); once for all, or once for each',
    {
      defaultDescription: '0ms for one log, 50ms for several',
    },
  ),
  longest: text('TIME', 'How long a request takes at most, for lines without a duration: 30s'),
  strict: toggle('Also fail on broken "should" clauses'),
  out: text('DIR', 'Folder for the reports', { defaultDescription: 'reports/logs' }),
  as: printedAs,
}

const judge = {
  command: 'judge [dir..]',
  describe: 'Judge a saved run again, offline, or the traffic in access logs',
  positionals: { dir: texts(undefined, 'The folder of the run; with --log, further logs') },
  options: {
    contract: text('FILE', 'A contract file, instead of the contract of the run; logs need one'),
    waivers: text('FILE', 'A file of known failures, instead of those of the run'),
    log: texts('FILE', 'An access log, may be compressed; - for standard input'),
    ...ofLogs,
  },
  examples: [
    ['quotaspec judge reports/latest', 'the same evidence, judged by this version'],
    ['quotaspec judge reports/latest --waivers known.yaml', 'with known failures'],
    ['quotaspec judge --log access.log --contract shop.yaml --complete', 'the recorded traffic of your API'],
  ],
  refuse: ({ dir, log, waivers, ...flags }) => {
    if (Array.isArray(log) && log.length > 0) {
      if (waivers !== undefined) throw new UsageError('--waivers cannot be used with --log')
      return
    }
    const other = givenOf(ofLogs, flags)
    if (other !== undefined) throw new UsageError(`--${other} works only with logs: add --log FILE`)
    if (!Array.isArray(dir) || dir.length !== 1)
      throw new UsageError(
        'say which run: quotaspec judge reports/latest; or which logs: quotaspec judge --log FILE --contract FILE',
      )
  },
} as const satisfies Declared

const report = {
  command: 'report <dir>',
  describe: 'Print a saved run in another format',
  positionals: { dir: folderOfRun },
  options: {
    as: oneOf(formatNames, `The format: ${formatNames.join(', ')}`, { value: 'FORMAT', demandOption: true }),
    link: text('URL', 'sarif: the address of the report'),
    file: text('FILE', 'sarif: the file of your repository that findings are pinned to'),
  },
  examples: [
    ['quotaspec report reports/latest --as markdown', 'for a comment on a pull request'],
    ['quotaspec report reports/latest --as junit > junit.xml', 'for the tests page of a pipeline'],
  ],
} as const satisfies Declared

const within = { words: 'a number from 0 up', least: 0 }

const compare = {
  command: 'compare <runs..>',
  describe: 'Compare the last of these runs or client audits with the earlier ones, and ignore noise',
  positionals: { runs: texts(undefined, 'BASELINE... RUN') },
  options: {
    as: oneOf(['terminal', 'markdown', 'json', 'html'], 'The format', { default: 'terminal' }),
    all: toggle('List every figure that all runs have, noise included'),
    relative: number('20', 'Noise floor of times, in percent of the baseline', { within }),
    absolute: number('5', 'Noise floor of times, in milliseconds', { within }),
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

const history = {
  command: 'history [dir]',
  describe: 'Write an index.html of all runs in a folder, with trends by scenario and target',
  positionals: { dir: text(undefined, 'The folder that holds the runs', { default: 'reports' }) },
  examples: [
    ['quotaspec history', 'writes reports/index.html'],
    ['quotaspec history reports/staging', 'the runs of one folder'],
  ],
} as const satisfies Declared

export const savedRunCommands = { judge, report, compare, history }
