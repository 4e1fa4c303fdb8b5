import { fork } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { startReferenceServer } from '../reference-server/petstore-app.js'
import { systemClock } from '../src/kit/clock.js'
import { runLoad } from '../src/wire/load/run-load.js'
import { constantRate } from '../src/wire/load/schedule.js'

// 2,000 requests a second against the reference server, with faults coming and going, and what both processes hold in
// the meantime: memory and open descriptors. Only on Linux (/proc), only on loopback.
// Usage: node dist/bench/soak.js [--minutes N]
// Exits with 1 if either holds much more at the end than after the first minute, or has descriptors left over.

const perSecond = 2_000
const stretchSeconds = 10
const connections = 50
const self = fileURLToPath(import.meta.url)
const key = 'soak-key-a1B2c3D4e5F6'

/** A quarter of a second's 2,000 requests is refused. */
const quota = { minute: 1_500, day: 1_000_000_000 }
const timeScale = 60

/** One after the other, each for a while, with a healthy server in between. */
const faultsInTurn = [
  'headers-twice',
  'remaining-negative',
  'retry-after-missing',
  'limit-plus-one',
  'error-code-missing',
]

/** How much memory may grow after the first minute; more is not just uncollected garbage. */
const mostGrowthMb = 40

/** How many descriptors may come and go with timers and pipes. */
const mostMoreDescriptors = 5

interface Figures {
  readonly mb: number
  readonly descriptors: number
}

const figuresOf = (pid: number): Figures => {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return { mb: Math.round(Number(kilobytes) / 1024), descriptors: readdirSync(`/proc/${pid}/fd`).length }
}

/** One process with a healthy server and one for each fault, so that faults change but the process stays. */
const serve = async (): Promise<void> => {
  const keys = [{ plan: 'enterprise', secret: key }] as const
  const start = (faults: readonly string[]) =>
    startReferenceServer({
      keys,
      quotas: { enterprise: quota },
      timeScale,
      ban: { threshold: Number.POSITIVE_INFINITY },
      faults,
    })
  const servers = await Promise.all([start([]), ...faultsInTurn.map((id) => start([id]))])
  process.send?.(servers.map(({ url }) => url))
  process.once('disconnect', () => process.exit(0))
}

const stretch = (url: string) =>
  runLoad(
    {
      url: `${url}/inventory`,
      method: 'GET',
      headers: { Authorization: `Bearer ${key}` },
      connections,
      amount: perSecond * stretchSeconds,
      shape: constantRate(perSecond),
      timeoutMs: 15_000,
      redact: (text) => text.replaceAll(key, '‹key›'),
    },
    systemClock,
    systemClock.monotonicMs(),
  )

const grew = (first: Figures, last: Figures): boolean =>
  last.mb > first.mb + mostGrowthMb || last.descriptors > first.descriptors + mostMoreDescriptors

const soak = async (minutes: number): Promise<void> => {
  const child = fork(self, ['--serve'])
  const pid = child.pid ?? 0
  const urls = await new Promise<string[]>((resolve) => child.once('message', (told) => resolve(told as string[])))
  const look = () => ({ load: figuresOf(process.pid), server: figuresOf(pid) })
  const [healthy, ...faulty] = urls
  const startedAt = systemClock.monotonicMs()
  const elapsed = () => (systemClock.monotonicMs() - startedAt) / 60_000
  let first = look()
  let [sent, unanswered, told] = [0, 0, 0]
  for (let nth = 0; elapsed() < minutes; nth += 1) {
    const result = await stretch(nth % 2 === 0 ? healthy : faulty[(nth >> 1) % faulty.length])
    sent += result.sent
    unanswered += result.sent - result.answered
    if (Math.floor(elapsed()) === told) continue
    told = Math.floor(elapsed())
    const { load, server } = look()
    if (told === 1) first = { load, server }
    process.stdout.write(
      `${told} min: ${sent} sent, ${unanswered} unanswered; load ${load.mb} MB, ${load.descriptors} descriptors; server ${server.mb} MB, ${server.descriptors} descriptors\n`,
    )
  }
  const last = look()
  child.disconnect()
  const isFlat = !grew(first.load, last.load) && !grew(first.server, last.server)
  const rate = Math.round(sent / (elapsed() * 60))
  process.stdout.write(`${isFlat ? 'flat' : 'NOT FLAT'}: ${JSON.stringify({ first, last, sent, unanswered, rate })}\n`)
  if (!isFlat) process.exitCode = 1
}

const asked = process.argv.indexOf('--minutes')
if (process.argv.includes('--serve')) await serve()
else await soak(asked < 0 ? 20 : Number(process.argv[asked + 1]))
