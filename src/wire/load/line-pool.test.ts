import { expect, test, vi } from 'vitest'
import { systemClock } from '../../kit/clock.js'
import { LinePool } from './line-pool.js'

/** A pool of one connection that is open and idle, on a clock that stands still until it is told. */
const idlePool = (keepAliveMs: number | undefined) => {
  let nowMs = 1000
  const connection = { id: 0, connect: vi.fn(), send: vi.fn(), drop: vi.fn() }
  const pool = new LinePool([connection], { ...systemClock, monotonicMs: () => nowMs }, 1000, () => 9)
  const [line] = pool.lines
  pool.keptFor(line, keepAliveMs)
  pool.rest(line)
  const idleFor = (ms: number) => {
    nowMs += ms
  }
  return { pool, line, connection, idleFor }
}

test.each([
  ['that does not say', undefined, 4000],
  ['that keeps it for 1 s', 1000, 1],
  ['that keeps it for 3 s', 3000, 2000],
  ['that keeps it for 9 s', 9000, 4000],
])('a connection is used until a second before a target %s may close it', (_, keepAliveMs, freshMs) => {
  const { pool, line, connection, idleFor } = idlePool(keepAliveMs)
  idleFor(freshMs)
  expect(pool.take()).toBe(line)
  pool.rest(line)
  idleFor(freshMs + 0.1)
  expect(pool.take()).toBeUndefined()
  expect(connection.drop).toHaveBeenCalledOnce()
  expect(connection.connect).toHaveBeenCalledOnce()
})
