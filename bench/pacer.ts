import { execFile, fork, spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import autocannon from 'autocannon'
import { systemClock } from '../src/kit/clock.js'
import { percentilesMs } from '../src/wire/load/latency.js'
import { runLoad } from '../src/wire/load/run-load.js'
import { constantRate } from '../src/wire/load/schedule.js'

// How well a rate is kept: how far each arrival is from the even rate that fits the arrivals best. Compared with
// autocannon's own `overallRate` and, if installed, hey. The target runs in a separate process.
// Usage: node dist/bench/pacer.js [seconds] [rounds] [rate ...]

const connections = 50
const self = fileURLToPath(import.meta.url)

interface Errors {
  readonly p50: number
  readonly p99: number
  readonly max: number
}
interface Play {
  readonly arrived: number
  readonly arrivalsMs: Errors
  readonly sentMs: Errors | null
}

const serve = () => {
  let arrivals: number[] = []
  const server = createServer((_, response) => {
    arrivals.push(performance.now())
    response.end('ok')
  })
  process.on('message', () => {
    process.send?.(arrivals)
    arrivals = []
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
}

const arrivalErrors = (arrivals: readonly number[], perSecond: number): Errors => {
  const offsets = arrivals.map((at, n) => at - (n * 1000) / perSecond)
  const middle = offsets.toSorted((a, b) => a - b)[Math.floor(offsets.length / 2)]
  const found = percentilesMs(offsets.map((offset) => Math.abs(offset - middle) * 1000))
  if (!found) throw new Error('nothing arrived')
  return found
}

type Contender = (url: string, perSecond: number, amount: number) => Promise<Errors | null>

const ours: Contender = async (url, perSecond, amount) => {
  const spec = { url, method: 'GET', headers: {}, amount, connections, timeoutMs: 5000, redact: (text: string) => text }
  const load = await runLoad({ ...spec, shape: constantRate(perSecond) }, systemClock, performance.now())
  return load.scheduleErrorMs
}

const overallRate: Contender = async (url, perSecond, amount) => {
  await autocannon({ url, connections, overallRate: perSecond, duration: amount / perSecond })
  return null
}

const hey: Contender = async (url, perSecond, amount) => {
  await promisify(execFile)('hey', ['-n', String(amount), '-c', '1', '-q', String(perSecond), url])
  return null
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
const describe = (each: readonly Errors[]): string =>
  (['p50', 'p99', 'max'] as const)
    .map((name) => `${name} ${median(each.map((one) => one[name])).toFixed(2)}`)
    .join(', ')

const compare = async (port: number, ask: () => Promise<number[]>) => {
  const [seconds = 2, rounds = 5, ...rates] = process.argv.slice(2).map(Number)
  const heyIsThere = spawnSync('hey', ['-h']).error === undefined
  const contenders = {
    quotaspec: ours,
    'autocannon overallRate': overallRate,
    ...(heyIsThere ? { 'hey -q': hey } : {}),
  }
  for (const perSecond of rates.length > 0 ? rates : [1, 10, 100, 1000, 5000]) {
    const amount = Math.max(2, perSecond * seconds)
    for (const [name, play] of Object.entries(contenders)) {
      const plays: Play[] = []
      for (let round = 0; round < rounds; round++) {
        // Requests still in flight from the previous one must not count for this one.
        await systemClock.sleep(100)
        await ask()
        const sentMs = await play(`http://127.0.0.1:${port}/v1/inventory`, perSecond, amount)
        const arrivals = await ask()
        plays.push({ arrived: arrivals.length, arrivalsMs: arrivalErrors(arrivals, perSecond), sentMs })
      }
      const sent = plays.flatMap((each) => each.sentMs ?? [])
      const counts = `${plays.map((each) => each.arrived).join(' ')} of ${amount} arrived`
      const late = sent.length > 0 ? `, sent late by ${describe(sent)} ms` : ''
      const off = describe(plays.map((each) => each.arrivalsMs))
      console.log(`${String(perSecond).padStart(5)}/s ${name.padEnd(22)} ${counts}; off by ${off} ms${late}`)
    }
  }
}

if (process.send) serve()
else {
  const target = fork(self)
  const next = <T>() => new Promise<T>((resolve) => target.once('message', (value) => resolve(value as T)))
  const port = await next<number>()
  try {
    await compare(port, () => {
      target.send('arrivals')
      return next<number[]>()
    })
  } finally {
    target.kill()
  }
}
