import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RedisServer, redisIsMissing, startRedis } from '../../reference-server/testing/redis-server.js'
import { type Launched, launch, quotaspec } from '../cli/built-program.js'

const password = 'store-Zx4Cv6Bn'
const secret = 'enterprise-Ty7Ui9'
const limit = 100

describe.skipIf(redisIsMissing)('four processes of quotaspec serve on one Redis', () => {
  let redis: RedisServer
  let servers: readonly Launched[]
  let urls: readonly string[]
  beforeAll(async () => {
    redis = await startRedis(['--requirepass', password, '--appendonly', 'yes'])
    const store = `redis://:${password}@127.0.0.1:${redis.port}`
    // Windows of a hundred minutes: none ends while this is played.
    const flags = ['--port', '0', '--time-scale', '0.01', '--quota', `enterprise=minute:${limit},day:100000`]
    const env = { QUOTASPEC_STORE: store, QUOTASPEC_KEY_ENTERPRISE: secret }
    servers = [1, 2, 3, 4].map(() => launch(['serve', ...flags, '--store-prefix', 'four:'], { env }))
    const lines = await Promise.all(servers.map((server) => server.untilWritten('stdout', '/v1\n')))
    urls = lines.map((line) => line.trim().replace('listening on ', ''))
  })
  afterAll(async () => {
    for (const { child } of servers ?? []) child.kill('SIGTERM')
    await Promise.all((servers ?? []).map(({ ended }) => ended))
    await redis.stop()
  })

  /** So many requests at once, in turn to each of the four. */
  const burst = async (requests: number) => {
    const answers = await Promise.all(
      Array.from({ length: requests }, (_, index) =>
        fetch(`${urls[index % urls.length]}/inventory`, { headers: { Authorization: `Bearer ${secret}` } }),
      ),
    )
    await Promise.all(answers.map((answer) => answer.text()))
    return (status: number) => answers.filter((answer) => answer.status === status).length
  }
  const untilCounted = async () => {
    for (const url of urls) {
      for (;;) {
        const answer = await fetch(`${url}/inventory`)
        await answer.text()
        if (!answer.headers.has('x-store')) break
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
  }

  it('admit the limit together; served by none while Redis is gone, and counted on when it is back', async () => {
    const before = await burst(60)
    expect([before(200), before(429)]).toEqual([60, 0])
    await redis.kill()
    const meanwhile = await burst(20)
    expect([meanwhile(503), meanwhile(200)]).toEqual([20, 0])
    await redis.restart()
    await untilCounted()
    const after = await burst(200)
    expect([after(200), after(429)]).toEqual([limit - 60, 200 - (limit - 60)])
    const keys = await redis.client.keys('*')
    expect(keys.every((key) => key.startsWith('four:'))).toBe(true)
    for (const key of keys) expect(await redis.client.pttl(key)).toBeGreaterThan(0)
  })

  it('tell on standard error when Redis goes and comes, and nobody the password', async () => {
    for (const server of servers) {
      const told = await server.untilWritten('stderr', 'the store answers again: requests are counted\n')
      expect(told).toMatch(/^the store does not answer \(.+\): requests are answered with 503 until it does\n/)
      expect(told).not.toContain(password)
    }
  })
})

describe('quotaspec serve --store', () => {
  it.each([
    ['an address that is none', ['--store', 'localhost:6379'], '--store takes an address that begins with redis://'],
    ['one where nobody answers', ['--store', 'redis://:pw-Ab1@127.0.0.1:1'], 'there is no Redis that answers'],
    ['what to do without it', ['--store-failure', 'open'], '--store-failure needs --store'],
  ])('refuses %s', async (_, args, told) => {
    const { code, stdout, stderr } = await quotaspec(['serve', '--port', '0', ...args])
    expect([code, stderr]).toEqual([3, expect.stringContaining(told)])
    expect(stdout + stderr).not.toContain('pw-Ab1')
  })
})
