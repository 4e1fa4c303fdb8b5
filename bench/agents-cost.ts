import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { startRedis } from '../reference-server/testing/redis-server.js'
import { createClockReader, offsetTrack } from '../src/agents/clocks.js'
import { gatherFleet } from '../src/agents/fleet.js'
import { framed, unframed } from '../src/agents/messages.js'
import { openRedisWire } from '../src/agents/redis-wire.js'
import { chunkOf, createRowBook, rowsOnRunClock } from '../src/agents/rows.js'
import { joinRows, type LedgerRow, type LedgerRows } from '../src/evidence/ledger.js'
import { encodeLedger } from '../src/evidence/ledger-file.js'
import { systemClock } from '../src/kit/clock.js'
import { medianOf } from '../src/kit/numbers.js'
import { keyMark } from '../src/run/options/keys.js'
import type { LoadOrder } from '../src/wire/load/load-order.js'
import { runLoad } from '../src/wire/load/run-load.js'
import { constantRate } from '../src/wire/load/schedule.js'

// What agents cost: how well a clock is known, what merging takes, and CPU time for each request beside the plain
// generator.
// Usage: node dist/bench/agents-cost.js [clock] [merge] [cpu]; all three without a word. Needs redis-server; Linux alone.

const secret = 'cost-free-Aa1Bb2Cc3'
const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20)
const say = (text: string) => process.stdout.write(`${text}\n`)

/** Reads a clock with a known offset over a real Redis: how far the middle is from the truth, and the bound. */
const measureClock = async (): Promise<void> => {
  const redis = await startRedis()
  const address = { url: redis.url, shown: redis.url }
  const [one, other] = await Promise.all([0, 1].map(() => openRedisWire(address, systemClock)))
  const shiftMs = 123_456.789
  const own = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() - shiftMs }
  const reader = createClockReader(own, (ping) => one.say('there', framed({ ping })))
  await other.hear('there', (bytes) => {
    const atMs = systemClock.monotonicMs()
    other.say('back', framed({ ...(unframed(bytes)?.message as object), atMs }))
  })
  await one.hear('back', (bytes) => {
    const frame = unframed(bytes) as { message: { ping: number; atMs: number } }
    reader.answered(frame.message.ping, frame.message.atMs)
  })
  const errors: number[] = []
  const bounds: number[] = []
  for (let time = 0; time < 40; time += 1) {
    const reading = await reader.read(new AbortController().signal)
    if (!reading) continue
    errors.push(Math.abs((reading.fromMs + reading.toMs) / 2 - shiftMs))
    bounds.push((reading.toMs - reading.fromMs) / 2)
  }
  await Promise.all([one.close(), other.close(), redis.stop()])
  const told = (values: readonly number[]) => {
    const sorted = values.toSorted((a, b) => a - b)
    return `median ${medianOf(sorted).toFixed(3)} ms, most ${(sorted.at(-1) ?? 0).toFixed(3)} ms`
  }
  const kept = errors.every((each, i) => each <= bounds[i])
  say(
    `clock: ${errors.length} readings of 50 round trips; off the truth: ${told(errors)}; ` +
      `bound: ${told(bounds)}; all within their bounds: ${kept}`,
  )
}

const rowOf = (index: number, share: number): LedgerRow => {
  const at = index * 10 + share
  const shown = { limit: 60, remaining: 3, reset: 1, retryAfter: 2, status: 200 }
  return { index, plannedUs: at, sentUs: at, receivedUs: at + 900, ...shown, connection: 1, flags: 0 }
}

const timed = <T>(work: () => T): { readonly result: T; readonly ms: number } => {
  const begun = performance.now()
  return { result: work(), ms: performance.now() - begun }
}

/** Assembles a share of `count` rows from its chunks; returns how long that took, and the number of bytes. */
const takenBook = (share: number, count: number) => {
  const book = createRowBook(count)
  const perChunk = 5_000
  let [ms, bytes] = [0, 0]
  for (let from = 0; from < count; from += perChunk) {
    const rows = Array.from({ length: perChunk }, (_, i) => rowOf(from + i, share))
    const chunk = chunkOf(from / perChunk, rows)
    bytes += chunk.bytes.length
    ms += timed(() => book.take(chunk)).ms
  }
  return { book, ms, bytes }
}

/** Eight shares of a million rows each, assembled from their chunks, placed on the run's clock, and written. */
const measureMerge = (): void => {
  const [shares, count] = [8, 1_000_000]
  const track = offsetTrack([0, 5_000, 10_000].map((atMs) => ({ atMs, fromMs: 7, toMs: 7.2 })))
  let [takeMs, placeMs, bytes] = [0, 0, 0]
  const parts: LedgerRows[] = []
  for (let share = 0; share < shares; share += 1) {
    const taken = takenBook(share, count)
    const placed = timed(() => rowsOnRunClock(taken.book, { length: count, track, notBeforeUs: 0 }).rows)
    takeMs += taken.ms
    placeMs += placed.ms
    bytes += taken.bytes
    parts.push(placed.result)
  }
  const joined = timed(() => joinRows(parts))
  const head = {
    id: 'x',
    probe: 'spread',
    key: 'free',
    phases: [],
    samples: [],
    scheduleErrorMs: null,
    stoodStillMs: 0,
    problem: null,
    counts: { planned: count, sent: count, answered: count, errors: 0, timeouts: 0, lost: 0 },
  }
  const written = timed(() => {
    for (const rows of parts) encodeLedger({ head, rows })
  })
  const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`
  say(
    `merge: ${joined.result.length} rows in ${megabytes(bytes)} MiB of chunks: taken in ${seconds(takeMs)}, ` +
      `placed on the run's clock in ${seconds(placeMs)}, ledgers written in ${seconds(written.ms)}, ` +
      `all in one order in ${seconds(joined.ms)}; peak ${megabytes(process.resourceUsage().maxRSS * 1024)} MiB`,
  )
}

const cpuMs = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  // User and system time in ticks of 10 ms.
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const startAgents = async (count: number, redis: string, target: string): Promise<ChildProcess[]> => {
  const program = fileURLToPath(new URL('agent-process.js', import.meta.url))
  const env = { PATH: process.env.PATH, QUOTASPEC_KEY_FREE: secret }
  return Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const child = spawn(process.execPath, [program, redis, `a-${i}`, target, target], {
        env,
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      await new Promise((resolve) => child.stdout.once('data', resolve))
      return child
    }),
  )
}

const perSecond = 1_000
const amount = 10_000
const order: LoadOrder = {
  id: 'cost',
  probe: 'spread',
  key: 'free',
  request: null,
  quota: null,
  connections: 32,
  amount,
  schedule: { kind: 'constant', perSecond },
  stop: null,
  timeoutMs: 10_000,
  connectTimeoutMs: null,
  mostServerErrorPercent: 50,
  isSpread: true,
}

const microseconds = ({ user, system }: NodeJS.CpuUsage) => user + system

/** The generator in one process, for comparison. */
const measurePlain = async (target: string): Promise<void> => {
  const plain = process.cpuUsage()
  await runLoad(
    {
      url: `${target}/inventory`,
      method: 'GET',
      headers: {},
      connections: 32,
      amount,
      shape: constantRate(perSecond),
      timeoutMs: 10_000,
      redact: (text) => text,
    },
    systemClock,
    0,
  )
  const each = Math.round(microseconds(process.cpuUsage(plain)) / amount)
  say(`cpu: one process, generator and target together: ${each} us a request`)
}

/** `count` agents and the coordinator, during a load and while idle. */
const measureAgents = async (count: number, target: string): Promise<void> => {
  const redis = await startRedis()
  const wire = await openRedisWire({ url: redis.url, shown: redis.url }, systemClock)
  const agents = await startAgents(count, redis.url, target)
  const run = randomBytes(8).toString('hex')
  const { signal } = new AbortController()
  let shares = 0
  const fleet = await gatherFleet(
    {
      wire,
      clock: systemClock,
      run,
      wanted: [{ group: 'a', count }],
      withinMs: 60_000,
      target,
      timeScale: 1,
      contract: undefined,
      marks: { free: keyMark(secret) },
      nextId: () => `${run}-${++shares}`,
    },
    signal,
  )
  const before = agents.map(({ pid = 0 }) => cpuMs(pid))
  const own = process.cpuUsage()
  const parts = await fleet.generator(0)(order, { signal })
  const ours = microseconds(process.cpuUsage(own))
  const theirs = agents.reduce((sum, { pid = 0 }, i) => sum + cpuMs(pid) - before[i], 0) * 1000
  const sent = parts.reduce((sum, { result }) => sum + result.sent, 0)
  const late = Math.max(...parts.map(({ result }) => result.scheduleErrorMs?.p99 ?? 0))
  say(
    `cpu: ${count} agents: ${Math.round(theirs / amount)} us a request in all of them, ` +
      `${Math.round(ours / amount)} us in coordinator and target; ${sent} sent, late p99 ${late.toFixed(1)} ms`,
  )
  const idle = process.cpuUsage()
  await systemClock.sleep(10_000)
  const percent = microseconds(process.cpuUsage(idle)) / 100_000 / count
  say(`cpu: ${count} agents at rest: ${percent.toFixed(2)} % of a processor in the coordinator for each`)
  await fleet.dismiss()
  await wire.close()
  for (const each of agents) each.kill()
  await redis.stop()
}

/** CPU time of agents and coordinator for 10,000 requests at 1,000 a second, compared with the generator in one process. */
const measureCpu = async (): Promise<void> => {
  const server = createServer((_, response) => response.end('[]'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  await measurePlain(target)
  for (const count of [1, 2, 4, 8]) await measureAgents(count, target)
  server.close()
}

const wanted = process.argv.slice(2)
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name)
if (isWanted('clock')) await measureClock()
if (isWanted('merge')) measureMerge()
if (isWanted('cpu')) await measureCpu()
