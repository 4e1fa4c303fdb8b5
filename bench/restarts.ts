import { type ChildProcess, fork, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { subscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import yargs from 'yargs'
import { listening } from '../reference-server/http/listening.js'
import { algorithmNames, algorithms } from '../reference-server/limiters/algorithms.js'
import { buildApp } from '../reference-server/petstore-app.js'
import { connectRedis } from '../reference-server/stores/redis-store.js'
import { startRedis } from '../reference-server/testing/redis-server.js'
import type { ModelName } from '../src/contract/limiter-models.js'
import { fixedQuotas, planNames, windowLengthMs } from '../src/contract/plans.js'
import { systemClock } from '../src/kit/clock.js'
import type { Report } from '../src/report/model.js'

// Kills the reference server in the middle of the loads of all four plans, starts it again, and compares what the report
// says of it with the truth: the servers' own logs, decided once more by a limiter that nobody restarts.
// Usage: node dist/bench/restarts.js [--runs N] [--store memory|redis] [--algorithm NAME] [--at-once N] [--time-scale N]
// Exits with 1 if a clause fails, or if the truth of an effect is more than 2 requests outside what is told. Needs redis-server for its
// store; uses only loopback.

const self = fileURLToPath(import.meta.url)
const program = fileURLToPath(new URL('../src/cli/main.js', import.meta.url))
const enterprise = { minute: 600, day: 200_000 }
const quotas = { ...fixedQuotas, enterprise }
const secrets = Object.fromEntries(planNames.map((plan) => [plan, `restarts-${plan}-Aa1Bb2Cc3Dd4`]))
/** Milliseconds since the epoch, with fractions: the same in all processes here. */
const nowMs = () => performance.timeOrigin + performance.now()
/** A burst and a window in two halves show how a limiter counts; then come the loads in which it is killed. */
const probes = [{ probe: 'hello' }, { probe: 'burst' }, { probe: 'split' }, { probe: 'overload', windows: 4 }]
/** How far what is told may be from the truth. */
const mostOffBy = 2

interface Serving {
  readonly port: number
  readonly log: string
  readonly algorithm: ModelName
  readonly timeScale: number
  readonly redis: string | null
}

/** A request that came to the server, by the clock that its limiter goes by. */
interface Asked {
  readonly atMs: number
  readonly authorization: string
  /** Null where the server was killed before it had answered. */
  readonly answered: { readonly atMs: number; readonly status: number } | null
}

/** Serves until its parent ends it, and logs what comes and what is answered with the operating system, which outlives a kill. */
const serve = async ({ port, log, algorithm, timeScale, redis }: Serving): Promise<void> => {
  const ids = new WeakMap<object, string>()
  const write = (...line: readonly (string | number)[]) => appendFileSync(log, `${line.join('\t')}\n`)
  subscribe('http.server.request.start', (told) => {
    const { request } = told as { request: IncomingMessage }
    const id = randomUUID()
    ids.set(request, id)
    write(id, nowMs(), request.headers.authorization ?? '')
  })
  subscribe('http.server.response.finish', (told) => {
    const { request, response } = told as { request: IncomingMessage; response: ServerResponse }
    write(ids.get(request) ?? '', nowMs(), '', response.statusCode)
  })
  const store = redis ? await connectRedis({ url: redis, clock: systemClock }) : undefined
  const keys = planNames.map((plan) => ({ plan, secret: secrets[plan] }))
  const app = buildApp({ keys, quotas, timeScale, algorithm, store })
  await listening(app, { port }, app.basePath)
  process.send?.('up')
  process.once('disconnect', () => process.exit(0))
}

const startServer = async (serving: Serving): Promise<ChildProcess> => {
  const child = fork(self, ['--serve', JSON.stringify(serving)])
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`the server ended with ${code}`))),
  ])
  return child
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** What came to the servers of a run, in order of coming. */
const askedIn = (log: string): Asked[] => {
  const lines = readFileSync(log, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
  const answered = new Map(
    lines.flatMap(([id, atMs, , status]) =>
      status === undefined ? [] : [[id, { atMs: Number(atMs), status: Number(status) }]],
    ),
  )
  return lines.flatMap(([id, atMs, authorization, status]) =>
    status === undefined ? [{ atMs: Number(atMs), authorization, answered: answered.get(id) ?? null }] : [],
  )
}

/** The server decided on a request somewhere between its coming and its answer. */
const decidedAt = {
  first: ({ atMs }: Asked) => atMs,
  last: ({ atMs, answered }: Asked) => answered?.atMs ?? atMs,
}

/**
 * How many more of a plan were admitted, until a window after the restart, than by a limiter that goes on. What the server
 * did not answer any more may have been counted or not.
 */
const truthOf = (
  plan: (typeof planNames)[number],
  countsLost: boolean,
  decided: (asked: Asked) => number,
  { log, algorithm, timeScale }: Serving,
  { upAtMs, asked }: { readonly upAtMs: number; readonly asked: readonly Asked[] },
): number => {
  const windowMs = windowLengthMs('minute', timeScale)
  const own = asked
    .filter(({ authorization }) => authorization.endsWith(secrets[plan]))
    .map((each) => ({ atMs: decided(each), status: each.answered?.status ?? null }))
    .sort((one, other) => one.atMs - other.atMs)
  const [first] = own
  if (!first) throw new Error(`${log}: nothing of ${plan}`)
  const honest = algorithms[algorithm]({ limit: quotas[plan].minute, windowMs }, first.atMs)
  let [more, most] = [0, 0]
  for (const { atMs, status } of own) {
    if (atMs > upAtMs + windowMs) break
    if (status === null && !countsLost) continue
    const wouldAdmit = honest.available(atMs) > 0
    if (wouldAdmit) honest.take(atMs)
    if (status !== null) more += Number(status !== 429) - Number(wouldAdmit)
    most = Math.max(most, more)
  }
  return most
}

interface Told {
  readonly line: string
  readonly wrong: number
  readonly effects: number
  /** Effects whose truth is more than two requests outside what is told, and those that are told less exactly than that. */
  readonly outside: number
  readonly wide: number
}

const play = async (nth: number, given: Pick<Serving, 'algorithm' | 'timeScale'>, store: string): Promise<Told> => {
  const folder = mkdtempSync(join(tmpdir(), 'quotaspec-restarts-'))
  const redis = store === 'redis' ? await startRedis() : null
  const serving: Serving = { ...given, port: await freePort(), log: join(folder, 'log'), redis: redis?.url ?? null }
  let server = await startServer(serving)
  let upAtMs = Number.NaN
  const control = createServer(async (_, answer) => {
    server.kill('SIGKILL')
    await once(server, 'exit')
    server = await startServer(serving)
    upAtMs = nowMs()
    answer.end()
  }).listen(0, '127.0.0.1')
  await once(control, 'listening')
  const { port } = control.address() as AddressInfo
  const run = [process.execPath, '-e', `fetch('http://127.0.0.1:${port}').then(({ ok }) => process.exit(ok ? 0 : 1))`]
  const events = [{ during: 'overload', plan: 'free', at: 0.3 + (nth % 5) / 10, name: 'restart', run }]
  const scenario = join(folder, 'scenario.yaml')
  writeFileSync(scenario, JSON.stringify({ name: 'restarted', description: 'x', probes, events }))
  const keys = planNames.flatMap((plan) => ['--key', `${plan}=${secrets[plan]}`])
  const agreed = ['--quota', `enterprise=minute:${enterprise.minute},day:${enterprise.day}`]
  const target = ['--target', `http://127.0.0.1:${serving.port}/v1`, '--time-scale', `${given.timeScale}`]
  const out = join(folder, 'run')
  const args = ['run', scenario, ...target, ...keys, ...agreed, '--out', out, '--no-config', '--yes', '--quiet']
  try {
    const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
    const [code] = await once(child, 'exit')
    const report: Report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'))
    const asked = askedIn(serving.log)
    const failed = report.clauses.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)
    const effects = (report.events[0]?.effects ?? []).map(({ plan, least, most, failed: lost }) => {
      const name = plan.toLowerCase() as (typeof planNames)[number]
      const truths = [true, false].flatMap((countsLost) =>
        Object.values(decidedAt).map((decided) => truthOf(name, countsLost, decided, serving, { upAtMs, asked })),
      )
      const [low, high] = [Math.min(...truths), Math.max(...truths)]
      const truth = low === high ? `${low}` : `${low} to ${high}`
      const told = `${plan} ${least} to ${most}, truth ${truth}${lost > 0 ? `, ${lost} failed` : ''}`
      if (least === null || most === null) return { told, is: 'OUTSIDE' }
      if (high < least - mostOffBy || low > most + mostOffBy) return { told, is: 'OUTSIDE' }
      // Each request without an answer may have been admitted, and so is in `most`.
      return { told, is: most - lost - least > 2 * mostOffBy ? 'WIDE' : '' }
    })
    const count = (what: string) => effects.filter(({ is }) => is === what).length
    const wrong = Number(failed.length > 0 || effects.length === 0)
    const outside = count('OUTSIDE')
    if (wrong + outside === 0) rmSync(folder, { recursive: true, force: true })
    return {
      line: [
        `${store} ${nth}: exit ${code}${failed.length > 0 ? `, FAILS ${failed}` : ''}`,
        ...effects.map(({ told, is }) => `${told} ${is}`.trimEnd()),
        ...(wrong + outside > 0 ? [`kept in ${folder}`] : []),
      ].join('; '),
      wrong,
      effects: effects.length,
      outside,
      wide: count('WIDE'),
    }
  } finally {
    server.disconnect()
    control.close()
    await redis?.stop()
  }
}

const main = async (): Promise<void> => {
  const asked = await yargs(process.argv.slice(2))
    .strict()
    .options({
      runs: { number: true, default: 20, describe: 'How many restarts with each store' },
      store: { array: true, choices: ['memory', 'redis'], default: ['memory', 'redis'] },
      algorithm: { choices: algorithmNames, default: 'fixed-window-first-request' as const },
      'at-once': { number: true, default: 1, describe: 'How many runs at a time' },
      'time-scale': { number: true, default: 10 },
    })
    .parse()
  const jobs = asked.store.flatMap((store) => Array.from({ length: asked.runs }, (_, nth) => ({ store, nth })))
  const total = jobs.length
  const sum = { wrong: 0, effects: 0, outside: 0, wide: 0 }
  const work = async () => {
    for (let job = jobs.shift(); job; job = jobs.shift()) {
      const told = await play(job.nth, { algorithm: asked.algorithm, timeScale: asked['time-scale'] }, job.store)
      for (const what of ['wrong', 'effects', 'outside', 'wide'] as const) sum[what] += told[what]
      process.stdout.write(`${told.line}\n`)
    }
  }
  await Promise.all(Array.from({ length: asked['at-once'] }, work))
  const { wrong, effects, outside, wide } = sum
  process.stdout.write(
    `${total} runs: ${wrong} with a wrong verdict; of ${effects} effects ${outside} are told more than ${mostOffBy} requests off, ${wide} less exactly\n`,
  )
  if (wrong + outside > 0) process.exitCode = 1
}

const at = process.argv.indexOf('--serve')
if (at < 0) await main()
else await serve(JSON.parse(process.argv[at + 1]))
