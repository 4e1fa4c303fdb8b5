import { type ChildProcess, fork } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import fastifyRateLimit from '@fastify/rate-limit'
import express from 'express'
import { rateLimit } from 'express-rate-limit'
import Fastify, { type FastifyInstance } from 'fastify'
import { startReferenceServer } from '../reference-server/petstore-app.js'
import { systemClock } from '../src/kit/clock.js'
import { runLoad } from '../src/wire/load/run-load.js'

// Admitted and refused answers per second of the reference server, compared with plain node:http with the same answer,
// plain Fastify, Fastify with @fastify/rate-limit and Express with express-rate-limit: each in its own process, in turns.
// The CPU time of an answer is that of the whole server process, which depends less on other load of the machine. There
// are many short turns, so that other load hits all alike; a ratio compares adjacent turns.
// Usage: node dist/bench/server.js [requests] [rounds]

const connections = 50
const self = fileURLToPath(import.meta.url)
const key = 'bench-key-a1B2c3D4e5F6'
const plenty = 1_000_000_000
const hourMs = 3_600_000

const outcomes = ['admitted', 'refused'] as const
type Outcome = (typeof outcomes)[number]

/** An answer of the reference server, which the others give too. */
interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const limitOf = (outcome: Outcome): number => (outcome === 'admitted' ? plenty : 1)

const reference = async (outcome: Outcome): Promise<number> => {
  const quota = { minute: limitOf(outcome), day: plenty }
  const keys = [{ plan: 'enterprise', secret: key }] as const
  const server = await startReferenceServer({
    keys,
    quotas: { enterprise: quota },
    timeScale: 1e-3,
    ban: { threshold: Number.POSITIVE_INFINITY },
  })
  return Number(new URL(server.url).port)
}

const bareHttp = (_outcome: Outcome, { status, headers, body }: Answer): Promise<number> =>
  new Promise((resolve) => {
    const length = String(Buffer.byteLength(body))
    const server = createServer((_, response) => {
      response.writeHead(status, { ...headers, 'Content-Length': length })
      response.end(body)
    })
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })

const listening = async (app: FastifyInstance): Promise<number> => {
  await app.listen({ host: '127.0.0.1', port: 0 })
  return (app.server.address() as AddressInfo).port
}

const bareFastify = (_outcome: Outcome, { status, headers, body }: Answer): Promise<number> => {
  const app = Fastify()
  app.get('/v1/inventory', (_request, reply) => reply.code(status).headers(headers).send(body))
  return listening(app)
}

const limitedFastify = async (outcome: Outcome, { body }: Answer): Promise<number> => {
  const app = Fastify()
  await app.register(fastifyRateLimit, {
    max: limitOf(outcome),
    timeWindow: hourMs,
    keyGenerator: ({ headers }) => headers.authorization ?? '',
  })
  app.get('/v1/inventory', (_request, reply) => reply.type('application/json').send(body))
  return listening(app)
}

const limitedExpress = (outcome: Outcome, { body }: Answer): Promise<number> => {
  const app = express()
  app.disable('x-powered-by')
  app.use(
    rateLimit({
      limit: limitOf(outcome),
      windowMs: hourMs,
      legacyHeaders: true,
      standardHeaders: false,
      keyGenerator: ({ headers }) => headers.authorization ?? '',
      handler: (_request, response) => void response.status(429).type('application/json').send(body),
    }),
  )
  app.get('/v1/inventory', (_request, response) => void response.type('application/json').send(body))
  return new Promise((resolve) => {
    const server = app.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

const targets: Readonly<Record<string, (outcome: Outcome, answer: Answer) => Promise<number>>> = {
  reference,
  'node:http': bareHttp,
  Fastify: bareFastify,
  '@fastify/rate-limit': limitedFastify,
  'express-rate-limit': limitedExpress,
}

interface Target {
  readonly name: string
  readonly process: ChildProcess
  readonly url: string
}

const start = async (name: string, outcome: Outcome, answer: Answer): Promise<Target> => {
  const child = fork(self, [name, outcome, JSON.stringify(answer)])
  const port = await new Promise<number>((resolve) => child.once('message', (value) => resolve(Number(value))))
  return { name, process: child, url: `http://127.0.0.1:${port}/v1/inventory` }
}

const headers = { Authorization: `Bearer ${key}` }

interface Play {
  readonly perSecond: number
  readonly cpuUsPerAnswer: number
}

/** The CPU time that a target has used since its start, as it reports itself. */
const cpuUsOf = (target: Target): Promise<number> => {
  target.process.send('cpu')
  return new Promise((resolve) => target.process.once('message', (value) => resolve(Number(value))))
}

/** Measures answers; throws if they are not the intended ones. */
const measure = async (target: Target, outcome: Outcome, amount: number): Promise<Play> => {
  const { url, name } = target
  const cpuUs = await cpuUsOf(target)
  const started = performance.now()
  const spec = { url, method: 'GET', headers, amount, connections, timeoutMs: 10_000, redact: (text: string) => text }
  const { rows, answered } = await runLoad(spec, systemClock, started)
  const wanted = outcome === 'admitted' ? 200 : 429
  const meant = rows.status.reduce((sum, status) => sum + (status === wanted ? 1 : 0), 0)
  if (answered !== amount || meant < amount - 1) throw new Error(`${name}: ${meant} of ${amount} were ${outcome}`)
  const last = rows.receivedUs.reduce((latest, at) => Math.max(latest, at), 0)
  const cpuUsPerAnswer = ((await cpuUsOf(target)) - cpuUs) / amount
  return { perSecond: (amount * 1e6) / (last - rows.sentUs[0]), cpuUsPerAnswer }
}

const answerOf = async ({ url }: Target): Promise<Answer> => {
  await (await fetch(url, { headers })).text()
  const response = await fetch(url, { headers })
  const kept = [...response.headers].filter(([name]) => !/^(date|connection|keep-alive|content-length)$/.test(name))
  return { status: response.status, headers: Object.fromEntries(kept), body: await response.text() }
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

const compare = async (outcome: Outcome, amount: number, rounds: number) => {
  const nothing: Answer = { status: 200, headers: {}, body: '' }
  const first = await start('reference', outcome, nothing)
  const running = [first]
  try {
    const answer = await answerOf(first)
    for (const name of Object.keys(targets).slice(1)) running.push(await start(name, outcome, answer))
    for (const target of running) await measure(target, outcome, amount)
    const seen = new Map<string, Play[]>(running.map(({ name }) => [name, []]))
    for (let round = 0; round < rounds; round++) {
      // A different one begins each round, so none always gets the warmer machine.
      for (let turn = 0; turn < running.length; turn++) {
        const target = running[(round + turn) % running.length]
        seen.get(target.name)?.push(await measure(target, outcome, amount))
      }
    }
    const own = seen.get('reference') ?? []
    for (const [name, each] of seen) {
      const [rate, cpu] = (['perSecond', 'cpuUsPerAnswer'] as const).map((field) => ({
        value: median(each.map((play) => play[field])),
        ratio: median(own.map((play, round) => play[field] / each[round][field])).toFixed(2),
      }))
      const speed = `${rate.value.toFixed(0).padStart(7)} a second (reference/this ${rate.ratio})`
      console.log(
        `${outcome.padEnd(9)} ${name.padEnd(20)} ${speed}, CPU ${cpu.value.toFixed(1)} us an answer (${cpu.ratio})`,
      )
    }
  } finally {
    for (const target of running) target.process.kill()
  }
}

const [nameOrAmount, outcomeOrRounds, given] = process.argv.slice(2)
if (process.send) {
  const outcome = outcomes.find((each) => each === outcomeOrRounds) ?? 'admitted'
  process.send(await targets[nameOrAmount](outcome, JSON.parse(given)))
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.(user + system)
  })
} else {
  for (const outcome of outcomes) await compare(outcome, Number(nameOrAmount ?? 5_000), Number(outcomeOrRounds ?? 21))
}
