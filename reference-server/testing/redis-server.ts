import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'

/** Whether to skip tests that need Redis. On CI a missing Redis is a failure, never a skip that reads green. */
export const redisIsMissing = !process.env.CI && spawnSync('redis-server', ['--version']).status !== 0

/** A test's own Redis server, on loopback. */
export interface RedisServer {
  readonly port: number
  readonly url: string
  /** For tests that read what is stored. Closed when the server stops. */
  readonly client: Redis
  /** Stops responding, like an overloaded server, until resumed. */
  pause(): void
  resume(): void
  /** Ends it abruptly, like a machine that loses power. Its files stay until `stop`. */
  kill(): Promise<void>
  /** Starts it again on the same port, with its files. */
  restart(): Promise<void>
  /** Ends it and removes its files. */
  stop(): Promise<void>
}

/** Kills the server when this script's input ends, so that none outlives its test, however that ends. */
const guarded = 'redis-server "$@" >/dev/null 2>&1 & echo $!; read _; kill -9 $! 2>/dev/null; wait'

/** Starts a small Redis with these additional settings; without `appendonly yes` it writes no files. */
export const startRedis = async (settings: readonly string[] = []): Promise<RedisServer> => {
  const folder = mkdtempSync(join(tmpdir(), 'quotaspec-redis-'))
  const port = await freePort()
  const flags = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--dir', folder, ...settings]
  const [, password] = /(?:^| )--requirepass (\S+)/.exec(settings.join(' ')) ?? []
  // Retries for as long as a restart takes.
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

/** Waits until it accepts commands; while it reads its files, it answers that it is loading. */
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
