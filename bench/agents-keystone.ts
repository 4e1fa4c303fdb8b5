import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listening } from '../reference-server/http/listening.js'
import { buildApp } from '../reference-server/petstore-app.js'
import { type RedisServer, startRedis } from '../reference-server/testing/redis-server.js'
import { AgentsMissing } from '../src/agents/fleet.js'
import { executeRun, reportOf } from '../src/assembly/build-report.js'
import { openFleet } from '../src/cli/run/run-fleet.js'
import type { Evidence } from '../src/evidence/evidence.js'
import { seededRandom } from '../src/kit/random.js'
import { renderHtml } from '../src/report/html/page.js'
import type { Report } from '../src/report/model.js'
import { prepareRun } from '../src/run/options/prepare-run.js'
import { programSource, settleOptions } from '../src/run/options/settle-options.js'
import { scenarioFolder } from '../src/run/package.js'
import { savedEvidence } from '../src/run/run-folder.js'

// The keystone of agents: whatever happens to them, no verdict is wrong, no slot is sent twice (counted at the target),
// and there is a report. Each mishap is played against a correct service, and against three nodes that count alone.
// Usage: node dist/bench/agents-keystone.js [--times N] [--mishap ID ...] [--seed N]
// Exits with 1 if any of that did not hold. Needs redis-server; uses only loopback.

const timeScale = 10
const keys = { free: 'keystone-free-Aa1Bb2Cc3', pro: 'keystone-pro-Dd4Ee5Ff6' }
const environment = {
  PATH: process.env.PATH ?? '',
  QUOTASPEC_KEY_FREE: keys.free,
  QUOTASPEC_KEY_PRO: keys.pro,
}
const agentCount = 3
/** About how long the run takes, without the first look. */
const runMs = 26_000

const program = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** A problem that is caused during a run. */
interface Mishap {
  readonly id: string
  /** What the first agent is started with. */
  readonly agent?: string
  readonly happen?: (world: World) => Promise<void>
  /** Whether the run is played in a separate process, to be killed. */
  readonly killsCoordinator?: boolean
}

interface World {
  readonly redis: RedisServer
  readonly agents: readonly ChildProcess[]
  readonly moment: () => number
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const mishaps: readonly Mishap[] = [
  { id: 'none' },
  {
    id: 'agent-killed',
    async happen({ agents, moment }) {
      await sleep(moment())
      agents[0].kill('SIGKILL')
    },
  },
  { id: 'chunks-lost', agent: 'chunks-lost' },
  { id: 'chunks-twice', agent: 'chunks-twice' },
  { id: 'clock-off', agent: 'clock-off' },
  { id: 'clock-drifts', agent: 'clock-drifts' },
  { id: 'clock-jumps', agent: 'clock-jumps' },
  {
    id: 'redis-restarted',
    async happen({ redis, moment }) {
      await sleep(moment())
      await redis.kill()
      await sleep(500)
      await redis.restart()
    },
  },
  {
    id: 'redis-stopped',
    async happen({ redis, moment }) {
      await sleep(moment())
      redis.pause()
      await sleep(5_000)
      redis.resume()
    },
  },
  {
    // One tenth of the time, in slices of 20 ms.
    id: 'agent-slow',
    async happen({ agents }) {
      const untilMs = performance.now() + runMs
      while (performance.now() < untilMs && agents[0].exitCode === null) {
        agents[0].kill('SIGSTOP')
        await sleep(180)
        agents[0].kill('SIGCONT')
        await sleep(20)
      }
    },
  },
  { id: 'coordinator-killed', killsCoordinator: true },
]

/** A service of `count` nodes, each with its own count, and how many requests it got with each key. */
const startNodes = async (count: number) => {
  const hits = new Map<string, number>()
  const nodes = await Promise.all(
    Array.from({ length: count }, async () => {
      const issued = Object.entries(keys).map(([plan, secret]) => ({ plan: plan as 'free' | 'pro', secret }))
      const app = buildApp({ keys: issued, timeScale })
      app.addHook('onRequest', async ({ headers }) => {
        const key = String(headers.authorization)
        hits.set(key, (hits.get(key) ?? 0) + 1)
      })
      return listening(app, {}, app.basePath)
    }),
  )
  return {
    urls: nodes.map(({ url }) => url),
    hitsOf: (secret: string) => hits.get(`Bearer ${secret}`) ?? 0,
    total: () => [...hits.values()].reduce((sum, each) => sum + each, 0),
    close: () => Promise.all(nodes.map((node) => node.close())),
  }
}

type Nodes = Awaited<ReturnType<typeof startNodes>>

const startAgentProcess = async (redis: string, name: string, target: string, runsOn: string, mishap = '') => {
  const child = spawn(process.execPath, [program('agent-process.js'), redis, name, target, runsOn, mishap], {
    env: environment,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve)
    child.once('exit', (code) => reject(new Error(`agent ${name} ended with ${code}`)))
  })
  return child
}

/** Plays the run in this process. */
const playHere = async (
  target: string,
  out: string,
  redis: string,
): Promise<{ report: Report; evidence: Evidence }> => {
  const scenario = join(scenarioFolder, 'keystone', 'agents.yaml')
  const agents = [{ group: 'a', count: agentCount }]
  const settled = settleOptions([programSource({ target, scenario, keys, timeScale, out, readOnly: true, agents })])
  const prepared = prepareRun(settled, {})
  const { signal } = new AbortController()
  const opened = await openFleet({ redis }, prepared, signal)
  try {
    return await executeRun(prepared, {
      out,
      interrupt: signal,
      watch: () => {},
      fleet: opened.fleet,
    })
  } finally {
    await opened.close()
  }
}

/** Plays it in a separate process, kills that, and judges what it left. */
const playAndKill = async (target: string, out: string, redis: string, moment: () => number, nodes: Nodes) => {
  const child = spawn(
    process.execPath,
    [
      program('../src/cli/main.js'),
      ...[
        'run',
        join(scenarioFolder, 'keystone', 'agents.yaml'),
        '--target',
        target,
        '--time-scale',
        String(timeScale),
      ],
      ...['--agents', `a=${agentCount}`, '--read-only', '--out', out],
    ],
    { env: { ...environment, QUOTASPEC_REDIS: redis }, stdio: 'ignore' },
  )
  // From then on it has begun.
  while (!existsSync(join(out, 'journal.jsonl')) && child.exitCode === null) await sleep(50)
  await sleep(moment())
  child.kill('SIGKILL')
  // Agents notice after 3 s; requests in flight may take a moment more.
  await sleep(4_500)
  const atRest = nodes.total()
  await sleep(3_000)
  const evidence = savedEvidence(out, () => {})
  const report = reportOf(evidence)
  return { report, evidence, isAtRest: nodes.total() === atRest }
}

/** What went wrong, in sentences. */
const wrongs = (isRight: boolean, nodes: Nodes, report: Report, evidence: Evidence, wasKilled: boolean): string[] => {
  const failed = report.clauses
    .filter(({ level, verdict }) => level === 'must' && verdict === 'fail')
    .map(({ id }) => id)
  const unexpected = failed.filter((id) => isRight || id !== 'QUOTA-1')
  const passedQuota = report.clauses.find(({ id }) => id === 'QUOTA-1')?.verdict === 'pass'
  const sentTwice = Object.entries(keys).flatMap(([name, secret]) => {
    const single = evidence.exchanges.filter(({ key }) => key === name).length
    const loads = evidence.ledgers.filter(({ head }) => head.key === name)
    const rows = loads.reduce((sum, ledger) => sum + ledger.rows.length, 0)
    // A killed run has no ledger yet for its running loads.
    const hits = nodes.hitsOf(secret)
    return wasKilled || hits <= single + rows ? [] : [`${name}: ${hits} at the target, ${single} + ${rows} on record`]
  })
  return [
    ...unexpected.map((id) => `${id} failed`),
    ...(!isRight && passedQuota ? ['QUOTA-1 passed, and three nodes count alone'] : []),
    ...(!isRight && report.run.exitCode === 0 ? ['exit code 0'] : []),
    ...sentTwice,
    ...(renderHtml(report).includes('</html>') ? [] : ['no page']),
  ]
}

interface Trial {
  readonly verdict: string
  readonly wrongs: readonly string[]
}

const play = async (
  { agent, happen, killsCoordinator }: Mishap,
  isRight: boolean,
  moment: () => number,
): Promise<Trial> => {
  const out = mkdtempSync(join(tmpdir(), 'quotaspec-agents-'))
  const [redis, nodes] = await Promise.all([startRedis(), startNodes(isRight ? 1 : agentCount)])
  const [runsOn] = nodes.urls
  const agents: ChildProcess[] = []
  try {
    for (let i = 0; i < agentCount; i += 1) {
      const target = nodes.urls[i % nodes.urls.length]
      agents.push(await startAgentProcess(redis.url, `a-${i + 1}`, target, runsOn, i === 0 ? agent : ''))
    }
    const happening = happen?.({ redis, agents, moment })
    const played = killsCoordinator
      ? await playAndKill(runsOn, out, redis.url, moment, nodes)
      : { ...(await playHere(runsOn, out, redis.url)), isAtRest: true }
    await happening
    const { report, evidence, isAtRest } = played
    const quota = report.clauses.find(({ id }) => id === 'QUOTA-1')?.verdict ?? 'none'
    const { reason = '' } = report.checks.find(({ id }) => id === 'quota.not-over-admitted')?.facts ?? {}
    const why = quota === 'inconclusive' ? ` (${reason || 'too little seen'})` : ''
    return {
      verdict: `${report.outcome}, QUOTA-1 ${quota}${why}`,
      wrongs: [
        ...wrongs(isRight, nodes, report, evidence, killsCoordinator ?? false),
        ...(isAtRest ? [] : ['agents went on after their coordinator was killed']),
      ],
    }
  } catch (error) {
    // Killed before the run had its agents: it says who is missing, and sends nothing.
    if (!(error instanceof AgentsMissing)) throw error
    return { verdict: 'not begun', wrongs: nodes.total() === 0 ? [] : ['requests of a run that was not begun'] }
  } finally {
    for (const each of agents) each.kill('SIGKILL')
    await Promise.all([redis.stop(), nodes.close()])
    rmSync(out, { recursive: true, force: true })
  }
}

const argument = (name: string, usual: number): number => {
  const at = process.argv.indexOf(name)
  return at < 0 ? usual : Number(process.argv[at + 1])
}
const wanted = process.argv.flatMap((each, i) => (each === '--mishap' ? [process.argv[i + 1]] : []))
const times = argument('--times', 1)
const random = seededRandom(argument('--seed', Date.now() % 2 ** 31))

let wrong = 0
for (const mishap of mishaps.filter(({ id }) => wanted.length === 0 || wanted.includes(id))) {
  for (const isRight of [true, false]) {
    const seen = new Map<string, number>()
    for (let time = 0; time < times; time += 1) {
      const trial = await play(mishap, isRight, () => random.float() * runMs)
      seen.set(trial.verdict, (seen.get(trial.verdict) ?? 0) + 1)
      wrong += trial.wrongs.length
      for (const each of trial.wrongs) process.stdout.write(`WRONG: ${mishap.id}: ${each}\n`)
    }
    const told = [...seen].map(([verdict, count]) => `${count} x ${verdict}`).join('; ')
    process.stdout.write(`${mishap.id.padEnd(20)} ${(isRight ? 'right' : 'three nodes').padEnd(12)} ${told}\n`)
  }
}
process.exitCode = wrong === 0 ? 0 : 1
