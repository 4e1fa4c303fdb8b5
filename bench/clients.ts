import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { judgeClient } from '../src/client-audit/checks/judge-client.js'
import { buildClientReport } from '../src/client-audit/report/build-client-report.js'
import { atBestOf, scheduleInWords } from '../src/client-audit/report/in-words.js'
import type { ClientReport } from '../src/client-audit/report/model.js'
import { arrivalsName, readArrivals } from '../src/evidence/arrivals.js'
import { tableCell } from '../src/kit/words.js'
import { toolVersion } from '../src/run/package.js'
import { clientBank } from './client-bank.js'

/**
 * Audits popular clients, the deliberately bad ones and the compliant one, and writes the table of docs/clients.md. With
 * names, audits only clients whose name contains one of them; the others are judged from their saved audits in
 * reports/clients. `--judge` audits none.
 */

interface Subject {
  readonly name: string
  readonly command: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** The package whose version is shown. */
  readonly package?: string
}

const node = (file: string) => ['node', `test/clients/${file}.mjs`]
// No --output /dev/null: some versions of curl can't restart such a file, and give up.
const curl = ['curl', '--silent', '--retry', '5', '-H', 'Authorization: Bearer {key}', '{url}/inventory']

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
  ...clientBank.map(({ name, command, env }) => ({ name, command, env: { ONE_AT_A_TIME: '', ...env } })),
]

/** The cases that show what a client does with many requests at once. */
const parallelCases = ['key-pause', 'workers-20', 'quota-20-workers', 'slow-answers']
/** Audits in parallel: more would disturb each other's timing. */
const atOnce = 3

const folder = 'reports/clients'
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

type Kind = 'alone' | 'parallel'

const folderOf = (subject: Subject, kind: Kind): string =>
  join(folder, `${subject.name.replace(/\W+/g, '-').replace(/^-|-$/g, '')}-${kind}`)

const kindsOf = ({ command }: Subject): readonly Kind[] => (command === curl ? ['alone'] : ['alone', 'parallel'])

const audit = async (subject: Subject, kind: Kind): Promise<void> => {
  const cases = kind === 'parallel' ? parallelCases.flatMap((id) => ['--case', id]) : []
  const env = { ...process.env, ...(kind === 'alone' ? { ONE_AT_A_TIME: '1' } : {}), ...subject.env }
  const flags = [...cases, '--out', folderOf(subject, kind)]
  const startedMs = performance.now()
  const child = spawn(process.execPath, [program, 'client', ...flags, '--', ...subject.command], {
    env: kind === 'parallel' ? { ...env, ONE_AT_A_TIME: '' } : env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await new Promise((resolve) => child.once('close', resolve))
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0)
  process.stdout.write(`${subject.name}, ${kind}: ${gradeOf(saved(subject, kind))}, ${seconds} s\n`)
}

/** A saved audit, judged by today's checks. */
const saved = (subject: Subject, kind: Kind): ClientReport => {
  const audit = readArrivals(folderOf(subject, kind))
  return buildClientReport(audit, judgeClient(audit), toolVersion)
}

const gradeOf = ({ grade: { letter, best, worst } }: ClientReport): string => letter ?? `${worst} to ${best}`

const costs = (report: ClientReport): string => {
  const seen = new Set<string>()
  const told = report.grade.reasons.filter(({ atBest, sentence }) => {
    const key = `${atBest} ${sentence.replace(/\d.*/, '')}`
    return seen.has(key) ? false : seen.add(key)
  })
  return told
    .map((each) => `${each.state === 'open' ? 'open, ' : ''}${atBestOf(report.grade, each)}: ${each.sentence}`)
    .join('; ')
}

/** What many requests at once reveal: only breaches of the key's pause, or a stampede. */
const parallelOf = (report: ClientReport): string => {
  const broken = report.checks.filter(
    ({ id, verdict }) => verdict === 'fail' && ['client.waits-as-told', 'client.workers-spread'].includes(id),
  )
  return broken.length === 0 ? 'keeps' : broken.map(({ message }) => message).join('; ')
}

const rowOf = (subject: Subject): string => {
  const alone = saved(subject, 'alone')
  const cells = [
    `${subject.name}${versionOf(subject)}`,
    `**${gradeOf(alone)}**`,
    costs(alone),
    scheduleInWords(alone.schedule).replace(/; (a refusal|it sends|whether).*/, '.'),
    kindsOf(subject).includes('parallel') ? parallelOf(saved(subject, 'parallel')) : '',
  ]
  return `| ${cells.map(tableCell).join(' | ')} |`
}

const words = process.argv.slice(2)
const asked = ({ name }: Subject) =>
  words.length === 0 || words.some((word) => word !== '--judge' && name.includes(word))
const queue = subjects.filter(asked).flatMap((subject) => kindsOf(subject).map((kind) => ({ subject, kind })))
const worker = async () => {
  for (let next = queue.shift(); next; next = queue.shift()) await audit(next.subject, next.kind)
}
await Promise.all(Array.from({ length: atOnce }, worker))
const isSaved = (subject: Subject) =>
  kindsOf(subject).every((kind) => existsSync(join(folderOf(subject, kind), arrivalsName)))
const rows = subjects.filter(isSaved).map(rowOf)

const table = [
  '| client | grade | why it is no better | its own schedule | with many workers |',
  '| --- | --- | --- | --- | --- |',
  ...rows,
].join('\n')
const page = 'docs/clients.md'
const between = /(<!-- npm run clients -->\n)[\s\S]*?(<!-- end -->)/
writeFileSync(
  page,
  readFileSync(page, 'utf8').replace(between, (_, before, after) => `${before}${table}\n${after}`),
)
