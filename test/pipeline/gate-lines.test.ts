import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'

const page = readFileSync(fileURLToPath(new URL('../../docs/ci.md', import.meta.url)), 'utf8')

/** The block of the page for a shell that holds these words. */
const linesWith = (words: string): string => {
  const block = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
    .map(([, text]) => text)
    .find((text) => text.includes(words))
  if (block === undefined) throw new Error(`docs/ci.md shows no lines with ${words}`)
  return block
}

/** A folder in which these programs stand before all others. */
const folderWith = (programs: Readonly<Record<string, string>>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'quotaspec-gate-'))
  mkdirSync(join(folder, 'bin'))
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(folder, 'bin', name), 0o755)
  }
  return folder
}

const shell = (lines: string, cwd: string, env: Readonly<Record<string, string>> = {}) =>
  new Promise<{ code: number | null; written: string }>((resolve, reject) => {
    const path = `${join(cwd, 'bin')}:${process.env.PATH}`
    const child = spawn('sh', ['-c', lines], { cwd, env: { ...env, PATH: path } })
    let written = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (written += text))
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, written }))
  })

/** Ends as `runs` has it, one run after the other, and leaves a report that says whether another one helps. */
const quotaspecThat = (runs: readonly number[], helps: string): string => `
n=$(cat played 2>/dev/null || echo 0); n=$((n + 1)); echo $n > played
echo "$*" >> asked
mkdir -p reports/quotaspec
echo '{"rerun": ${helps}}' > reports/quotaspec/report.json
set -- ${runs.join(' ')}
eval "exit \\\${$n}"`

describe('the lines that try once more', () => {
  it.each<[string, readonly number[], string, number, string]>([
    ['where that may help', [2, 0], '{"helps": "maybe"}', 0, '2'],
    ['and end as the second run does', [2, 1], '{"helps": "maybe"}', 1, '2'],
    ['once only', [2, 2, 0], '{"helps": "maybe"}', 2, '2'],
    ['not where something has to be changed first', [2, 0], '{"helps": "no"}', 2, '1'],
    ['not where nobody knows', [2, 0], '{"helps": "unknown"}', 2, '1'],
    ['not what passed', [0, 1], 'null', 0, '1'],
    ['not what failed', [1, 0], 'null', 1, '1'],
  ])('%s', async (_, runs, helps, code, played) => {
    const folder = folderWith({ npx: quotaspecThat(runs, helps), sleep: '' })
    const lines = `set -e\n${linesWith('helps()')}exit $code`
    expect(await shell(lines, folder)).toEqual({ code, written: '' })
    expect(readFileSync(join(folder, 'played'), 'utf8').trim()).toBe(played)
  })
})

it('the lines of gate.sh write the reports and end as the run does', async () => {
  const folder = folderWith({ npx: quotaspecThat([1, 0, 0], 'null'), npm: '' })
  expect((await shell(linesWith('npm ci'), folder)).code).toBe(1)
  expect(readFileSync(join(folder, 'asked'), 'utf8').split('\n')).toEqual([
    expect.stringMatching(/^quotaspec run --target \S+ --allow-load --yes --out reports\/quotaspec$/),
    'quotaspec report reports/quotaspec --as junit',
    'quotaspec report reports/quotaspec --as markdown',
    '',
  ])
})

const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** A release that listens a second after it was started, and asks for a key. */
const release = `exec '${process.execPath}' -e 'setTimeout(() => require("node:http").createServer((request, response) => {
  response.statusCode = 401
  response.end()
}).listen(process.env.PORT, "127.0.0.1"), 1000)'`

it('the lines that start the release wait until it answers, whatever it says, and stop it at the end', async () => {
  const port = await freePort()
  const folder = folderWith({ node: release })
  const lines = linesWith('server=$!').replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)
  const gate = `curl --silent --output /dev/null --write-out 'answered %{http_code}' http://127.0.0.1:${port}/; exit 3`
  const ended = await shell(`set -e\n${lines}${gate}`, folder, { PORT: String(port) })
  expect(ended).toEqual({ code: 3, written: expect.stringMatching(/answered 401$/) })
  await vi.waitFor(() => expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow(), { timeout: 60_000 })
})

it('the lines that start the release end where another one listens already, and start nothing', async () => {
  const earlier = createServer((_, response) => response.end())
  await new Promise<void>((resolve) => earlier.listen(0, '127.0.0.1', resolve))
  const { port } = earlier.address() as AddressInfo
  const folder = folderWith({ node: 'touch started' })
  const lines = linesWith('server=$!').replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)
  const ended = await shell(`set -e\n${lines}exit 0`, folder)
  earlier.close()
  expect(ended).toEqual({ code: 2, written: 'port 8080 is taken: an earlier release?\n' })
  expect(existsSync(join(folder, 'started'))).toBe(false)
})

it('the lines that start the release end with 2 and show its log where it does not start', async () => {
  const folder = folderWith({ node: 'echo a port is missing; exit 1' })
  const lines = linesWith('server=$!').replaceAll('127.0.0.1:8080', `127.0.0.1:${await freePort()}`)
  const ended = await shell(`set -e\n${lines}exit 0`, folder)
  expect(ended).toEqual({ code: 2, written: expect.stringContaining('a port is missing') })
})

describe('the whole of gate.sh', () => {
  const whole = linesWith('# gate.sh')
  const code = (lines: string): readonly string[] =>
    lines
      .split('\n')
      .map((line) => line.replace(/\s+# .*$/, '').trim())
      .filter((line) => line !== '' && !line.startsWith('npx quotaspec run '))

  it.each(['npm ci', 'server=$!', 'helps()'])('has the lines of the part with %s', (words) => {
    expect(code(whole)).toEqual(expect.arrayContaining([...code(linesWith(words))]))
  })

  it('starts the release, tries once more, writes the reports and stops what it started', async () => {
    const port = await freePort()
    const folder = folderWith({
      npm: '',
      npx: quotaspecThat([2, 1, 0, 0], '{"helps": "maybe"}'),
      sleep: '[ "$1" = 60 ] || exec /bin/sleep "$@"',
      node: `[ "$1" = server.js ] || exec '${process.execPath}' "$@"\n${release}`,
    })
    const ended = await shell(whole.replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`), folder, { PORT: String(port) })
    expect(ended.code).toBe(1)
    expect(readFileSync(join(folder, 'asked'), 'utf8').match(/^quotaspec \w+/gm)).toEqual([
      'quotaspec run',
      'quotaspec run',
      'quotaspec report',
      'quotaspec report',
    ])
    await vi.waitFor(() => expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow(), { timeout: 60_000 })
  })
})

/** What a pipeline of the page runs, keeps and shows. */
interface Pipeline {
  readonly step?: string
  readonly kept?: string
  readonly junit?: string
}

const blockWith = (language: string, words: string): string =>
  [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].find(
    ([, of, text]) => of === language && text.includes(words),
  )?.[2] ?? ''

const github = (): Pipeline => {
  const { steps = [] } = parse(blockWith('yaml', '- run: sh gate.sh')) as {
    steps?: { run?: string; with?: { path?: string } }[]
  }
  return { step: steps.find(({ run }) => run)?.run, kept: steps.find((each) => each.with?.path)?.with?.path }
}

const gitlab = (): Pipeline => {
  const { 'quota-gate': job } = parse(blockWith('yaml', '- sh gate.sh\n')) as {
    'quota-gate'?: { script: string[]; artifacts: { paths: string[]; reports: { junit: string } } }
  }
  return { step: job?.script.join('\n'), kept: job?.artifacts.paths[0], junit: job?.artifacts.reports.junit }
}

const jenkins = (): Pipeline => {
  const text = blockWith('groovy', 'pipeline')
  expect(text.split('{').length).toBe(text.split('}').length)
  const quoted = (name: string) => new RegExp(`\\b${name} '([^']*?)(?:/\\*\\*)?'`).exec(text)?.[1]
  return { step: quoted('sh'), kept: quoted('archiveArtifacts'), junit: quoted('junit') }
}

it.each([
  ['GitHub', github],
  ['GitLab', gitlab],
  ['Jenkins', jenkins],
])('the pipeline of %s runs the script, ends as it does, and keeps what it wrote', async (_, read) => {
  const { step, kept, junit } = read()
  const folder = folderWith({ npm: 'exit 0', npx: 'mkdir -p reports/quotaspec; [ "$2" = run ] && exit 1; echo "$5"' })
  writeFileSync(join(folder, 'gate.sh'), linesWith('npm ci'))
  expect((await shell(step ?? 'true', folder)).code).toBe(1)
  expect(existsSync(join(folder, kept ?? 'nothing'))).toBe(true)
  // GitHub shows annotations, and has no use for JUnit XML.
  if (read !== github) expect(readFileSync(join(folder, junit ?? 'nothing'), 'utf8')).toBe('junit\n')
})
