import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'

/** Whether tests that need Redis are left out. On CI a missing one is a failure, never a skip that reads green. */
export const redisIsMissing = !process.env.CI && spawnSync('redis-server', ['--version']).status !== 0

/** A Redis server of a test's own, on loopback. */
export interface RedisServer {
  readonly port: number
  readonly url: string
  /** For tests that look at what is stored. Gone when the server stops. */
  readonly client: Redis
  /** Stands still, as one does that is overloaded, until it is sent on. */
  pause(): void
  resume(): void
  /** Ends it without a word, as a machine does that is switched off. What it has in files stays until `stop`. */
  kill(): Promise<void>
  /** Starts it again on the same port, with what it has in files. */
  restart(): Promise<void>
  /** Ends it, and removes its files. */
  stop(): Promise<void>
}

/** Ends the server when its own input ends, so that none outlives the test, however that ends. */
const guarded = 'redis-server "$@" >/dev/null 2>&1 & echo $!; read _; kill -9 $! 2>/dev/null; wait'

/** Starts one with these settings beside those that keep it small; without `appendonly yes` it keeps nothing in files. */
export const startRedis = async (settings: readonly string[] = []): Promise<RedisServer> => {
  const folder = mkdtempSync(join(tmpdir(), 'quotaspec-redis-'))
  const port = await freePort()
  const flags = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--dir', folder, ...settings]
  const [, password] = /(?:^| )--requirepass (\S+)/.exec(settings.join(' ')) ?? []
  // It asks again for as long as a restart takes.
  const patiently = { lazyConnect: true, retryStrategy: () => 20, maxRetriesPerRequest: null }
  const client = new Redis({ host: '127.0.0.1', port, password, ...patiently })
  client.on('error', () => {})
  let running = await started(flags)
  await answering(client)

  const kill = async () => {
    const ended = new Promise((resolve) => running.guard.once('close', resolve))
    running.guard.stdin?.end()
    await ended
  }
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    client,
    pause: () => process.kill(running.pid, 'SIGSTOP'),
    resume: () => process.kill(running.pid, 'SIGCONT'),
    kill,
    async restart() {
      running = await started(flags)
      await answering(client)
    },
    async stop() {
      client.disconnect()
      if (running.guard.exitCode === null) await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const started = async (flags: readonly string[]): Promise<{ readonly guard: ChildProcess; readonly pid: number }> => {
  const guard = spawn('sh', ['-c', guarded, 'redis', ...flags], { stdio: ['pipe', 'pipe', 'ignore'] })
  const pid = await new Promise<number>((resolve, reject) => {
    guard.once('error', reject)
    guard.stdout.once('data', (text) => resolve(Number(text)))
  })
  return { guard, pid }
}

/** Waits until it takes commands; one that is reading its files answers that it is loading. */
const answering = async (client: Redis): Promise<void> => {
  if (client.status === 'wait') await client.connect().catch(() => {})
  await client.ping()
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
