import { describe, expect, it } from 'vitest'
import { type RedisServer, redisIsMissing, startRedis } from '../../reference-server/testing/redis-server.js'
import { type Launched, launch, quotaspecInTurn } from '../cli/built-program.js'

const password = 'store-Zx4Cv6Bn'
const secret = 'enterprise-Ty7Ui9'
const limit = 100

/** Windows of a hundred minutes: none ends while this is played. And patience: this machine may be crowded. */
const flags = ['--time-scale', '0.01', '--quota', `enterprise=minute:${limit},day:100000`, '--store-timeout', '20']

/** Starts four processes on this Redis, and has them used by their addresses. */
const whileFourServe = async (
  redis: RedisServer,
  use: (four: readonly Launched[], urls: readonly string[]) => Promise<void>,
) => {
  const env = {
    QUOTASPEC_STORE: `redis://:${password}@127.0.0.1:${redis.port}`,
    QUOTASPEC_KEY_ENTERPRISE: secret,
  }
  const four = [1, 2, 3, 4].map(() => launch(['serve', '--port', '0', '--store-prefix', 'four:', ...flags], { env }))
  try {
    const lines = await Promise.all(four.map((server) => server.untilWritten('stdout', '/v1\n')))
    await use(
      four,
      lines.map((line) => line.trim().replace('listening on ', '')),
    )
  } finally {
    for (const { child } of four) child.kill('SIGTERM')
    await Promise.all(four.map(({ ended }) => ended))
  }
}

/** So many requests at once, in turn to each address: how many were answered with a status. */
const burst = async (urls: readonly string[], requests: number) => {
  const answers = await Promise.all(
    Array.from({ length: requests }, async (_, index) => {
      const url = `${urls[index % urls.length]}/inventory`
      const answer = await fetch(url, { headers: { Authorization: `Bearer ${secret}` } })
      await answer.text()
      return answer.status
    }),
  )
  return (status: number) => answers.filter((each) => each === status).length
}

const untilCounted = async (url: string): Promise<void> => {
  const answer = await fetch(`${url}/inventory`)
  await answer.text()
  if (!answer.headers.has('x-store')) return
  await new Promise((resolve) => setTimeout(resolve, 20))
  await untilCounted(url)
}

describe.skipIf(redisIsMissing)('four processes of quotaspec serve on one Redis', () => {
  it('admit the limit together, serve nobody while Redis is gone, count on when it is back, and say so', async () => {
    const redis = await startRedis(['--requirepass', password, '--appendonly', 'yes'])
    try {
      await whileFourServe(redis, async (four, urls) => {
        const before = await burst(urls, 60)
        expect([before(200), before(429)]).toEqual([60, 0])
        await redis.kill()
        const meanwhile = await burst(urls, 20)
        expect([meanwhile(503), meanwhile(200)]).toEqual([20, 0])
        await redis.restart()
        await Promise.all(urls.map(untilCounted))
        const after = await burst(urls, 200)
        expect([after(200), after(429)]).toEqual([limit - 60, 200 - (limit - 60)])

        const keys = await redis.client.keys('*')
        expect(keys.filter((key) => !key.startsWith('four:'))).toEqual([])
        for (const key of keys) expect(await redis.client.pttl(key)).toBeGreaterThan(0)
        for (const server of four) {
          const told = await server.untilWritten('stderr', 'the store answers again: requests are counted\n')
          expect(told).toMatch(/the store does not answer \(.+\): requests are answered with 503 until it does\n/)
          expect(told).not.toContain(password)
        }
      })
    } finally {
      await redis.stop()
    }
  })
})

describe('quotaspec serve --store', () => {
  it.each([
    ['an address that is none', ['--store', 'localhost:6379'], '--store must begin with redis://'],
    ['one where nobody answers', ['--store', 'redis://:pw-Ab1@127.0.0.1:1'], 'there is no Redis that answers'],
    ['what to do without it', ['--store-failure', 'open'], '--store-failure needs --store'],
    ['no time at all', ['--store', 'redis://127.0.0.1:1', '--store-timeout', '0'], '--store-timeout 0: seconds, from'],
  ])('refuses %s', async (_, args, told) => {
    const { code, stdout, stderr } = await quotaspecInTurn(['serve', '--port', '0', ...args])
    expect([code, stderr]).toEqual([3, expect.stringContaining(told)])
    expect(stdout + stderr).not.toContain('pw-Ab1')
  })
})
