import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, it } from 'vitest'
import { startReferenceServer } from '../../reference-server/petstore-app.js'
import type { HeaderLine } from '../../src/evidence/exchange.js'
import type { Report } from '../../src/report/model.js'
import { freshFolder, launch, quotaspec, quotaspecInTurn } from '../cli/built-program.js'
import { startFront, whole } from './front.js'

const secret = 'resumed-day-Hg41Jk93Lp'
const env = { QUOTASPEC_KEY_ENTERPRISE: secret }
const quota = { minute: 30, day: 200 }

/** A minute of two seconds: the day is spent in fifteen. */
const timeScale = 30

const serve = (day = quota.day) =>
  startReferenceServer({ keys: [{ plan: 'enterprise', secret }], quotas: { enterprise: { ...quota, day } }, timeScale })

const flags = (target: string) => [
  '--target',
  target,
  '--quota',
  `enterprise=minute:${quota.minute},day:${quota.day}`,
  '--time-scale',
  String(timeScale),
]

const scenario = fileURLToPath(new URL('../../scenarios/keystone/day.yaml', import.meta.url))
const playing = (target: string, out: string) => ['run', scenario, ...flags(target), '--out', out]
const goingOn = (target: string, out: string) => ['run', scenario, ...flags(target), '--resume', out]

const rowsIn = (out: string): number => {
  const path = join(out, 'journal.jsonl')
  if (!existsSync(path)) return 0
  const rows = readFileSync(path, 'utf8').matchAll(/"type":"row","ledger":"([^"]*)".*?"row":(\d+)/g)
  return new Set(Array.from(rows, ([, ledger, row]) => `${ledger} ${row}`)).size
}

/** Plays a day until so many requests of it are out, and ends the process so. */
const stopAfter = async (target: string, out: string, rows: number, signal: 'SIGKILL' | 'SIGINT', args?: string[]) => {
  const { child, ended } = launch(args ?? playing(target, out), { env })
  for (let tries = 0; tries < 24_000 && rowsIn(out) < rows; tries += 1) await sleep(5)
  child.kill(signal)
  return ended
}

const reportIn = (out: string): Report => JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'))
const dayIn = (out: string) => reportIn(out).clauses.find(({ id }) => id === 'QUOTA-3')

/** More than a bucket of the day refills meanwhile. */
const tooMany = 6

/** A target that admits a few more each day than it says. */
const serveTooMany = async () => {
  const behind = await serve(quota.day + tooMany)
  const front = await startFront({
    behind: behind.url,
    act({ socket, healthy }) {
      const headers = healthy.headers.map(([name, value]): HeaderLine => {
        if (/-limit$/i.test(name)) return [name, value.replace(String(quota.day + tooMany), String(quota.day))]
        return [name, /-remaining$/i.test(name) ? String(Math.max(0, Number(value) - tooMany)) : value]
      })
      socket.write(whole({ ...healthy, headers }))
    },
  })
  return { url: `http://127.0.0.1:${front.port}/v1`, close: () => front.close().then(behind.close) }
}

describe('a run that spends a day and stops', { concurrent: true }, () => {
  it('killed, and killed again, goes on where it stopped, and all parts are judged as one day', async ({ expect }) => {
    const server = await serve()
    const out = freshFolder()
    // Between the bursts, which have more under way: of those the day could lose too many answers to be judged.
    await stopAfter(server.url, out, 60, 'SIGKILL')
    await stopAfter(server.url, out, 90, 'SIGKILL', goingOn(server.url, out))
    const { code, stderr } = await quotaspec(goingOn(server.url, out), { env })
    expect(stderr).toMatch(/continues where it stopped: \d+ requests of the day were sent before/)
    // A crowded machine has the minute refuse too; what comes of that is left open, and is nothing to the day.
    expect([0, 2]).toContain(code)
    expect(dayIn(out)?.verdict).toBe('pass')
    const { load, notes } = reportIn(out)
    expect(notes.filter(({ text }) => text.includes('continues where it stopped: '))).toHaveLength(2)
    // On top of the day comes what it refused, and the minute; a day that is begun anew would be twice of it.
    expect(load.reduce((sum, { sent }) => sum + sent, 0)).toBeLessThan(1.5 * quota.day)
    expect((await quotaspecInTurn(['judge', out])).code).toBe(code)
    expect(await quotaspecInTurn(goingOn(server.url, out), { env })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('that run is complete'),
    })
    expect(readFileSync(join(out, 'journal.jsonl'), 'utf8')).not.toContain(secret)
    await server.close()
  })

  it('interrupted in order, fails a day that admits too many only over both parts', async ({ expect }) => {
    const server = await serveTooMany()
    const out = freshFolder()
    expect((await stopAfter(server.url, out, 40, 'SIGINT')).code).toBe(130)
    expect(dayIn(out)?.verdict).toBe('inconclusive')
    expect((await quotaspec(goingOn(server.url, out), { env })).code).toBe(1)
    const { checks } = reportIn(out)
    expect(checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)).toEqual(['quota.day-limit'])
    await server.close()
  })
})
