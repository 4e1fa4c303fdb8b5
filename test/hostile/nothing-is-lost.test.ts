import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, it } from 'vitest'
import type { RunningServer } from '../../reference-server/http/listening.js'
import { startReferenceServer } from '../../reference-server/petstore-app.js'
import { reportOf } from '../../src/assembly/build-report.js'
import { unfinishedIn } from '../../src/evidence/unfinished.js'
import { seededRandom } from '../../src/kit/random.js'
import { sideBySide } from '../../src/kit/side-by-side.js'
import { settleEarlierRun } from '../../src/run/earlier-run.js'
import { givenKeys } from '../../src/run/options/keys.js'
import { savedEvidence } from '../../src/run/run-folder.js'
import { freshFolder, launch, quotaspec, quotaspecInTurn } from '../cli/built-program.js'
import { startFront, whole } from './front.js'

const secret = 'nothing-lost-Vb56Nm12Xy90'
const env = { QUOTASPEC_KEY_PRO: secret }
const timeScale = '60'

const serve = (): Promise<RunningServer> =>
  startReferenceServer({ keys: [{ plan: 'pro', secret }], timeScale: Number(timeScale), port: 0 })

const stockOf = async ({ url }: RunningServer): Promise<string> =>
  (await fetch(`${url}/inventory`, { headers: { Authorization: `Bearer ${secret}` } })).text()

const runArguments = (target: string, out: string, scenario = 'conformance') =>
  ['run', scenario, '--target', target, '--time-scale', timeScale, '--out', out, '--seed', '3'] as const

const until = async (met: () => boolean): Promise<void> => {
  for (let tries = 0; tries < 2_000 && !met(); tries += 1) await sleep(5)
}

const journalOf = (out: string): string => join(out, 'journal.jsonl')
const hasBegun = (out: string): boolean => existsSync(journalOf(out)) && statSync(journalOf(out)).size > 0
const hasTouched = (out: string): boolean =>
  existsSync(journalOf(out)) && readFileSync(journalOf(out), 'utf8').includes('"type":"touched"')

const settle = (out: string, target: string, say: (text: string) => void = () => {}) =>
  settleEarlierRun({
    folder: out,
    baseUrl: target,
    keys: givenKeys([{ name: 'pro', secret }], {}, undefined),
    safety: { limits: {}, tls: {} },
    signal: new AbortController().signal,
    say,
    readOnly: false,
  })

const leaksIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(secret))
    .map((entry) => entry.name)

/** Kills a run so long after it began, and gives what the next run finds and leaves. */
const killAfter = async (ms: number) => {
  const server = await serve()
  const out = freshFolder()
  try {
    const before = await stockOf(server)
    const { child, ended } = launch(runArguments(server.url, out), { env })
    await until(() => hasBegun(out))
    await sleep(ms)
    child.kill('SIGKILL')
    await ended
    const evidence = savedEvidence(out, () => {})
    const report = reportOf(evidence)
    const wasChanged = (await stockOf(server)) !== before
    await settle(out, server.url)
    return {
      report,
      wasChanged,
      isRestored: (await stockOf(server)) === before,
      left: unfinishedIn(out),
      leaks: leaksIn(out),
    }
  } finally {
    await server.close()
    rmSync(out, { recursive: true, force: true })
  }
}

/** `QUOTASPEC_KILLS=200` asks for more. */
const kills = Number(process.env.QUOTASPEC_KILLS ?? 8)

describe('a run that is killed', () => {
  it(`at any moment can be read, leaks nothing, and is put back by the next one (${kills} kills)`, {
    timeout: 900_000,
  }, async ({ expect }) => {
    const random = seededRandom(20_261_121)
    const moments = Array.from({ length: kills }, () => random.int(0, 900))
    const killed = await sideBySide(moments, 4, killAfter)
    for (const { report, isRestored, left, leaks } of killed) {
      expect(report.outcome === 'pass' && report.run.exitCode === 0 && report.run.interrupted).toBe(false)
      expect(isRestored).toBe(true)
      expect(left).toBeUndefined()
      expect(leaks).toEqual([])
    }
    // Else nothing was put to the test.
    expect(killed.filter(({ report }) => report.run.interrupted).length).toBeGreaterThan(0)
  })
})

/** A module that is loaded before the program: from the n-th write on, the disk is full. */
const fullDisk = (writes: number) =>
  `data:text/javascript,${encodeURIComponent(`
  import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  const full = () => { throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }) }
  const { writeSync, writeFileSync } = fs
  let writes = 0
  fs.writeSync = (...args) => { writes += 1; return writes > ${writes} ? full() : writeSync(...args) }
  fs.writeFileSync = (...args) => writes > ${writes} ? full() : writeFileSync(...args)
  syncBuiltinESMExports()
`)}`

describe('a folder', { concurrent: true }, () => {
  it('that can not be written is told before anything is sent', async ({ expect }) => {
    const file = join(freshFolder(), 'a-file')
    writeFileSync(file, '')
    const inFile = await quotaspecInTurn(runArguments('http://127.0.0.1:1/v1', join(file, 'out')), { env })
    expect(inFile).toMatchObject({ code: 3, stderr: expect.stringMatching(/--out .*can't be written/) })
    const full = await quotaspec(runArguments('http://127.0.0.1:1/v1', freshFolder()), { env, imports: [fullDisk(0)] })
    expect(full).toMatchObject({ code: 3, stderr: expect.stringContaining('ENOSPC') })
  })

  it('on a disk that fills up ends the run in order: told, the inventory put back, the summary printed', async ({
    expect,
  }) => {
    const server = await serve()
    const before = await stockOf(server)
    const ended = await quotaspec(runArguments(server.url, freshFolder()), { env, imports: [fullDisk(60)] })
    expect(ended.code).toBe(4)
    expect(ended.stderr).toContain('the journal could not be written any more, so the run was ended: ENOSPC')
    expect(ended.stderr).toContain("the reports can't be written: ENOSPC")
    expect(ended.stdout).toContain('inventory')
    expect(await stockOf(server)).toBe(before)
    await server.close()
  })

  it('that is removed while the run goes on is told, and the inventory put back', async ({ expect }) => {
    const server = await serve()
    const before = await stockOf(server)
    const out = freshFolder()
    const { ended } = launch(runArguments(server.url, out), { env })
    await until(() => hasTouched(out))
    rmSync(out, { recursive: true, force: true })
    const { code, stderr } = await ended
    expect(code).toBe(4)
    expect(stderr).toContain('was removed during the run')
    expect(await stockOf(server)).toBe(before)
    await server.close()
  })
})

/** A target that takes one change, and is silent from then on. */
const silentAfterChange = async (behind: RunningServer) => {
  let changed = false
  return startFront({
    behind: behind.url,
    act({ socket, healthy, method }) {
      if (changed) return
      changed = method === 'PATCH'
      socket.write(whole(healthy))
    },
  })
}

describe('a run that is stopped', { concurrent: true }, () => {
  it('twice ends at once, and says what it leaves changed and how to put it back', async ({ expect }) => {
    const server = await serve()
    const front = await silentAfterChange(server)
    const out = freshFolder()
    const target = `http://127.0.0.1:${front.port}/v1`
    const { child, ended, untilWritten } = launch(runArguments(target, out, 'smoke'), { env })
    await until(() => hasTouched(out) && unfinishedIn(out) !== undefined && front.arrived() > 4)
    child.kill('SIGINT')
    await untilWritten('stderr', 'stopping: ')
    child.kill('SIGTERM')
    const { code, stderr } = await ended
    expect(code).toBe(130)
    const [{ petId, quantity } = { petId: '', quantity: '' }] = unfinishedIn(out)?.pets ?? []
    expect(stderr).toContain(`pet ${petId} had the quantity ${quantity}`)
    expect(stderr).toContain(`main.js restore ${out} --target ${target}`)
    await front.close()
    await server.close()
  })

  it('by SIGTERM ends in order, with its report and exit 130', async ({ expect }) => {
    const server = await serve()
    const before = await stockOf(server)
    const out = freshFolder()
    const { child, ended } = launch(runArguments(server.url, out), { env })
    await until(() => hasTouched(out))
    child.kill('SIGTERM')
    const { code } = await ended
    expect(code).toBe(130)
    expect(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'))).toMatchObject({
      restored: true,
      run: { exitCode: 130, interrupted: true },
    })
    expect(await stockOf(server)).toBe(before)
    await server.close()
  })
})

/** A folder in which a run was killed after a change; its server goes on. */
const killedInChange = async () => {
  const server = await serve()
  const before = await stockOf(server)
  const front = await silentAfterChange(server)
  const out = freshFolder()
  const { child, ended } = launch(runArguments(`http://127.0.0.1:${front.port}/v1`, out, 'smoke'), { env })
  await until(() => front.arrived() > 4)
  child.kill('SIGKILL')
  await ended
  await front.close()
  // The same target again, in good health.
  const journal = readFileSync(journalOf(out), 'utf8').replaceAll(`:${front.port}/`, `:${new URL(server.url).port}/`)
  writeFileSync(journalOf(out), journal)
  return { server, out, before }
}

describe('what a killed run left changed', { concurrent: true }, () => {
  it('is put back by quotaspec restore, once', async ({ expect }) => {
    const { server, out, before } = await killedInChange()
    expect(await stockOf(server)).not.toBe(before)
    const restored = await quotaspecInTurn(['restore', out, '--target', server.url], { env })
    expect(restored).toMatchObject({ code: 0, stderr: expect.stringContaining('put back: 1 of 1') })
    expect(await stockOf(server)).toBe(before)
    const again = await quotaspecInTurn(['restore', out, '--target', server.url], { env })
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('nothing is left to put back') })
    await server.close()
  })

  it('is put back by the next run into the same folder, before it begins', async ({ expect }) => {
    const { server, out, before } = await killedInChange()
    const { code, stderr } = await quotaspecInTurn(runArguments(server.url, out, 'smoke'), { env })
    expect(stderr).toContain('an earlier run left 1 pet changed; they are put back first')
    expect(code).toBe(0)
    expect(await stockOf(server)).toBe(before)
    await server.close()
  })

  it('is kept where the next run is for another target, and where the keys would go is never read from a file', async ({
    expect,
  }) => {
    const { server, out } = await killedInChange()
    const said: string[] = []
    await settle(out, 'http://127.0.0.1:9/v1', (text) => said.push(text))
    const [, command] = said
    const aside = / restore (\S+)/.exec(command)?.[1] ?? ''
    expect(unfinishedIn(aside)?.pets).toHaveLength(1)
    expect(await quotaspecInTurn(['restore', aside], { env })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('--target is missing'),
    })
    expect(await quotaspecInTurn(['restore', aside, '--target', 'http://127.0.0.1:9/v1'], { env })).toMatchObject({
      code: 3,
    })
    expect((await quotaspecInTurn(['restore', aside, '--target', server.url], { env })).code).toBe(0)
    await server.close()
  })
})
