import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ClientReport, clientReportModel } from '../src/report/client/model.js'
import { scheduleInWords } from '../src/report/client/schedule-in-words.js'

/** Audits clients of the world, the deliberately bad ones and the compliant one, and writes the table of docs/clients.md. */

interface Subject {
  readonly name: string
  readonly command: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** The package whose version is told. */
  readonly package?: string
}

const node = (file: string) => ['node', `test/clients/${file}.mjs`]
const curl = [
  'curl',
  '--silent',
  '--output',
  '/dev/null',
  '--retry',
  '5',
  '-H',
  'Authorization: Bearer {key}',
  '{url}/inventory',
]

const subjects: readonly Subject[] = [
  { name: '`fetch` alone', command: node('real/fetch-once') },
  { name: 'undici RetryAgent', command: node('real/undici-retry-agent'), package: 'undici' },
  { name: 'got', command: node('real/got'), package: 'got' },
  { name: 'got, 5 tries', command: node('real/got'), package: 'got', env: { RETRIES: '5' } },
  { name: 'ky', command: node('real/ky'), package: 'ky' },
  { name: 'ky, 5 tries', command: node('real/ky'), package: 'ky', env: { RETRIES: '5' } },
  { name: 'axios-retry', command: node('real/axios-retry'), package: 'axios-retry' },
  {
    name: 'axios-retry, exponentialDelay',
    command: node('real/axios-retry'),
    package: 'axios-retry',
    env: { DELAY: 'exponential' },
  },
  { name: 'openai', command: node('real/openai'), package: 'openai' },
  { name: 'openai, 5 tries', command: node('real/openai'), package: 'openai', env: { RETRIES: '5' } },
  { name: '`curl --retry 5`', command: curl },
  { name: 'bad: hammers', command: node('bad/hammers') },
  { name: 'bad: ignores dates', command: node('bad/ignores-dates') },
  { name: 'bad: no jitter', command: node('bad/no-jitter') },
  { name: 'bad: waits once', command: node('bad/waits-once') },
  {
    name: 'bad: pauses the request, not the key',
    command: node('bad/pauses-request-only'),
    env: { ONE_AT_A_TIME: '' },
  },
  { name: '`quotaspec/retrying`', command: node('compliant'), env: { ONE_AT_A_TIME: '' } },
]

/** The cases that show what a client does with many requests at once. */
const parallelCases = ['key-pause', 'workers-20', 'quota-20-workers', 'slow-answers']
/** Audits side by side: two, for more would disturb each other's times. */
const atOnce = 2

const folder = mkdtempSync(join(tmpdir(), 'quotaspec-clients-'))
const program = join(import.meta.dirname, '../src/cli/main.js')
const require = createRequire(join(process.cwd(), 'package.json'))

const versionOf = ({ package: name }: Subject): string => {
  if (name === undefined) return ''
  const entry = require.resolve.paths(name)?.map((path) => join(path, name, 'package.json')) ?? []
  for (const file of entry) {
    try {
      return ` ${JSON.parse(readFileSync(file, 'utf8')).version}`
    } catch {
      // The next folder up may hold it.
    }
  }
  return ''
}

const audit = async (subject: Subject, kind: 'alone' | 'parallel'): Promise<ClientReport> => {
  const out = join(folder, `${subject.name.replace(/\W+/g, '-')}-${kind}`)
  const cases = kind === 'parallel' ? parallelCases.flatMap((id) => ['--case', id]) : []
  const env = { ...process.env, ...(kind === 'alone' ? { ONE_AT_A_TIME: '1' } : {}), ...subject.env }
  const child = spawn(process.execPath, [program, 'client', ...cases, '--out', out, '--', ...subject.command], {
    env: kind === 'parallel' ? { ...env, ONE_AT_A_TIME: '' } : env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await new Promise((resolve) => child.once('close', resolve))
  return clientReportModel.parse(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')))
}

const gradeOf = ({ grade: { letter, best, worst } }: ClientReport): string => letter ?? `${worst} to ${best}`

const costs = (report: ClientReport): string => {
  const seen = new Set<string>()
  const told = report.grade.reasons.filter(({ atBest, sentence }) => {
    const key = `${atBest} ${sentence.replace(/\d.*/, '')}`
    return seen.has(key) ? false : seen.add(key)
  })
  return told
    .map(({ atBest, sentence, state }) => `${state === 'open' ? 'open, ' : ''}${atBest}: ${sentence}`)
    .join('; ')
}

/** What many requests at once add: only what is a breach of the key's pause, or a stampede. */
const parallelOf = (report: ClientReport): string => {
  const broken = report.checks.filter(
    ({ id, verdict }) => verdict === 'fail' && ['client.waits-as-told', 'client.workers-spread'].includes(id),
  )
  return broken.length === 0 ? 'keeps' : broken.map(({ message }) => message).join('; ')
}

const rowOf = async (subject: Subject): Promise<string> => {
  const alone = await audit(subject, 'alone')
  const parallel = subject.command === curl ? null : await audit(subject, 'parallel')
  const cells = [
    `${subject.name}${versionOf(subject)}`,
    `**${gradeOf(alone)}**`,
    costs(alone),
    scheduleInWords(alone.schedule).replace(/; (a refusal|it sends|whether).*/, '.'),
    parallel === null ? '' : parallelOf(parallel),
  ]
  process.stdout.write(`${cells.slice(0, 2).join(' ')}\n`)
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

const rows: string[] = []
const queue = subjects
  .map((subject, at) => ({ subject, at }))
  .filter(({ subject }) => subject.name.includes(process.argv[2] ?? ''))
const worker = async () => {
  for (let next = queue.shift(); next; next = queue.shift()) rows[next.at] = await rowOf(next.subject)
}
await Promise.all(Array.from({ length: atOnce }, worker))
rmSync(folder, { recursive: true })

const table = [
  '| client | grade | what cost it the steps | its own schedule | with many workers |',
  '| --- | --- | --- | --- | --- |',
  ...rows.filter((row) => row !== undefined),
].join('\n')
const page = 'docs/clients.md'
const between = /(<!-- npm run clients -->\n)[\s\S]*?(\n<!-- end -->)/
writeFileSync(
  page,
  readFileSync(page, 'utf8').replace(between, (_, before, after) => `${before}${table}${after}`),
)
