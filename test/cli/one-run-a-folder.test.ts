import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, it } from 'vitest'
import { filesIn, freshFolder, launch, quotaspec, quotaspecInTurn, whileServingHere } from './built-program.js'
import { whileListening } from './listening.js'

const secret = 'one-folder-Hj34Kl56Qw78'
const env = { QUOTASPEC_KEY_FREE: secret }
const scaled = ['--time-scale', '100']
const serve = [...scaled, '--key', `free=${secret}`]

const runs = (target: string, out: string, scenario = 'smoke') => [
  'run',
  scenario,
  '--target',
  target,
  ...scaled,
  '--out',
  out,
]

const journalOf = (out: string): string => join(out, 'journal.jsonl')
const idsIn = (out: string): string[] =>
  readFileSync(journalOf(out), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{"type":"run"'))
    .map((line) => JSON.parse(line).id)

const hasBegun = async (out: string): Promise<void> => {
  for (let tries = 0; tries < 2_000 && !existsSync(journalOf(out)); tries += 1) await sleep(5)
}

/** Has a run go on in a folder for as long as it takes: its target has not answered yet. */
const whileRunning = (use: (out: string, target: string, pid: number) => Promise<void>): Promise<void> =>
  whileListening(
    () => {},
    async (target) => {
      const out = freshFolder()
      const { child, ended } = launch([...runs(target, out), '--head-timeout', '60'], { env })
      try {
        await hasBegun(out)
        await use(out, target, child.pid ?? 0)
      } finally {
        child.kill('SIGKILL')
        await ended
      }
    },
  )

/** Where the earlier run went, as it was said. */
const keptAt = (stderr: string): string => /the earlier run is kept: (\S+)/.exec(stderr)?.[1] ?? ''

describe('a folder for what a run writes', { concurrent: true }, () => {
  it('is one run’s at a time: of two at once one ends with 3, and the other’s evidence is its own', async ({
    expect,
  }) => {
    await whileRunning(async (out, target, pid) => {
      const before = readFileSync(journalOf(out), 'utf8')
      const second = await quotaspecInTurn(runs(target, out), { env })
      expect(second.code).toBe(3)
      expect(second.stderr).toContain(`--out ${out} is in use: a run is writing there (process ${pid}, since`)
      expect(second.stderr).toContain(`such as --out ${out}-2`)
      expect(readFileSync(journalOf(out), 'utf8')).toContain(before)
      expect(idsIn(out)).toHaveLength(1)
    })
    await whileServingHere(serve, async (target) => {
      const out = freshFolder()
      const both = await Promise.all([quotaspec(runs(target, out), { env }), quotaspec(runs(target, out), { env })])
      // The later one may also have found the folder free again.
      expect(both.map(({ code }) => code)).toContain(0)
      for (const { code, stderr } of both) expect(code === 0 || stderr.includes(`--out ${out} is in use`)).toBe(true)
      expect(idsIn(out)).toHaveLength(1)
      expect([...filesIn(out).keys()].filter((name) => name.includes('.lock'))).toEqual([])
    })
  })

  it('is free again where its run was killed, and keeps that run readable beside the next one', async ({ expect }) => {
    await whileServingHere(serve, async (target) => {
      const out = freshFolder()
      await quotaspecInTurn(runs(target, out), { env })
      const [first] = idsIn(out)
      const { child, ended } = launch(runs(target, out, 'conformance'), { env })
      const itsOwn = () => idsInOrNone(out).find((id) => id !== first)
      for (let tries = 0; tries < 6_000 && itsOwn() === undefined; tries += 1) await sleep(5)
      child.kill('SIGKILL')
      const killed = await ended
      expect(existsSync(join(keptAt(killed.stderr), 'report.html'))).toBe(true)
      const [second] = idsIn(out)
      const third = await quotaspecInTurn(runs(target, out), { env })
      expect(third.code).toBe(0)
      expect(third.stderr).toContain('(one of 2 there; delete those that you no longer need)')
      expect([idsIn(keptAt(killed.stderr)), idsIn(keptAt(third.stderr))]).toEqual([[first], [second]])
      expect((await quotaspecInTurn(['judge', keptAt(third.stderr)])).code).not.toBe(0)
      expect((await quotaspecInTurn(['compare', keptAt(killed.stderr), out])).code).toBe(0)
      expect((await quotaspecInTurn(['history', out])).stdout).toContain('3 runs')
    })
  })

  it('has to be there to be restored', async ({ expect }) => {
    expect(await quotaspecInTurn(['restore', 'no-such-run'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('no-such-run: there is no such folder'),
    })
  })

  it('is not gone on with, and not restored, while its run still lives; judging it writes nothing', async ({
    expect,
  }) => {
    await whileRunning(async (out, target) => {
      const resumed = await quotaspecInTurn(['run', 'smoke', '--target', target, ...scaled, '--resume', out], { env })
      expect(resumed).toMatchObject({
        code: 3,
        stderr: expect.stringContaining('only a run that has stopped can be resumed'),
      })
      const restored = await quotaspecInTurn(['restore', out, '--target', target], { env })
      expect(restored).toMatchObject({
        code: 3,
        stderr: expect.stringContaining(`restore ${out} is in use`),
      })
      const judged = await quotaspecInTurn(['judge', out])
      expect(judged.stderr).toContain('without writing a report')
      expect(judged.code).not.toBe(3)
      expect(existsSync(join(out, 'report.json'))).toBe(false)
    })
  })

  it('is one audit’s at a time as well, and keeps the audit before', async ({ expect }) => {
    const out = freshFolder()
    const audit = (...command: readonly string[]) => ['client', '--case', 'absent', '--out', out, '--', ...command]
    const { child, ended } = launch(audit(process.execPath, '-e', 'setInterval(() => {}, 1e6)'))
    for (let tries = 0; tries < 2_000 && !existsSync(join(out, 'arrivals.jsonl')); tries += 1) await sleep(5)
    const second = await quotaspecInTurn(audit('true'))
    expect(second).toMatchObject({ code: 3, stderr: expect.stringContaining('an audit of a client is writing there') })
    child.kill('SIGINT')
    await ended
    const third = await quotaspec(audit('true'))
    expect(existsSync(join(keptAt(third.stderr), 'arrivals.jsonl'))).toBe(true)
  })
})

/** Between two runs there is none. */
function idsInOrNone(out: string): string[] {
  return existsSync(journalOf(out)) ? idsIn(out) : []
}
