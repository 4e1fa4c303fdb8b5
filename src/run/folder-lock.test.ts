import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { UsageError } from '../kit/usage-error.js'
import { thisProcess } from './machine.js'
import { inUseBy, lockFolder, unwatched } from './run-folder.js'

type ProcessIdentity = ReturnType<typeof thisProcess>

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quotaspec-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const lock = () => lockFolder(folder, 'run', (who) => `in use: ${who}`, unwatched)

/** A claim that somebody else has left, so many seconds ago. */
const claimOf = (by: Partial<ProcessIdentity>, agoS = 0, token = '0123456789abcdef'): void => {
  const path = join(folder, `in-use-${token}.lock`)
  const claim = { what: 'run', since: '2026-01-01T00:00:00.000Z', by: { ...thisProcess(), ...by } }
  writeFileSync(path, JSON.stringify(claim))
  const at = Date.now() / 1000 - agoS
  utimesSync(path, at, at)
}

/** The number of a process that has just ended. */
const endedPid = (): number => spawnSync(process.execPath, ['-e', '']).pid

describe('a folder', () => {
  it('is taken, refused to everybody else with who has it, and free again once it is let go', async () => {
    const held = await lock()
    await expect(lock()).rejects.toThrow(UsageError)
    await expect(lock()).rejects.toThrow(new RegExp(`in use: a run is writing there \\(process ${process.pid}, since`))
    expect(inUseBy(folder)).toContain(`process ${process.pid}`)
    held.release()
    expect(inUseBy(folder)).toBeUndefined()
    expect(readdirSync(folder)).toEqual([])
    ;(await lock()).release()
  })

  it('is had by one at most of many that want it at once', async () => {
    const all = await Promise.allSettled(Array.from({ length: 6 }, lock))
    const held = all.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    expect(held.length).toBeLessThanOrEqual(1)
    for (const each of held) each.release()
    ;(await lock()).release()
    expect(readdirSync(folder)).toEqual([])
  })

  it.each([
    ['a process that has ended', () => claimOf({ pid: endedPid() })],
    ['a process whose number another one has by now', () => claimOf({ bornAt: '1' })],
    ['another machine that was not heard of for a minute', () => claimOf({ machine: 'elsewhere' }, 60)],
    [
      'nobody that can be read, a minute ago',
      () => {
        const path = join(folder, 'in-use-0123456789abcdef.lock')
        writeFileSync(path, '{')
        utimesSync(path, Date.now() / 1000 - 60, Date.now() / 1000 - 60)
      },
    ],
  ])('is free where the lock is of %s, and that lock is gone', async (_, leave) => {
    leave()
    expect(inUseBy(folder)).toBeUndefined()
    const held = await lock()
    expect(readdirSync(folder)).toHaveLength(1)
    held.release()
    expect(readdirSync(folder)).toEqual([])
  })

  it.each([
    ['another machine or container, which can not be seen', { machine: 'elsewhere', host: 'elsewhere', pid: 4711 }],
    ['a process that does not say when it was started', { bornAt: null }],
  ])('is in use where the lock is of %s and was just written', async (_, by) => {
    claimOf(by, 3)
    await expect(lock()).rejects.toThrow(/if that was killed, the folder is free in 2\d s/)
    expect(readdirSync(folder)).toEqual(['in-use-0123456789abcdef.lock'])
  })

  // A process that was killed, and that nobody has asked after, is still listed.
  it.runIf(process.platform === 'linux')('is free where its owner was killed and not yet buried', async () => {
    const script = `require('node:child_process').spawn(process.execPath,['-e','setInterval(()=>{},1e6)'],{stdio:'ignore'}).on('spawn',function(){process.stdout.write(this.pid+"\\n",()=>{for(;;);})})`
    const parent = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] })
    const [line] = (await once(parent.stdout, 'data')) as [Buffer]
    const pid = Number(line.toString())
    process.kill(pid, 'SIGKILL')
    claimOf({ pid, bornAt: null })
    try {
      await expect.poll(() => inUseBy(folder), { timeout: 30_000 }).toBeUndefined()
    } finally {
      parent.kill('SIGKILL')
    }
  })

  it('that is none is in use by nobody', () => {
    expect(inUseBy(join(folder, 'none'))).toBeUndefined()
    mkdirSync(join(folder, 'in-use-none.lock'))
    expect(inUseBy(folder)).toBeUndefined()
  })
})
