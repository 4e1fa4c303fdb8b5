import { execFile, fork, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import autocannon from 'autocannon'
import { petstore } from '../src/contract/petstore/petstore.js'
import { systemClock } from '../src/kit/clock.js'
import { headReader } from '../src/readings/load-reader.js'
import { runLoad } from '../src/wire/load/run-load.js'

// How much of plain autocannon's throughput the generator reaches while it records every exchange; also wrk and hey, if
// installed. The target runs in a separate process. Usage: node dist/bench/generator.js [requests] [rounds]

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

type Contender = (url: string, amount: number) => Promise<Play>

const measure = async (amount: number, load: () => Promise<number>): Promise<Play> => {
  const cpu = process.cpuUsage()
  const elapsedMs = await load()
  const { user, system } = process.cpuUsage(cpu)
  return { perSecond: (amount * 1000) / elapsedMs, cpuUsPerRequest: (user + system) / amount }
}

const bare: Contender = (url, amount) =>
  measure(amount, async () => {
    const started = performance.now()
    let ended = started
    let answers = 0
    const instance = autocannon({ url, amount, connections, sampleInt: 50 })
    // Until the last answer, because its own end comes only with the next sample.
    const emitter = instance as unknown as NodeJS.EventEmitter
    emitter.on('response', () => {
      if (++answers === amount) ended = performance.now()
    })
    await instance
    return ended - started
  })

const recorded: Contender = (url, amount) =>
  measure(amount, async () => {
    const started = performance.now()
    const readHead = headReader(petstore, petstore.quotas[0])
    const spec = { url, method: 'GET', headers: {}, amount, connections, timeoutMs: 10_000, readHead }
    const { rows, answered } = await runLoad({ ...spec, redact: (text) => text }, systemClock, started)
    if (answered !== amount) throw new Error(`${answered} of ${amount} were answered`)
    return rows.receivedUs.reduce((last, at) => Math.max(last, at), 0) / 1000
  })

/** The CPU time of ended children, in microseconds; the kernel counts it in hundredths of a second. */
const childrensCpuUs = (): number => {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ')
  return (Number(fields[13]) + Number(fields[14])) * 10_000
}

/** Another program's own throughput; `args` and `counted` say how to call it and how to read its output. */
const program =
  (
    name: string,
    args: (url: string, amount: number) => string[],
    requestsIn: (told: string, amount: number) => number,
  ) =>
  async (url: string, amount: number): Promise<Play> => {
    const cpu = childrensCpuUs()
    const { stdout } = await promisify(execFile)(name, args(url, amount))
    const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1])
    return { perSecond, cpuUsPerRequest: (childrensCpuUs() - cpu) / requestsIn(stdout, amount) }
  }

/** wrk takes no amount, only a time: about what the amount takes. */
const wrk = program(
  'wrk',
  (url, amount) => ['-t1', `-c${connections}`, `-d${Math.max(1, Math.round(amount / 15_000))}s`, url],
  (told) => Number(/(\d+) requests in/.exec(told)?.[1]),
)

const hey = program(
  'hey',
  (url, amount) => ['-n', String(amount), '-c', String(connections), url],
  (_, amount) => amount,
)

const isInstalled = (name: string): boolean => spawnSync(name, ['-h']).error === undefined

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

const compare = async (url: string, amount: number, rounds: number) => {
  const contenders: Record<string, Contender> = { recorded, bare }
  if (isInstalled('wrk')) contenders.wrk = wrk
  if (isInstalled('hey')) contenders.hey = hey
  const names = Object.keys(contenders)
  for (const name of names) await contenders[name](url, amount)
  const plays: Record<string, Play>[] = []
  for (let round = 0; round < rounds; round++) {
    const each: Record<string, Play> = {}
    // A different one begins each round, so none always gets the warmer machine.
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length]
      each[name] = await contenders[name](url, amount)
    }
    plays.push(each)
  }
  for (const name of names) {
    const figures = (['perSecond', 'cpuUsPerRequest'] as const).map((field) => {
      const value = median(plays.map((each) => each[name][field]))
      const ratio = median(plays.map((each) => each.recorded[field] / each[name][field]))
      return `${field} ${value.toFixed(1)} (recorded/this ${ratio.toFixed(3)})`
    })
    console.log(`${name.padEnd(8)} ${figures.join(', ')}, medians of ${rounds}`)
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
