import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { listening, type RunningServer } from '../../reference-server/http/listening.js'
import { buildApp } from '../../reference-server/petstore-app.js'
import { type RedisServer, redisIsMissing, startRedis } from '../../reference-server/testing/redis-server.js'
import type { Report } from '../../src/report/model.js'
import { type Launched, launch } from '../cli/built-program.js'

/** A window of 6 s: on a busy machine three agents begin within one of them all the same. */
const timeScale = 10
const password = 'redis-Pw9Zx8Yw7'
const secret = 'agents-free-Lk5Jh6Gf7'

const folder = mkdtempSync(join(tmpdir(), 'quotaspec-agents-test-'))
const scenario = (name: string, ...probes: readonly string[]) => {
  const file = join(folder, `${name}.yaml`)
  writeFileSync(file, [`name: ${name}`, `description: ${name}`, 'probes:', ...probes, ''].join('\n'))
  return file
}

let redis: RedisServer
const servers: RunningServer[] = []
const programs: Launched[] = []

beforeAll(async () => {
  if (!redisIsMissing) redis = await startRedis(['--requirepass', password])
})
afterEach(async () => {
  for (const { child } of programs.splice(0)) child.kill('SIGKILL')
  await Promise.all(servers.splice(0).map((server) => server.close()))
})
afterAll(async () => {
  await redis?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** A service that counts its requests. */
const serve = async (algorithm?: 'sliding-log') => {
  const app = buildApp({ keys: [{ plan: 'free', secret }], timeScale, algorithm })
  let hits = 0
  app.addHook('onRequest', async () => {
    hits += 1
  })
  const server = await listening(app, {}, app.basePath)
  servers.push(server)
  return { url: server.url, hits: () => hits }
}

const env = () => ({
  QUOTASPEC_KEY_FREE: secret,
  QUOTASPEC_REDIS: `redis://:${password}@127.0.0.1:${redis.port}`,
})

const start = (args: readonly string[]): Launched => {
  const program = launch(args, { env: env(), cwd: folder })
  programs.push(program)
  return program
}

const startAgent = async (name: string, target: string, ...more: readonly string[]): Promise<Launched> => {
  const agent = start(['agent', '--name', name, '--target', target, '--journal', folder, ...more])
  await agent.untilWritten('stderr', 'ready')
  return agent
}

const run = (file: string, target: string, out: string, ...more: readonly string[]): Launched =>
  start(['run', file, '--target', target, '--time-scale', String(timeScale), '--read-only', '--out', out, ...more])

const reportIn = (out: string): Report => JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'))

/** Of what is left in Redis, what would stay there for ever. */
const leftForEver = async (): Promise<string[]> => {
  const names = await redis.client.keys('*')
  const lasting = await Promise.all(names.map(async (name) => ((await redis.client.pttl(name)) < 0 ? [name] : [])))
  return lasting.flat()
}

describe.skipIf(redisIsMissing)('agents by way of a real Redis', () => {
  it('find three addresses that count alone, each of which looks right by itself', async () => {
    const nodes = await Promise.all([serve(), serve(), serve()])
    const [{ url }] = nodes
    const agents = await Promise.all(
      nodes.map((node, i) => startAgent(`eu-${i + 1}`, node.url, '--runs-on', url, '--once')),
    )
    const out = join(folder, 'alone')
    const { code, stderr } = await run(scenario('alone', '  - probe: spread'), url, out, '--agents', 'eu=3').ended
    expect([code, stderr]).toEqual([1, expect.stringContaining('sent by eu-1, eu-2 and eu-3')])
    const report = reportIn(out)
    expect(report.quotas[0]).toMatchObject({ verdict: 'fail', diagnosis: '3 nodes that each count alone' })
    // A load that an agent sent late is sent again, and is a row more.
    expect(new Set(report.vantages.map((each) => [each.agent, each.name, each.target].join(' ')))).toEqual(
      new Set(nodes.map((node, i) => `eu-${i + 1} eu ${node.url}`)),
    )
    // Whether what came back after a refusal tells of THROTTLE-4 is chance; where not, one agent asks once more by itself.
    const spread = report.vantages.filter(({ profile }) => profile === 'spread')
    for (const { sent, admitted, isClockKept } of spread) {
      expect(sent).toBe(75)
      expect(admitted).toBeLessThanOrEqual(60)
      expect(isClockKept).toBe(true)
    }
    const ends = await Promise.all(agents.map(({ ended }) => ended))
    expect(ends.map((each) => each.code)).toEqual([0, 0, 0])
    expect(await leftForEver()).toEqual([])
    expect([stderr, ...ends.map((each) => each.stderr)].join('')).not.toMatch(new RegExp(`${password}|${secret}`))
  })

  it('find two, whose 120 in a burst would be two windows that meet, if nothing were sent out of step with it', async () => {
    const nodes = await Promise.all([serve('sliding-log'), serve('sliding-log')])
    const [{ url }] = nodes
    await Promise.all(nodes.map((node, i) => startAgent(`us-${i + 1}`, node.url, '--runs-on', url, '--once')))
    const out = join(folder, 'two')
    const { code } = await run(scenario('two', '  - probe: spread'), url, out, '--agents', 'us=2').ended
    expect([code, reportIn(out).quotas[0]?.diagnosis]).toEqual([1, '2 nodes that each count alone'])
  })

  it('that are not there are named, and nothing is sent', async () => {
    const { url, hits } = await serve()
    await startAgent('eu-1', url)
    await startAgent('eu-2', 'http://127.0.0.1:1/v1')
    const out = join(folder, 'missing')
    const file = scenario('missing', '  - probe: spread')
    const { code, stderr } = await run(file, url, out, '--agents', 'eu=2', '--agents-within', '2').ended
    expect(code).toBe(2)
    expect(stderr).toContain(`2 of eu were asked for, and only eu-1 is; eu-2: it was started for http://127.0.0.1:1/v1`)
    expect(hits()).toBe(0)
  })

  it('end within 2 s of Ctrl-C, and there is a report', async () => {
    const { url, hits } = await serve()
    const agent = await startAgent('eu-1', url)
    const out = join(folder, 'interrupted')
    const program = run(scenario('interrupted', '  - probe: overload', '    windows: 10'), url, out, '--agents', 'eu=1')
    await agent.untilWritten('stderr', 'requests')
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    program.child.kill('SIGINT')
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    const after = hits()
    expect((await program.ended).code).toBe(130)
    // The inventory is looked at once more, and nothing else is sent.
    expect(hits() - after).toBeLessThanOrEqual(2)
    const report = reportIn(out)
    expect(report.run.interrupted).toBe(true)
    expect(report.vantages[0]).toMatchObject({ agent: 'eu-1', untold: 0 })
    expect(report.vantages[0].sent).toBeLessThan(900)
  })

  it.each([
    ['of a wrong password', ':wrong-Pw1', /it does not accept the user or the password .*redis:\/\/USER:PASSWORD@/],
    [
      'of a user who may do nothing',
      'idle:wrong-Pw1',
      /its user may not do what this takes .*NOPERM.* let it use INFO/,
    ],
  ])('are told %s, without the password', async (_, user, told) => {
    await redis.client.acl('SETUSER', 'idle', 'on', '>wrong-Pw1')
    const url = `redis://${user}@127.0.0.1:${redis.port}`
    const args = ['agent', '--name', 'eu-1', '--target', 'http://127.0.0.1:1/v1', '--redis', url]
    const { code, stderr } = await start(args).ended
    expect(code).toBe(3)
    expect(stderr).toContain(`redis://127.0.0.1:${redis.port}: `)
    expect(stderr).toMatch(told)
    expect(stderr).not.toContain('wrong-Pw1')
  })
})
