import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import type { ClientReport } from '../../src/client-audit/report/model.js'
import { freshFolder, launch, quotaspecInTurn, untilSettled } from '../cli/built-program.js'

const here = fileURLToPath(new URL('.', import.meta.url))
const short = join(here, 'short.yaml')
const patient = 'seconds-86400'
/** As many as there are tests side by side: nearly all of an audit is waiting. */
const audits = 4
const client = (name: string): string[] => ['--', process.execPath, join(here, `${name}.mjs`)]
/** A client of a line or two. */
const script = (source: string): string[] => ['--', process.execPath, '--input-type=module', '-e', source]

const reportIn = (out: string): ClientReport => JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'))

const audit = async (
  flags: readonly string[],
  cases: readonly string[],
  command: readonly string[],
  env: Record<string, string> = {},
) => {
  const out = freshFolder()
  const only = cases.flatMap((id) => ['--case', id])
  // The bundled case of a day's wait is watched for long enough that a crowded machine gets a client started.
  const file = cases.includes(patient) ? [] : ['--cases', short]
  const ended = await quotaspecInTurn(['client', ...file, '--out', out, ...flags, ...only, ...command], {
    env,
    atOnce: audits,
  })
  return { ...ended, out, report: existsSync(join(out, 'report.json')) ? reportIn(out) : undefined }
}

type Audited = Awaited<ReturnType<typeof audit>>

/** The client, the cases, and each clause that it breaks with the advice. */
type BadClient = readonly [string, readonly string[], readonly (readonly [clause: string, advice: RegExp])[]]

const arrivalsIn = (out: string): number => {
  const file = join(out, 'arrivals.jsonl')
  return existsSync(file) ? readFileSync(file, 'utf8').split('"type":"arrival"').length - 1 : 0
}

/** Whether a process that wrote its id on its output still runs. */
const lives = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
const pidsIn = (output: string): number[] => [...output.matchAll(/pid (\d+)/g)].map(([, pid]) => Number(pid))

const ask = `const { PETSTORE_BASE_URL: url, PETSTORE_API_KEY: key } = process.env
  const ask = () => fetch(url + '/inventory', { headers: { Authorization: 'Bearer ' + key } })
  console.log('pid ' + process.pid);`

describe('quotaspec client', { concurrent: true }, () => {
  it.sequential('passes the compliant client, which may have an A, and judges the saved audit the same', async () => {
    const env = { BASE_MS: '300', ATTEMPTS: '5' }
    const { code, out, report, stdout } = await untilSettled(() => audit([], [], client('compliant'), env))
    expect({ code, best: report?.grade.best }, stdout).toEqual({ code: 0, best: 'A' })
    expect(report?.clauses.filter(({ level }) => level === 'must').map(({ verdict }) => verdict)).toEqual(
      Array(3).fill('pass'),
    )
    const again = await quotaspecInTurn(['client', '--judge', out])
    expect(again.code).toBe(0)
    expect(reportIn(out)).toEqual(report)
  })

  const verdictOf = ({ report }: Audited, clause: string) => report?.clauses.find(({ id }) => id === clause)?.verdict
  const atOnce = ['CLIENT-1', /Send nothing on the key, from any worker, until all/] as const
  const localTime = ['CLIENT-4', /in GMT whatever the local time zone is/] as const
  it.each<BadClient>([
    ['waits-once', ['seconds'], [atOnce]],
    ['ignores-dates', ['date'], [['CLIENT-4', /Read Retry-After as an HTTP-date too/]]],
    ['dates-as-local-time', ['date-west', 'seconds'], [localTime]],
    ['pauses-request-only', ['key-pause'], [['CLIENT-1', /Pause the key, not the request/]]],
  ])('fails the client that %s in %j by what it breaks, and says what to do', async (name, cases, broken) => {
    const ended = await untilSettled(
      () => audit(['--strict'], cases, client(`bad/${name}`)),
      (each) => broken.some(([clause]) => verdictOf(each, clause) === 'inconclusive'),
    )
    const { code, stdout } = ended
    expect(code, stdout).toBe(1)
    for (const [clause, advice] of broken) {
      expect(verdictOf(ended, clause)).toBe('fail')
      expect(stdout.replace(/\s+/g, ' ')).toMatch(advice)
    }
  })

  it.each([
    ['bad/dates-as-local-time', ['date-imf-fixdate', 'date-asctime']],
    ['good/bare-date-parse', ['date-asctime']],
    ['good/fixdate-only', ['date-asctime']],
  ])('plays dates in zones that are not UTC, and so sees of %s that %j are missed', async (name, missed) => {
    const out = freshFolder()
    const cases = ['date-imf-fixdate', 'date-asctime'].flatMap((id) => ['--case', id])
    const place = { env: { TZ: 'UTC' }, atOnce: audits }
    const { stdout } = await quotaspecInTurn(['client', '--out', out, ...cases, ...client(name)], place)
    const { plays, checks } = reportIn(out)
    expect(plays.map(({ timeZone }) => timeZone)).toEqual(['Asia/Tokyo', 'Asia/Tokyo'])
    const cited = checks.map(({ code, facts }) => (/date/.test(code) && 'case' in facts ? facts.case : ''))
    expect(cited.filter(Boolean).toSorted(), stdout).toEqual([...missed].toSorted())
  })

  it('audits a client through the script that the docs show', async () => {
    const folder = freshFolder()
    const root = join(here, '../..')
    const blocks = readFileSync(join(root, 'docs/clients.md'), 'utf8').matchAll(/^```js\n([\s\S]*?)^```$/gm)
    const shown = [...blocks].map(([, text]) => text).find((text) => text.includes("from './client.mjs'"))
    writeFileSync(join(folder, 'audit.mjs'), shown ?? '')
    // As the page assumes: it knows no address and no key but those that it is given.
    writeFileSync(
      join(folder, 'client.mjs'),
      `import { retrying } from ${JSON.stringify(join(root, 'dist/src/wire/http/retrying.js'))}
      export const createClient = ({ baseUrl, apiKey }) => {
        const patient = retrying(fetch)
        const headers = { Authorization: 'Bearer ' + apiKey, 'Content-Type': 'application/json' }
        return { call: async (path, init) => (await patient(baseUrl + path, { ...init, headers })).arrayBuffer() }
      }`,
    )
    const { report, stdout } = await audit(
      [],
      ['quota', 'key-pause', 'patch', 'seconds'],
      ['--', process.execPath, join(folder, 'audit.mjs')],
    )
    const sent = Object.fromEntries((report?.plays ?? []).map((play) => [play.id, play]))
    expect(sent['quota#1'], stdout).toMatchObject({ sent: 70, served: 70 })
    expect(sent['key-pause#1'].workers).toBeGreaterThan(1)
    expect(Object.values(sent).map(({ notAsAsked }) => notAsAsked)).toEqual(Object.keys(sent).map(() => null))
    expect(report?.clauses.filter(({ verdict }) => verdict === 'fail')).toEqual([])
    expect(report?.notes.join()).not.toContain('make several')
  })

  it.each([
    ['shows its key in another header only: it breaks CLIENT-5', 'PETSTORE_API_KEY', 1, 'fail'],
    ['never shows its key: it may not have got it', 'PETSTORE_BASE_URL', 2, 'inconclusive'],
  ])('judges nothing else of a client that %s', async (_, shown, exitCode, verdict) => {
    const { code, stdout, report } = await audit(
      [],
      ['day'],
      script(`await fetch(process.env.PETSTORE_BASE_URL, { headers: { 'X-Api-Key': process.env.${shown} } })`),
    )
    expect(code, stdout).toBe(exitCode)
    expect(report?.clauses.map((each) => each.verdict)).toEqual([...Array(4).fill('not-tested'), verdict])
    expect(stdout).toContain('day#1: 1 request without the Bearer key, answered 401')
  })

  it('says of cases that were not played as they ask that they are not tested', async () => {
    const careless = script(
      `${ask} await ask(); await new Promise((resolve) => setTimeout(resolve, 1_100)); await ask()`,
    )
    const { stdout } = await audit([], ['patch', 'key-pause', 'seconds'], careless)
    expect(stdout).toMatch(/patch .* asked for PATCH, got GET: not tested/)
    expect(stdout).toMatch(/key-pause .* asked for 6 requests, got 2: not tested/)
  })

  it('is over in seconds where the command sends nothing', async () => {
    const { code, stdout, stderr, report } = await audit([], [], script(''))
    expect({ code, plays: (report?.plays.length ?? 0) < 20 }, stdout).toEqual({ code: 2, plays: true })
    expect(stdout).toMatch(/Stopped after \d plays, because no request had come/)
    expect(stderr).toContain('20 plays of')
  })

  it('ends a client that hangs, and what it has started in a session of its own', async () => {
    const { code, report } = await audit(
      [],
      ['day'],
      script(`${ask}
        import { spawn } from 'node:child_process'
        const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' })
        console.log('pid ' + child.pid)
        child.unref()
        process.on('SIGTERM', () => {})
        await ask()
        setInterval(() => {}, 1000)`),
    )
    const pids = pidsIn(report?.plays[0].output ?? '')
    expect({ code, end: report?.plays[0].end, pids: pids.length, alive: pids.filter(lives) }).toEqual({
      code: 2,
      end: 'watch',
      pids: 2,
      alive: [],
    })
  })

  it('says that a client which ended has left a process behind, and ends it', async () => {
    const { report, stdout } = await audit(
      [],
      [patient],
      script(`${ask}
        import { spawn } from 'node:child_process'
        const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' })
        console.log('pid ' + child.pid)
        child.unref()
        await ask()`),
    )
    const [play] = report?.plays ?? []
    expect({ end: play?.end, leftBehind: play?.leftBehind, alive: pidsIn(play?.output ?? '').filter(lives) }).toEqual({
      end: 'exit',
      leftBehind: true,
      alive: [],
    })
    expect(stdout).toContain('left processes behind')
  })

  it('tells what a client that crashes has said last, of however much it has written, and never its key', async () => {
    const { code, report, stdout } = await audit(
      [],
      [patient],
      script(`for (let line = 0; line < 20_000; line += 1) console.log('line ' + line)
        throw new Error('it can not read ' + process.env.PETSTORE_API_KEY)`),
    )
    const [play] = report?.plays ?? []
    expect({ code, exitCode: play?.exitCode, sent: play?.sent }).toEqual({ code: 2, exitCode: 1, sent: 0 })
    expect(play?.output.length).toBeLessThanOrEqual(4_100)
    expect(stdout).toContain('it can not read ‹key›')
    expect(stdout).toContain('sent nothing (exit 1)')
  })

  it('refuses a command that does not exist, and starts nothing else', async () => {
    const { code, stderr } = await audit([], ['day'], ['--', 'no-such-command-here'])
    expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringContaining('there is no such command') })
  })

  it('fails a grade below the one that was asked for', async () => {
    const { code } = await audit(['--at-least', 'B'], ['seconds'], client('real/fetch-once'))
    expect(code).toBe(2)
  })

  it('tells a pipeline of GitHub what is broken, live and judged again, and the page repeats what was typed', async () => {
    const flags = ['--at-least', 'A', '--strict', '--watch', '11']
    const inPipeline = async () => {
      const summary = join(freshFolder(), 'summary.md')
      const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary }
      return { ...(await audit(flags, ['seconds', 'garbage'], client('bad/hammers'), env)), env, summary }
    }
    const ended = await untilSettled(inPipeline, (each) => verdictOf(each, 'CLIENT-4') === 'inconclusive')
    const { out, stdout, report, env, summary } = ended
    expect([verdictOf(ended, 'CLIENT-1'), verdictOf(ended, 'CLIENT-4')]).toEqual(['fail', 'fail'])
    expect(stdout.replace(/\s+/g, ' ')).toMatch(/Treat an unusable Retry-After like a missing one/)
    expect(stdout).toMatch(/^::error title=CLIENT-1 .*::it came /m)
    expect(readFileSync(summary, 'utf8')).toContain('Grade F: it came ')
    expect(report?.run.command).toContain('--case seconds --case garbage --watch 11 --at-least A --strict -- ')
    const again = await quotaspecInTurn(['client', '--judge', out], { env })
    expect(again.stdout).toMatch(/^::error title=CLIENT-1 .*::it came /m)
    expect(readFileSync(summary, 'utf8').split('Grade F: it came ')).toHaveLength(3)
  })

  it('ends its clients on Ctrl-C, and reports what was done', async () => {
    const out = freshFolder()
    const command = script(`${ask} await ask(); await ask(); setInterval(() => {}, 1000)`)
    const { child, ended, untilWritten } = launch(['client', '--out', out, '--case', 'seconds-86400', ...command])
    await untilWritten('stderr', 'side by side')
    await vi.waitFor(() => expect(arrivalsIn(out)).toBeGreaterThanOrEqual(2), { timeout: 40_000 })
    child.kill('SIGINT')
    const { code, stdout } = await ended
    const report = reportIn(out)
    expect({ code, exitCode: report.run.exitCode, end: report.plays[0].end }).toEqual({
      code: 130,
      exitCode: 130,
      end: 'interrupted',
    })
    expect(report.plays[0].sent).toBe(2)
    expect(stdout).toContain('interrupted')
    expect(pidsIn(report.plays[0].output).filter(lives)).toEqual([])
  })

  it('leaves no client behind where Ctrl-C comes twice', async () => {
    const out = freshFolder()
    const told = join(out, 'pid')
    const command = script(`${ask}
      import { writeFileSync } from 'node:fs'
      process.on('SIGTERM', () => writeFileSync(${JSON.stringify(told)}, 'pid ' + process.pid))
      await ask()
      setInterval(() => {}, 1000)`)
    const { child, ended } = launch(['client', '--out', out, '--case', 'seconds-86400', ...command])
    await vi.waitFor(() => expect(arrivalsIn(out)).toBeGreaterThanOrEqual(1), { timeout: 40_000 })
    child.kill('SIGINT')
    // It has been told to end, and has not yet been killed.
    await vi.waitFor(() => expect(existsSync(told)).toBe(true), { timeout: 40_000, interval: 10 })
    child.kill('SIGINT')
    expect((await ended).code).toBe(130)
    const [pid] = pidsIn(readFileSync(told, 'utf8'))
    await vi.waitFor(() => expect(lives(pid)).toBe(false))
  })

  it('listens for a client that is started elsewhere, and judges it on Ctrl-C', async () => {
    const out = freshFolder()
    const { child, ended, untilWritten } = launch([
      'client',
      '--listen',
      '--cases',
      short,
      '--case',
      'day',
      '--out',
      out,
    ])
    const line = await untilWritten('stdout', 'key play-')
    const [, url, key] = /(http:\S+)\s+key (\S+)/.exec(line) ?? []
    const ask = async () => (await fetch(`${url}/inventory`, { headers: { Authorization: `Bearer ${key}` } })).status
    expect(await ask()).toBe(429)
    // Beyond what may have been under way.
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(await ask()).toBe(429)
    child.kill('SIGINT')
    const { code } = await ended
    const report = reportIn(out)
    expect({ code, exitCode: report.run.exitCode, clause: report.clauses[0] }).toMatchObject({
      code: 1,
      exitCode: 1,
      clause: { id: 'CLIENT-1', verdict: 'fail' },
    })
  })
})
