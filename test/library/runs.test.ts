import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { judge, type Report, type RunEvent, type RunOptions, readRun, run } from '../../src/library/index.js'
import { type ReferenceServerOptions, startReferenceServer } from '../../src/library/reference-server.js'
import { freshFolder, quotaspecInTurn } from '../cli/built-program.js'

const keys = { free: 'a-free-key' }

/** What somebody asks of a server of his own. */
const against = async <T>(
  options: Partial<ReferenceServerOptions>,
  use: (options: RunOptions) => Promise<T>,
): Promise<T> => {
  const timeScale = 20
  const server = await startReferenceServer({ keys, timeScale, ...options })
  try {
    return await use({ target: server.url, keys, timeScale, seed: 7, scenario: 'smoke' })
  } finally {
    await server.close()
  }
}

/** A report without what no two runs have in common: times, ids, ports. */
const essence = ({
  outcome,
  headline,
  clauses,
  checks,
  gates,
  restored,
  spending,
  run: { exitCode, scenario, seed },
}: Report) => ({
  outcome,
  headline,
  clauses: clauses.map(({ id, verdict }) => ({ id, verdict })),
  checks: checks.map(({ id, verdict, code }) => ({ id, verdict, code })),
  gates,
  restored,
  spending,
  exitCode,
  scenario,
  seed,
})

const saved = (folder: string): Report => JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))

describe('a run of the library', () => {
  it.each([
    ['conforms', []],
    ['does not', ['error-status-mismatch']],
  ])('gives the report that the command gives, of a target that %s', async (_name, faults) => {
    const folder = freshFolder()
    const byCommand = await against({ faults }, async ({ target }) => {
      const flags = [
        '--target',
        target,
        '--key',
        'free=a-free-key',
        '--time-scale',
        '20',
        '--seed',
        '7',
        '--out',
        folder,
      ]
      const { code } = await quotaspecInTurn(['run', 'smoke', ...flags])
      expect(code).toBe(faults.length > 0 ? 1 : 0)
      return saved(folder)
    })
    const byLibrary = await against({ faults }, run)
    expect(essence(byLibrary)).toEqual(essence(byCommand))
  })

  it('leaves in its folder what judge reads, and judges it as the command does', async () => {
    const out = freshFolder()
    const report = await against({}, (options) => run({ ...options, out }))
    expect(saved(out)).toEqual(report)
    const again = readRun(out)
    expect(again.unreadable).toEqual([])
    const judged = judge(again)
    expect(judged).toEqual(report)
    await quotaspecInTurn(['judge', out])
    expect(saved(out)).toEqual(judged)
    expect(readdirSync(out).filter((name) => name.endsWith('.lock'))).toEqual([])
  })

  it('keeps the earlier run of its folder beside, and says so', async () => {
    const out = freshFolder()
    const events: RunEvent[] = []
    const first = await against({}, (options) => run({ ...options, out }))
    await against({}, (options) => run({ ...options, out, onEvent: (event) => events.push(event) }))
    const [kept = ''] = events.flatMap((event) =>
      event.kind === 'note' && event.text.includes('kept') ? event.text : [],
    )
    expect(saved(join(out, 'earlier', readdirSync(join(out, 'earlier'))[0])).run.id).toBe(first.run.id)
    expect(kept).toContain(join(out, 'earlier'))
  })

  it('that is aborted ends in order, and reports what was done', async () => {
    const abort = new AbortController()
    const report = await against({}, (options) =>
      run({
        ...options,
        scenario: 'conformance',
        signal: abort.signal,
        onEvent: ({ kind }) => kind === 'sent' && abort.abort(),
      }),
    )
    expect(report.run).toMatchObject({ interrupted: true, exitCode: 130 })
    expect(report.restored).toBe(true)
    expect(report.headline).toContain('interrupted')
  })

  it('tells what happens, and is ended by an error of whoever listens', async () => {
    const kinds = new Set<string>()
    const broken = new Error('the listener broke')
    const ended = against({}, (options) =>
      run({
        ...options,
        onEvent: ({ kind }) => {
          kinds.add(kind)
          if (kind === 'sent') throw broken
        },
      }),
    )
    await expect(ended).rejects.toBe(broken)
    expect([...kinds]).toEqual(expect.arrayContaining(['probe', 'sent']))
  })

  it('holds its own gates in place of those of the scenario', async () => {
    const report = await against({}, (options) => run({ ...options, gates: { 'latencyMs.admitted.p99': 1 } }))
    expect(report.gates).toContainEqual(expect.objectContaining({ id: 'latencyMs.admitted.p99', limit: '1 ms' }))
  })

  it('finds a target that nobody serves inconclusive', async () => {
    const report = await run({ target: 'http://127.0.0.1:9/v1', keys, scenario: 'smoke' })
    expect(report).toMatchObject({ outcome: 'inconclusive', run: { exitCode: 2 } })
  })
})
