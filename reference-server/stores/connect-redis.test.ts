import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/kit/clock.js'
import { type RedisServer, redisIsMissing, startRedis } from '../testing/redis-server.js'
import { connectRedis } from './redis-store.js'

const password = 'secret-Wq2Er5'
const refusalOf = (url: string): Promise<Error> =>
  connectRedis({ url, clock: systemClock }).then(
    () => new Error('it was connected'),
    (error: Error) => error,
  )

describe('an address of Redis', () => {
  it.each([
    ['no address', password],
    ['another protocol', `http://user:${password}@127.0.0.1:6379`],
    ['no host', `redis://:${password}@/0`],
    ['a name for a database', `redis://:${password}@127.0.0.1:6379/counts`],
    ['a port where nobody listens', `redis://user:${password}@127.0.0.1:1`],
  ])('that is %s is refused, and what to type is told, not the password', async (_, url) => {
    const { name, message } = await refusalOf(url)
    expect(name).toBe('UsageError')
    expect(message).toMatch(/^--store .*(type redis:|start one, or correct)/)
    expect(message).not.toContain(password)
  })

  it('that leads to something else than Redis is refused', async () => {
    const other = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const address = other.address()
    const { message } = await refusalOf(`redis://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`)
    other.close()
    expect(message).toContain('there is no Redis that answers')
  })
})

describe.skipIf(redisIsMissing)('a password of Redis', () => {
  let redis: RedisServer
  beforeAll(async () => {
    redis = await startRedis(['--requirepass', password])
  })
  afterAll(() => redis.stop())

  it.each([
    ['is missing', ''],
    ['is wrong', 'default:wrong-Pw1@'],
  ])('that %s is asked for', async (_, user) => {
    const { message } = await refusalOf(`redis://${user}127.0.0.1:${redis.port}`)
    expect(message).toBe(
      `--store redis://127.0.0.1:${redis.port}: it does not accept the user or the password: write them as redis://USER:PASSWORD@HOST:PORT`,
    )
  })
})
