import { spawn } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { startReferenceServer } from '../../src/library/reference-server.js'
import { freshFolder, quotaspec, quotaspecEach } from '../cli/built-program.js'
import { root } from './shown-commands.js'

const keys = { free: 'free-secret', pro: 'pro-secret' } as const

/** Variables that the pages ask their reader to set. */
const variables = {
  QUOTASPEC_KEY_FREE: keys.free,
  QUOTASPEC_KEY_PRO: keys.pro,
  STAGING_KEY_FREE: keys.free,
  STAGING_KEY_PRO: keys.pro,
  ACME_KEY_FREE: keys.free,
  ACME_KEY_PRO: keys.pro,
  API_KEY: keys.pro,
  KEY: keys.free,
}

/** The first file that a page shows, or the one that holds these words. */
const shownIn = (page: string, words = ''): string => {
  const blocks = readFileSync(join(root, 'docs', page), 'utf8').matchAll(/^```yaml\n([\s\S]*?)^```$/gm)
  const found = [...blocks].map(([, text]) => text).find((text) => text.includes(words))
  if (found === undefined) throw new Error(`docs/${page} shows no file with ${words}`)
  return found
}

const savedRuns = [
  'latest',
  'quotaspec',
  'baseline',
  'a',
  'b',
  'c',
  'benchmark',
  'benchmark-1',
  'benchmark-2',
  'staging/one',
]

const waiver = `waivers:
  - {clause: RATE-1, target: 'https://elsewhere.example/v1', reason: known, owner: ann, until: 2099-12-31}
`

/** A folder with the files and saved runs that the pages take for granted. */
const preparedFolder = (run: string): string => {
  const folder = freshFolder()
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)
  for (const each of ['quotaspec', 'reports', 'docs', 'bin']) mkdirSync(join(folder, each))
  for (const each of savedRuns) cpSync(run, join(folder, 'reports', each), { recursive: true })
  const contract = shownIn('reference/contract-file.md')
  for (const name of ['acme.yaml', 'shop.yaml', 'quotaspec/contract.yaml']) write(name, contract)
  cpSync(join(root, 'scenarios/release-gate.yaml'), join(folder, 'quotaspec/release-gate.yaml'))
  write('my-benchmark.yaml', shownIn('quota-benchmark.md', 'my-benchmark'))
  for (const name of ['known.yaml', 'waivers.yaml']) write(name, waiver)
  write('known-failures.yaml', waiver)
  write('keys', `free=${keys.free}\npro=${keys.pro}\n`)
  write('bin/quotaspec', `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'dist/src/cli/main.js')}' "$@"\n`)
  chmodSync(join(folder, 'bin/quotaspec'), 0o755)
  return folder
}

/** Takes what is posted to it. */
const startReceiver = async () => {
  const server = createServer((request, response) => request.resume().once('end', () => response.end('ok')))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => new Promise((done) => server.close(done)) }
}

/** A folder of a machine that has it stands for this one's, and any free port for the one that is named or usual. */
const withoutPlaces = (text: string): string =>
  text
    .replace('/var/lib/node_exporter/textfile/', './')
    .replaceAll(/ --port \d+/g, '')
    .replaceAll('quotaspec serve', 'quotaspec serve --port 0')

/** The addresses of the pages are nobody's: those of this test stand in for them. */
const withAddresses = (text: string, { petstore, api, receiver }: Record<'petstore' | 'api' | 'receiver', string>) =>
  withoutPlaces(text)
    .replaceAll(/https:\/\/(staging|api)\.example\/v1|http:\/\/127\.0\.0\.1:8080\/v1/g, petstore)
    .replaceAll(
      /https:\/\/api\.example(?!\/)|http:\/\/127\.0\.0\.1:(8080|3000)(?!\/v1)|https:\/\/staging\.acme\.example/g,
      api,
    )
    .replaceAll(/http:\/\/(pushgateway|collector)\.example:\d+/g, receiver)

/** A saved run for all: a few requests, on a server of its own. */
export const savedRun = async (): Promise<string> => {
  const out = freshFolder()
  const server = await startReferenceServer({ keys, timeScale: 10 })
  try {
    const args = ['run', 'smoke', '--target', server.url, '--time-scale', '10', '--out', join(out, 'run')]
    const { code, stderr } = await quotaspec(args, { env: variables })
    if (code !== 0) throw new Error(`the run that the others are tried on ended with ${code}: ${stderr}`)
    return join(out, 'run')
  } finally {
    await server.close()
  }
}

/** How a line of the shell ended: its exit code, and all that it wrote. */
export interface LineEnd {
  readonly code: number | null
  readonly written: string
}

/** Lets a shell have a line, in a folder; `until` ends it once it has written that. */
const shell = (line: string, folder: string, env: NodeJS.ProcessEnv, until?: string): Promise<LineEnd> =>
  new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', until === undefined ? line : `exec ${line}`], {
      cwd: folder,
      env: { ...env, HOME: folder, PATH: `${join(folder, 'bin')}:${process.env.PATH}` },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 90_000,
    })
    let written = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        written += text
        if (until !== undefined && written.includes(until)) child.kill('SIGTERM')
      })
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, written }))
  })

/** What a line of a page is played on: a folder of its own, and servers in place of the addresses that it names. */
interface Stage {
  /** The line as it is typed here. */
  readonly line: string
  readonly folder: string
  close(): Promise<unknown>
}

const staged = async (line: string, run: string): Promise<Stage> => {
  const folder = preparedFolder(run)
  // What these write is not there yet.
  if (/^quotaspec (discover|init) /.test(line))
    for (const each of ['shop.yaml', 'quotaspec']) rmSync(join(folder, each), { recursive: true })
  const isConfigured = line.includes('--env ')
  const scaled = /^quotaspec (run|plan) /.test(line) && !line.includes('--time-scale') ? ' --time-scale 10' : ''
  const typed = `${line}${scaled}${isConfigured ? ' --config staging.yaml' : ''}`
  if (!isConfigured && !typed.includes('://')) return { line: withoutPlaces(typed), folder, close: async () => {} }
  const petstore = await startReferenceServer({ keys, timeScale: 10 })
  const api = await startReferenceServer({ keys, contract: join(folder, 'acme.yaml') })
  const receiver = await startReceiver()
  const here = { petstore: petstore.url, api: api.url, receiver: receiver.url }
  if (isConfigured)
    writeFileSync(join(folder, 'staging.yaml'), withAddresses(shownIn('reference/configuration.md'), here))
  const close = () => Promise.all([petstore.close(), api.close(), receiver.close()])
  return { line: withAddresses(typed, here), folder, close }
}

/** Plays a line of a page as its reader would. */
export const play = async (line: string, run: string, until?: string): Promise<LineEnd> => {
  const stage = await staged(line, run)
  try {
    return await shell(stage.line, stage.folder, variables, until)
  } finally {
    await stage.close()
  }
}

/** The words that a shell makes of a command, without those that lead its output elsewhere. */
export const wordsOf = (command: string): readonly string[] =>
  (command.split(/ >>? | \| /)[0].match(/(?:'[^']*'|"[^"]*"|\S)+/g) ?? [])
    .slice(1)
    .map((word) => word.replaceAll(/['"]/g, ''))

/** Whether a line takes a shell: another program reads its output. */
export const takesShell = (line: string): boolean => line.includes(' | ')

/** Plays lines that take no shell, one after the other in one program; how each ended, by the line. */
export const playEach = async (lines: readonly string[], run: string): Promise<ReadonlyMap<string, LineEnd>> => {
  const stages = await Promise.all(lines.map((line) => staged(line, run)))
  try {
    const typed = stages.map(({ line, folder }) => ({
      args: wordsOf(line),
      cwd: folder,
      env: { ...variables, HOME: folder },
    }))
    const ended = await quotaspecEach(typed)
    return new Map(ended.map(({ code, stdout, stderr }, at) => [lines[at], { code, written: stdout + stderr }]))
  } finally {
    await Promise.all(stages.map(({ close }) => close()))
  }
}
