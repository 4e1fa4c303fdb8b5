import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startReferenceServer } from '../../reference-server/petstore-app.js'
import { builtFile } from '../../src/run/package.js'

const secret = 'resumed-day-Hg41Jk93Lp'
const quota = { minute: 30, day: 200 }

/** A minute lasts 400 ms, so the day is spent in three seconds. */
const timeScale = 150

const rowsIn = (out: string): number =>
  existsSync(join(out, 'journal.jsonl'))
    ? readFileSync(join(out, 'journal.jsonl'), 'utf8').split('"type":"row"').length
    : 0

/** Runs the built program, and signals it after `rows` requests. Without a signal it runs to its end. */
const played = (args: readonly string[], out: string, signal?: NodeJS.Signals, rows = 0): Promise<void> =>
  new Promise((resolve, reject) => {
    const env = { PATH: process.env.PATH, QUOTASPEC_KEY_ENTERPRISE: secret }
    const child = spawn(process.execPath, [builtFile('src', 'cli', 'main.js'), ...args], { env, stdio: 'ignore' })
    let isOver = false
    child.once('error', reject)
    child.once('close', () => {
      isOver = true
      resolve()
    })
    const watch = async () => {
      while (!isOver && rowsIn(out) < rows) await sleep(5)
      if (signal) child.kill(signal)
    }
    watch().catch(reject)
  })

/** Plays a run that spends a day, ends it with these signals, and resumes it after each unless told otherwise. */
export const resumed = async (out: string, signals: readonly NodeJS.Signals[], isResumed = true): Promise<void> => {
  const keys = [{ plan: 'enterprise' as const, secret }]
  const server = await startReferenceServer({ keys, quotas: { enterprise: quota }, timeScale, port: 0 })
  const asked = `enterprise=minute:${quota.minute},day:${quota.day}`
  const flags = ['--target', server.url, '--quota', asked, '--time-scale', String(timeScale), '--seed', '1']
  const scenario = join('scenarios', 'keystone', 'day.yaml')
  try {
    for (const [index, signal] of signals.entries()) {
      const to = index === 0 ? ['--out', out] : ['--resume', out]
      await played(['run', scenario, ...flags, ...to], out, signal, 60 + 30 * index)
    }
    if (isResumed) await played(['run', scenario, ...flags, '--resume', out], out)
  } finally {
    await server.close()
  }
}
