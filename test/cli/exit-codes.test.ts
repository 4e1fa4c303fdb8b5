import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, it } from 'vitest'
import type { Report } from '../../src/report/model.js'
import {
  type Ended,
  filesIn,
  freshFolder,
  type Line,
  launch,
  quotaspec,
  quotaspecEach,
  quotaspecInTurn,
  whileServingHere,
} from './built-program.js'
import { whileListening } from './listening.js'

const secret = 'exit-codes-Zx81Cv92Bn03'
const serve = ['--time-scale', '100', '--key', `free=${secret}`]
const env = { QUOTASPEC_KEY_FREE: secret }
const scaled = ['--time-scale', '100']

const reportIn = (out: string): Report => JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'))
const verdictOf = (report: Report, id: string) => report.clauses.find((clause) => clause.id === id)?.verdict

/** A module that is loaded before the program and has the check of `status` crash. */
const crashingCheck = `data:text/javascript,${encodeURIComponent(`
  import { register } from 'node:module'
  const loader = \`export const load = async (url, context, next) => {
    const loaded = await next(url, context)
    const source = String(loaded.source)
    const judged = 'judgeField(evidence, telling, field, schema)'
    if (!source.includes(judged)) return loaded
    const crash = "(() => { if (field === 'status') throw new Error('a check that crashes') })(), "
    return { ...loaded, source: source.replace(judged, '(' + crash + judged + ')') }
  }\`
  register('data:text/javascript,' + encodeURIComponent(loader))
`)}`

/** The same, throwing where nobody catches it, once the program has begun to write its journal. */
const uncaughtError = `data:text/javascript,${encodeURIComponent(`
  import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  const { writeSync } = fs
  fs.writeSync = (...args) => {
    setImmediate(() => { throw new Error('nobody catches this') })
    return writeSync(...args)
  }
  syncBuiltinESMExports()
`)}`

describe('exit codes of the built program', { concurrent: true }, () => {
  it('is 0 where every clause that the scenario asks for was proven', async ({ expect }) => {
    await whileServingHere(serve, async (target) => {
      const out = freshFolder()
      const { code, stdout } = await quotaspec(['run', 'smoke', '--target', target, ...scaled, '--out', out], { env })
      expect(stdout).toContain('PASS')
      expect(code).toBe(0)
      expect(reportIn(out)).toMatchObject({ outcome: 'pass', restored: true, run: { exitCode: 0 } })
    })
  })

  it('is 1 where the target breaks a clause, and names it', async ({ expect }) => {
    await whileServingHere([...serve, '--fault', 'headers-missing-on-401'], async (target) => {
      const out = freshFolder()
      const { code, stdout } = await quotaspec(['run', 'smoke', '--target', target, ...scaled, '--out', out], { env })
      expect(code).toBe(1)
      expect(stdout).toContain('Some answers lack rate-limit headers (RATE-1).')
      expect(verdictOf(reportIn(out), 'RATE-1')).toBe('fail')
    })
  })

  it('is 1 for a should clause under --strict only', async ({ expect }) => {
    await whileServingHere([...serve, '--fault', 'challenge-missing'], async (target) => {
      const run = ['run', 'smoke', '--target', target, ...scaled, '--out']
      expect((await quotaspecInTurn([...run, freshFolder()], { env })).code).toBe(0)
      expect((await quotaspecInTurn([...run, freshFolder(), '--strict'], { env })).code).toBe(1)
    })
  })

  it('is 2 within 5 s where nothing listens, and says what to do', async ({ expect }) => {
    // A port that was just given back may be another test's by now; the first of all ports is nobody's.
    const target = 'http://127.0.0.1:1'
    const out = freshFolder()
    const { code, stdout } = await quotaspec(['run', '--target', target, '--out', out], { env })
    expect(code).toBe(2)
    expect(reportIn(out).run.durationMs).toBeLessThan(5_000)
    expect(stdout.replace(/\s+/g, ' ')).toContain('Is the target running, and is --target its base address?')
    expect([...filesIn(out).keys()]).toEqual(expect.arrayContaining(['report.html', 'report.json', 'journal.jsonl']))
  })

  it('is 2 where no key is accepted, and says so', async ({ expect }) => {
    await whileServingHere(serve, async (target) => {
      const { code, stdout } = await quotaspecInTurn(['run', 'smoke', '--target', target, '--out', freshFolder()], {
        env: { QUOTASPEC_KEY_FREE: 'some-other-key-Qq77' },
      })
      expect(code).toBe(2)
      expect(stdout).toContain('No key was accepted')
    })
  })

  it('is 3 for a scenario file with a misspelt field, and names file, line and field', async ({ expect }) => {
    const file = join(freshFolder(), 'mine.yaml')
    writeFileSync(
      file,
      'name: mine\ndescription: a burst\nprobes:\n  - probe: hello\n  - probe: burst\n    overshot: 1.5\n',
    )
    const { code, stderr, stdout } = await quotaspecInTurn(['run', file, '--target', 'http://127.0.0.1:1/v1'], { env })
    expect(code).toBe(3)
    expect(stderr).toContain(`${file}:6: probes.1.overshot`)
    expect(stderr).toContain('did you mean overshoot?')
    expect(stdout).toBe('')
  })

  const sample = fileURLToPath(new URL('../../reports/sample', import.meta.url))

  const wrong: readonly (readonly [string, readonly string[], string, Line['env']?])[] = [
    ['no command', [], 'quotaspec run --target URL'],
    ['a command that is none', ['runn'], 'did you mean run?'],
    ['a flag that is none', ['run', '--targett', 'http://127.0.0.1:1/v1'], 'targett'],
    ['a flag without its value', ['run', '--target'], '--target'],
    [
      'a target given twice',
      ['run', '--target', 'http://127.0.0.1:1/v1', '--target', 'http://127.0.0.1:2/v1'],
      '--target was given twice, and takes one value',
    ],
    ['a format given twice', ['report', '/nowhere', '--as', 'html', '--as', 'json'], '--as was given twice'],
    ['no key', ['run', '--target', 'http://127.0.0.1:1/v1'], 'QUOTASPEC_KEY_FREE', {}],
    ['no target', ['run'], '--target is missing'],
    ['a target that is no address', ['run', '--target', 'localhost'], '--target must be an address'],
    ['a plan that is none', ['run', '--target', 'http://127.0.0.1:1/v1', '--key', 'gold=abcdefgh'], 'PLAN=SECRET'],
    ['a clause that is none', ['run', '--target', 'http://127.0.0.1:1/v1', '--only', 'RATE-99'], '--only RATE-99'],
    ['a time scale of 0', ['run', '--target', 'http://127.0.0.1:1/v1', '--time-scale', '0'], '--time-scale must be'],
    ['a scenario that is none', ['run', 'no-such', '--target', 'http://127.0.0.1:1/v1'], 'no-such'],
    ['a fault that is none', ['serve', '--port', '0', '--fault', 'off-by-two'], '--fault off-by-two'],
    ['a row of the kill matrix that is none', ['faults', '--run', '--id', 'off-by-two'], '--id off-by-two'],
    ['no trial at once', ['faults', '--run', '--at-once', '0'], '--at-once 0'],
    ['a folder that holds no run', ['judge', '/nowhere/at/all'], '/nowhere/at/all'],
    ['a comparison of one run with nothing', ['compare', sample], 'two runs are needed'],
    ['a comparison with no run', ['compare', '/nowhere', sample], '/nowhere holds no report.json'],
    ['a noise floor below nothing', ['compare', sample, sample, '--relative', '-1'], '--relative -1'],
    ['a history of no folder', ['history', '/nowhere'], 'there is no folder /nowhere'],
    ['a format that is none', ['report', '/nowhere', '--as', 'pdf'], 'pdf'],
  ]
  let refused: readonly Ended[] = []
  beforeAll(async () => {
    refused = await quotaspecEach(wrong.map(([, args, , given = env]) => ({ args, env: given })))
  })
  for (const [at, [what, , told]] of wrong.entries()) {
    it(`is 3 for ${what}, in a sentence that names it`, ({ expect }) => {
      const { code, stderr } = refused[at]
      expect(stderr).toContain(told)
      expect(stderr).not.toMatch(/^ +at /m)
      expect(code).toBe(3)
    })
  }

  it('is 3, in one sentence, where the machine lets it open too few files', async ({ expect }) => {
    const program = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url))
    // A key that is a word is looked for in files, which can't be opened either.
    const line = `ulimit -n 40; exec "$0" "${program}" run smoke --target http://127.0.0.1:1/v1 --key free=alice`
    const { status, stderr } = spawnSync('sh', ['-c', line, process.execPath], { encoding: 'utf8' })
    expect(stderr).toMatch(/^quotaspec: this process may not open enough files at once: .*ulimit -n 4096.*\n$/)
    expect(status).toBe(3)
  })

  it('is 0 for a run that is no worse than its baseline, and 1 for one that is', async ({ expect }) => {
    const worse = join(freshFolder(), 'report.json')
    const report = reportIn(sample)
    const clauses = report.clauses.map((clause) =>
      clause.verdict === 'pass' ? { ...clause, verdict: 'fail' } : clause,
    )
    writeFileSync(worse, JSON.stringify({ ...report, clauses }))
    const [same, regressed] = await quotaspecEach(
      [sample, worse].map((candidate) => ({ args: ['compare', sample, candidate] })),
    )
    expect([same.code, regressed.code]).toEqual([0, 1])
    expect(regressed.stdout).toContain('BASE-1')
  })

  it('is 4 where a check crashes: its clause is inconclusive, the others are judged', async ({ expect }) => {
    await whileServingHere(serve, async (target) => {
      const out = freshFolder()
      const { code } = await quotaspec(['run', 'smoke', '--target', target, ...scaled, '--out', out], {
        env,
        imports: [crashingCheck],
      })
      expect(code).toBe(4)
      expect(verdictOf(reportIn(out), 'SCHEMA-3')).toBe('inconclusive')
      expect(verdictOf(reportIn(out), 'SCHEMA-2')).toBe('pass')
    })
  })

  it('is 4, and not that of a failed target, where an error is caught by nobody', async ({ expect }) => {
    await whileServingHere(serve, async (target) => {
      const { code, stderr } = await quotaspec(
        ['run', 'smoke', '--target', target, ...scaled, '--out', freshFolder()],
        { env, imports: [uncaughtError] },
      )
      expect(stderr).toContain('nobody catches this')
      expect(code).toBe(4)
    })
  })

  it('is 130 after Ctrl-C in the middle of a change, with the stock put back and the report written', async ({
    expect,
  }) => {
    await whileServingHere(serve, async (origin) => {
      const headers = { Authorization: `Bearer ${secret}` }
      const stock = async () => (await fetch(`${origin}/inventory`, { headers })).text()
      const before = await stock()
      const out = freshFolder()
      const changes: string[] = []
      let running: ReturnType<typeof launch> | undefined
      // The first change that goes through is followed by Ctrl-C before its answer is handed on.
      const pass = async (method: string, path: string, given: Record<string, string>, body: Buffer) => {
        const answer = await fetch(`${origin}${path.slice('/v1'.length)}`, {
          method,
          headers: given,
          ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
        })
        if (method === 'PATCH' && answer.status === 200) {
          changes.push(await stock())
          if (changes.length === 1 && running) {
            running.child.kill('SIGINT')
            await running.untilWritten('stderr', 'stopping: ')
          }
        }
        return answer
      }
      await whileListening(
        async (request, response) => {
          const chunks: Buffer[] = []
          for await (const chunk of request) chunks.push(chunk)
          const { authorization = '', 'content-type': type = '' } = request.headers
          const given = { authorization, ...(type === '' ? {} : { 'content-type': type }) }
          const answer = await pass(request.method ?? '', request.url ?? '', given, Buffer.concat(chunks))
          response.writeHead(answer.status, Object.fromEntries(answer.headers))
          response.end(Buffer.from(await answer.arrayBuffer()))
        },
        async (target) => {
          running = launch(['run', 'conformance', '--target', target, ...scaled, '--out', out], { env })
          const { code } = await running.ended
          expect(code).toBe(130)
        },
      )
      expect(changes[0]).not.toBe(before)
      expect(await stock()).toBe(before)
      const report = reportIn(out)
      expect(report).toMatchObject({ restored: true, run: { exitCode: 130, interrupted: true } })
      expect(report.outcome).not.toBe('pass')
      expect(filesIn(out).has('report.html')).toBe(true)
    })
  })
})
