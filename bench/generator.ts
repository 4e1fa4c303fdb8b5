import { fork } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { systemClock } from '../src/kit/clock.js'
import { runLoad } from '../src/load/run-load.js'

// How much of bare autocannon's throughput the generator keeps while it records every exchange, side by side.
// The target runs in a process of its own. Usage: node dist/bench/generator.js [requests] [rounds]

const connections = 50
const self = fileURLToPath(import.meta.url)

const serve = () => {
  const server = createServer((_, response) => {
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'X-RateLimit-Limit': '1000',
      'X-RateLimit-Remaining': '999',
      'X-RateLimit-Reset': '1900000000',
    })
    response.end('[{"petId":1,"quantity":2,"status":"available"}]')
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
}

interface Play {
  readonly perSecond: number
  readonly cpuUsPerRequest: number
}

const measure = async (amount: number, load: () => Promise<number>): Promise<Play> => {
  const cpu = process.cpuUsage()
  const elapsedMs = await load()
  const { user, system } = process.cpuUsage(cpu)
  return { perSecond: (amount * 1000) / elapsedMs, cpuUsPerRequest: (user + system) / amount }
}

const bare = (url: string, amount: number) =>
  measure(amount, async () => {
    const started = performance.now()
    let ended = started
    let answers = 0
    const instance = autocannon({ url, amount, connections, sampleInt: 50 })
    // To the last answer: its own end comes with the next sample.
    const emitter = instance as unknown as NodeJS.EventEmitter
    emitter.on('response', () => {
      if (++answers === amount) ended = performance.now()
    })
    await instance
    return ended - started
  })

const recorded = (url: string, amount: number) =>
  measure(amount, async () => {
    const started = performance.now()
    const spec = { url, method: 'GET', headers: {}, amount, connections, timeoutMs: 10_000 }
    const { rows, answered } = await runLoad({ ...spec, redact: (text) => text }, systemClock, started)
    if (answered !== amount) throw new Error(`${answered} of ${amount} were answered`)
    return rows.receivedUs.reduce((last, at) => Math.max(last, at), 0) / 1000
  })

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

const compare = async (url: string, amount: number, rounds: number) => {
  await bare(url, amount)
  await recorded(url, amount)
  const plays: { readonly bare: Play; readonly recorded: Play }[] = []
  for (let round = 0; round < rounds; round++) {
    // In turns, the first one too: neither has the warmer machine.
    const first = round % 2 === 0 ? await bare(url, amount) : undefined
    const ours = await recorded(url, amount)
    plays.push({ bare: first ?? (await bare(url, amount)), recorded: ours })
  }
  for (const field of ['perSecond', 'cpuUsPerRequest'] as const) {
    const ofBare = median(plays.map((each) => each.bare[field]))
    const ofRecorded = median(plays.map((each) => each.recorded[field]))
    const ratio = median(plays.map((each) => each.recorded[field] / each.bare[field]))
    const figures = `bare ${ofBare.toFixed(1)}, recorded ${ofRecorded.toFixed(1)}`
    console.log(`${field.padEnd(16)} ${figures}, ratio ${ratio.toFixed(3)} (median of ${rounds})`)
  }
}

if (process.send) serve()
else {
  const target = fork(self)
  const port = await new Promise<number>((resolve) => target.once('message', (value) => resolve(Number(value))))
  try {
    const [amount = 40_000, rounds = 5] = process.argv.slice(2).map(Number)
    await compare(`http://127.0.0.1:${port}/v1/inventory`, amount, rounds)
  } finally {
    target.kill()
  }
}
