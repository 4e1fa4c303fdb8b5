import { type ChildProcess, fork, spawn } from 'node:child_process'
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
import { algorithms } from '../reference-server/limiters/algorithms.js'
import { type AlgorithmName, algorithmNames } from '../reference-server/limiters/limiter.js'
import { buildApp } from '../reference-server/petstore-app.js'
import { connectRedis } from '../reference-server/stores/redis-store.js'
import { startRedis } from '../reference-server/testing/redis-server.js'
import { fixedQuotas, planNames, windowLengthMs } from '../src/contract/plans.js'
import { systemClock } from '../src/kit/clock.js'
import type { Report } from '../src/report/model.js'

// Kills the reference server in the middle of the loads of all four plans, starts it again, and compares what the report
// says of it with the truth: the servers' own logs, decided once more by a limiter that nobody restarts.
// Usage: node dist/bench/restarts.js [--runs N] [--store memory|redis] [--algorithm NAME] [--at-once N] [--time-scale N]
// Exits with 1 if a clause fails, or if an effect is told more than 2 requests from the truth. Needs redis-server for its
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
  readonly algorithm: AlgorithmName
  readonly timeScale: number
  readonly redis: string | null
}

/** Answers that the server gave: when each request came, by the clock that the limiter goes by. */
interface Decision {
  readonly atMs: number
  readonly authorization: string
  readonly status: number
}

/** Serves until its parent ends it, and logs each answer with the operating system, which outlives a kill. */
const serve = async ({ port, log, algorithm, timeScale, redis }: Serving): Promise<void> => {
  const cameAtMs = new WeakMap<object, number>()
  subscribe('http.server.request.start', (told) => {
    cameAtMs.set((told as { request: IncomingMessage }).request, nowMs())
  })
  subscribe('http.server.response.finish', (told) => {
    const { request, response } = told as { request: IncomingMessage; response: ServerResponse }
    const { authorization = '' } = request.headers
    const decision = { atMs: cameAtMs.get(request) ?? Number.NaN, authorization, status: response.statusCode }
    appendFileSync(log, `${JSON.stringify(decision)}\n`)
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

/** How many more of a plan were admitted, until a window after the restart, than by a limiter that goes on. */
const truthOf = (
  plan: (typeof planNames)[number],
  { log, algorithm, timeScale }: Serving,
  { upAtMs, decisions }: { readonly upAtMs: number; readonly decisions: readonly Decision[] },
): number => {
  const windowMs = windowLengthMs('minute', timeScale)
  const own = decisions.filter(({ authorization }) => authorization.endsWith(secrets[plan]))
  const [first] = own
  if (!first) throw new Error(`${log}: nothing of ${plan}`)
  const honest = algorithms[algorithm]({ limit: quotas[plan].minute, windowMs }, first.atMs)
  let [more, most] = [0, 0]
  for (const { atMs, status } of own) {
    if (atMs > upAtMs + windowMs) break
    const wouldAdmit = honest.available(atMs) > 0
    if (wouldAdmit) honest.take(atMs)
    more += Number(status !== 429) - Number(wouldAdmit)
    most = Math.max(most, more)
  }
  return most
}

interface Told {
  readonly line: string
  readonly isWrong: boolean
  readonly isOff: boolean
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
    const decisions: Decision[] = readFileSync(serving.log, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .sort((one: Decision, other: Decision) => one.atMs - other.atMs)
    const failed = report.clauses.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)
    const effects = (report.events[0]?.effects ?? []).map(({ plan, least, most, failed: lost }) => {
      const truth = truthOf(plan.toLowerCase() as (typeof planNames)[number], serving, { upAtMs, decisions })
      // Requests that got no answer are in `most`, for each may have been admitted.
      const above = (most ?? 0) - truth
      const off = least === null ? null : Math.max(Math.abs(least - truth), above > 0 ? above - lost : -above)
      return { told: `${plan} ${least} to ${most}, truth ${truth}${lost > 0 ? `, ${lost} failed` : ''}`, off }
    })
    const off = effects.filter((each) => each.off === null || each.off > mostOffBy)
    return {
      line: [
        `${store} ${nth}: exit ${code}${failed.length > 0 ? `, FAILS ${failed}` : ''}`,
        ...effects.map((each) => (off.includes(each) ? `${each.told} OFF` : each.told)),
      ].join('; '),
      isWrong: failed.length > 0 || effects.length === 0,
      isOff: off.length > 0,
    }
  } finally {
    server.disconnect()
    control.close()
    await redis?.stop()
    rmSync(folder, { recursive: true, force: true })
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
  let [wrong, off] = [0, 0]
  const work = async () => {
    for (let job = jobs.shift(); job; job = jobs.shift()) {
      const told = await play(job.nth, { algorithm: asked.algorithm, timeScale: asked['time-scale'] }, job.store)
      wrong += Number(told.isWrong)
      off += Number(told.isOff)
      process.stdout.write(`${told.line}\n`)
    }
  }
  await Promise.all(Array.from({ length: asked['at-once'] }, work))
  process.stdout.write(
    `${total} runs: ${wrong} with a wrong verdict, ${off} with an effect off by more than ${mostOffBy}\n`,
  )
  if (wrong + off > 0) process.exitCode = 1
}

const at = process.argv.indexOf('--serve')
if (at < 0) await main()
else await serve(JSON.parse(process.argv[at + 1]))
