import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RunningServer } from '../../reference-server/http/listening.js'
import { startReferenceServer } from '../../reference-server/petstore-app.js'
import { executeRun } from '../../src/assembly/build-report.js'
import { confirmLoad, keyWarnings } from '../../src/cli/commands/run.js'
import type { Terminal } from '../../src/cli/output/dialogue.js'
import { UsageError } from '../../src/kit/usage-error.js'
import type { Report } from '../../src/report/model.js'
import { prepareRun } from '../../src/run/options/prepare-run.js'
import { programSource, settleOptions } from '../../src/run/options/settle-options.js'
import { type Front, startFront, type Turn, whole } from './front.js'

const secret = 'no-harm-Gh45Jk78Lm12'
const timeScale = 60

let folder = ''
let behind: RunningServer
const fronts: Front[] = []

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quotaspec-harm-'))
  behind = await startReferenceServer({ keys: [{ plan: 'free', secret }], timeScale, port: 0 })
})
afterEach(async () => {
  for (const front of fronts.splice(0)) await front.close()
  await behind.close()
  rmSync(folder, { recursive: true, force: true })
})

const front = async (act: (turn: Turn) => void): Promise<Front> => {
  const started = await startFront({ behind: behind.url, act })
  fronts.push(started)
  return started
}

const healthy = ({ socket, healthy: answer }: Turn): void => void socket.write(whole(answer))

const scenario = (...lines: readonly string[]): string => {
  const path = join(folder, 'scenario.yaml')
  writeFileSync(path, ['name: harm', 'description: none', ...lines, ''].join('\n'))
  return path
}
const loads = ['probes:', '  - probe: hello', '  - probe: burst', '    connections: 10']

const prepare = (scenario: string, target: string, more: object = {}) => {
  const usual = { keys: { free: secret }, timeScale, out: join(folder, 'out'), readOnly: true, seed: 1 }
  return prepareRun(settleOptions([programSource({ target, scenario, ...usual, ...more })]), {})
}

const play = async (
  file: string,
  target: string,
  { resolve, more = {} }: { resolve?: Parameters<typeof executeRun>[1]['resolve']; more?: object } = {},
): Promise<Report> => {
  const { report } = await executeRun(prepare(file, target, more), {
    out: join(folder, 'out'),
    interrupt: new AbortController().signal,
    watch: () => {},
    resolve,
  })
  return report
}

const at = ({ port }: Front, host = '127.0.0.1') => `http://${host}:${port}/v1`
const notesOf = ({ notes }: Report) => notes.map(({ text }) => text).join('\n')

describe('a target that loses what clients send', () => {
  it.each<readonly [string, (turn: Turn) => void]>([
    ['by resets', ({ socket }) => void socket.resetAndDestroy()],
    ['by closing', ({ socket }) => void socket.end()],
    ['by HTTP/0.9', ({ socket }) => void socket.end('[]\n')],
    [
      'by a head that never ends',
      ({ socket }) => void socket.write(`HTTP/1.1 200 OK\r\n${'X-More: 1\r\n'.repeat(9_000)}`),
    ],
  ])('has a probe end that has used its requests up, never the run (%s)', async (_, lose) => {
    const losing = await front((turn) => (turn.nth < 12 ? healthy(turn) : lose(turn)))
    const lines = ['probes:', '  - probe: hello', '  - probe: compliant-clients', '    clients: 10']
    const report = await play(scenario(...lines), at(losing))
    expect([report.outcome, report.run.exitCode]).toEqual(['inconclusive', 2])
    expect(report.checks.find(({ id }) => id === 'throttle.compliant-not-banned')?.verdict).toBe('inconclusive')
  })
})

describe('a redirect', () => {
  it('is never followed, by single requests or by load: the other host hears nothing', async () => {
    const trap = await front(healthy)
    const redirecting = await front(({ socket, healthy: answer, path, nth }) => {
      const moved = { ...answer, status: 307, reason: 'Temporary Redirect' }
      socket.write(nth < 2 ? whole(answer) : whole(moved, ['Location', `http://127.0.0.1:${trap.port}${path}`]))
    })
    const report = await play(scenario(...loads), at(redirecting))
    expect(report.load.length).toBeGreaterThan(0)
    expect(report.outcome).not.toBe('pass')
    expect(trap.arrived()).toBe(0)
  })
})

describe('the address of the target', () => {
  it('is asked for once and kept, for single requests and for load', async () => {
    const here = await front(healthy)
    let asked = 0
    const resolve = async () => {
      asked += 1
      return [{ address: asked === 1 ? '127.0.0.1' : '127.0.0.9', family: 4 }]
    }
    const report = await play(scenario(...loads), at(here, 'target.test'), { resolve, more: { allowLoad: true } })
    expect(asked).toBe(1)
    expect(report.load[0]).toMatchObject({ errors: 0, lost: 0 })
    expect(notesOf(report)).toContain('this machine resolved target.test once, to 127.0.0.1')
  })

  it('of another machine gets no load without leave, whatever its name', async () => {
    const here = await front(healthy)
    const named = await play(scenario(...loads), at(here, 'target.test'), {
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    })
    expect(named.load).toEqual([])
    const stolen = await play(scenario(...loads), `http://localhost:9/v1`, {
      resolve: async () => [{ address: '192.0.2.1', family: 4 }],
      more: { timeouts: { connect: 0.05 } },
    })
    expect(stolen.load).toEqual([])
  })
})

describe('the ceilings of a scenario', () => {
  it('refuse a run that could send more in all, before anything is sent', async () => {
    const here = await front(healthy)
    const file = scenario('limits:', '  mostRequests: 50', ...loads)
    expect(() => prepare(file, at(here))).toThrow(/limits\.mostRequests is 50, and with these keys .* send \d+/)
    expect(here.arrived()).toBe(0)
  })

  it('hold back single requests and load alike', async () => {
    const arrivals: number[] = []
    const here = await front((turn) => {
      arrivals.push(performance.now())
      healthy(turn)
    })
    const file = scenario('limits:', '  mostRequestsPerSecond: 50', ...loads, '    overshoot: 1.1')
    await play(file, at(here))
    const inAnySecond = arrivals.map((from) => arrivals.filter((each) => each >= from && each < from + 1_000).length)
    expect(arrivals.length).toBeGreaterThan(60)
    // One may have been on its way for longer than another.
    expect(Math.max(...inAnySecond)).toBeLessThanOrEqual(55)
  })

  it('stop a load where too many answers are 5xx, and put no other on the target', async () => {
    const here = await front(({ socket, healthy: answer, nth }) => {
      socket.write(whole(nth < 2 ? answer : { ...answer, status: 500, reason: 'Internal Server Error' }))
    })
    // More than a burst ever has under way at once, as it does where answers are slow on a busy machine.
    const file = scenario(...loads, '    overshoot: 10', '  - probe: split')
    const report = await play(file, at(here))
    expect(report.load).toHaveLength(1)
    expect(report.load[0].sent).toBeLessThan(report.load[0].planned)
    expect(notesOf(report)).toMatch(/burst-free: \d+ of its first \d+ answers were 5xx/)
    expect(report.outcome).not.toBe('pass')
  })
})

describe('load on another machine', () => {
  const terminal = (answer: string | null): Terminal & { said: string[] } => {
    const said: string[] = []
    return {
      said,
      isTTY: answer !== null,
      say: (text) => void said.push(text),
      ask: async () => answer ?? '',
    }
  }
  const prepared = (target: string, ...lines: readonly string[]) =>
    prepare(scenario(...lines, ...loads), target, { allowLoad: true })

  it.each([
    ['yes', true],
    ['Y', true],
    ['no', false],
    ['', false],
    ['yes please', false],
  ])('is put there after the answer %j: %s', async (answer, goes) => {
    const asked = terminal(answer)
    const confirmed = confirmLoad(prepared('https://staging.test/v1'), false, asked)
    if (goes) await expect(confirmed).resolves.toBeUndefined()
    else await expect(confirmed).rejects.toThrow('nothing was sent')
    expect(asked.said.join()).toMatch(/^load on https:\/\/staging\.test\/v1: up to \d+ requests in all, as fast as/)
  })

  it('is not put there where whoever is asked leaves', async () => {
    const left = { ...terminal('yes'), ask: () => Promise.reject(new DOMException('left', 'AbortError')) }
    await expect(confirmLoad(prepared('https://staging.test/v1'), false, left)).rejects.toThrow('nothing was sent')
  })

  it('needs --yes where nobody can be asked', async () => {
    const nobody = terminal(null)
    const run = prepared('https://staging.test/v1', 'limits:', '  mostRequestsPerSecond: 20')
    await expect(confirmLoad(run, false, nobody)).rejects.toThrow(UsageError)
    await expect(confirmLoad(run, true, nobody)).resolves.toBeUndefined()
    expect(nobody.said[0]).toMatch(/at most 20 a second$/)
  })

  it('is not asked about where there is none, or where it stays on this machine', async () => {
    const nobody = terminal(null)
    await confirmLoad(prepared('http://127.0.0.1:1/v1'), false, nobody)
    const staging = 'https://staging.test/v1'
    await confirmLoad(prepare(scenario(...loads), staging), false, nobody)
    await confirmLoad(prepare('smoke', staging, { allowLoad: true }), false, nobody)
    expect(nobody.said).toEqual([])
  })
})

describe('who can see the keys', () => {
  it('is said of a command line, and of a file that others can read', () => {
    const path = join(folder, 'keys')
    writeFileSync(path, 'free=abcdefgh', { mode: 0o644 })
    expect(keyWarnings({ keys: [], keyFile: path })).toEqual([
      `${path} can be read by other users of this machine: chmod 600 ${path}`,
    ])
    writeFileSync(join(folder, 'own'), readFileSync(path), { mode: 0o600 })
    expect(keyWarnings({ keys: [], keyFile: join(folder, 'own') })).toEqual([])
    expect(keyWarnings({ keys: [{ name: 'free', secret: 'abcdefgh' }] })).toHaveLength(1)
  })
})
