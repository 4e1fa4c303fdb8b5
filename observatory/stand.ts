import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { Agent, createServer, request } from 'node:http'
import { connect, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type RedisServer, startRedis } from '../reference-server/testing/redis-server.js'
import type { Limiter } from './limiter.js'
import type { EventName } from './plays.js'

/** A limiter that is up, with what an event needs to reach it. All on loopback. */
export interface Stand {
  readonly url: string
  /** Where a GET of an event's name brings that event about, and is answered once it is over. */
  readonly control: string
  close(): Promise<void>
}

const startsWithinMs = 60_000
const failsForMs = 2_000
const slowByMs = 300

const listening = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
  })

const freePort = async (): Promise<number> => {
  const server = createTcpServer()
  const port = await listening(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (is: boolean) => {
      socket.destroy()
      resolve(is)
    }
    socket.once('connect', () => end(true)).once('error', () => end(false))
  })

/** Ends a group of processes with this one, however this one ends. */
const endsWithUs = (child: ChildProcess): void => {
  const end = () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
  }
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
}

/** A process that serves on a port, with all that it started. */
const serve = async ({ id, start, folder, env }: Limiter, given: Readonly<Record<string, string>>, port: number) => {
  const [command = '', ...args] = start
  const files = mkdtempSync(join(tmpdir(), 'quotaspec-observatory-'))
  // A file, for what is no file some servers can't open by the name of /dev/stderr.
  const log = join(files, 'log')
  let child: ChildProcess | undefined
  const end = async () => {
    const gone = child
    child = undefined
    if (gone?.pid === undefined || gone.exitCode !== null) return
    const ended = new Promise((resolve) => gone.once('exit', resolve))
    // Started as a group of its own, so that what a shell has started ends with it.
    process.kill(-gone.pid, 'SIGKILL')
    await ended
  }
  const begin = async () => {
    const output = openSync(log, 'a')
    const started = spawn(command, args, {
      cwd: folder,
      detached: true,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env, ...given, PORT: `${port}`, DIR: files },
      stdio: ['ignore', output, output],
    })
    child = started
    endsWithUs(started)
    let failure = ''
    started.on('error', ({ message }) => {
      failure = message
    })
    closeSync(output)
    const latest = performance.now() + startsWithinMs
    while (!(await accepts(port))) {
      if (started.exitCode !== null || started.pid === undefined || performance.now() > latest)
        throw new Error(`${id} does not start: ${failure}${readFileSync(log, 'utf8').slice(-2_000).trim()}`)
      await pause(20)
    }
  }
  await begin()
  return {
    async restart() {
      await end()
      await begin()
    },
    async close() {
      await end()
      rmSync(files, { recursive: true, force: true })
    },
  }
}

/** Takes turns between servers, request by request, as a plain load balancer does. */
const startProxy = async (ports: readonly number[]) => {
  const agent = new Agent({ keepAlive: true })
  let turn = 0
  const server = createServer((incoming, answer) => {
    const { method, url: path, headers } = incoming
    const port = ports[turn++ % ports.length]
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers, agent }, (from) => {
      answer.writeHead(from.statusCode ?? 502, from.rawHeaders)
      from.pipe(answer)
    })
    outgoing.on('error', () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()))
    incoming.pipe(outgoing)
  })
  const port = await listening(server)
  return {
    port,
    async close() {
      server.closeAllConnections()
      agent.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The way to the store, which can be shut, or made slow for what goes there. */
const startDoor = async (to: number) => {
  const open = new Set<Socket>()
  let delayMs = 0
  let isShut = false
  const server = createTcpServer((near) => {
    if (isShut) return void near.destroy()
    const far = connect(to, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.on('error', () => {})
      one.once('close', () => {
        open.delete(one)
        other.destroy()
      })
    }
    far.on('data', (bytes) => near.write(bytes))
    // Whatever follows bytes that were delayed waits for them, or the store would read it first.
    let sent = Promise.resolve()
    near.on('data', (bytes) => {
      const due = performance.now() + delayMs
      sent = sent.then(async () => {
        const waitMs = due - performance.now()
        if (waitMs > 0) await pause(waitMs)
        far.write(bytes)
      })
    })
  })
  const port = await listening(server)
  const cut = () => {
    for (const each of open) each.destroy()
  }
  return {
    port,
    async shut() {
      isShut = true
      cut()
      await pause(failsForMs)
      isShut = false
    },
    async slow() {
      delayMs = slowByMs
      await pause(failsForMs)
      delayMs = 0
    },
    async close() {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const runs = async ([command = '', ...args]: readonly string[], cwd: string, env: Readonly<Record<string, string>>) => {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: 'ignore' })
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve))
  if (code !== 0) throw new Error(`${command} ended with ${code}`)
}

/** Starts a limiter, with a store of its own where it has one, and as many processes as are wanted. */
export const startStand = async (
  limiter: Limiter,
  wanted: { readonly processes: 1 | 3; readonly off?: boolean },
): Promise<Stand> => {
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (const each of closers.splice(0).reverse()) await each()
  }
  try {
    let redis: RedisServer | undefined
    let door: Awaited<ReturnType<typeof startDoor>> | undefined
    if (limiter.store === 'redis') {
      redis = await startRedis()
      closers.push(redis.stop)
      door = await startDoor(redis.port)
      closers.push(door.close)
    }
    const given: Record<string, string> = {
      ...(door && { REDIS_URL: `redis://127.0.0.1:${door.port}` }),
      ...(wanted.off && { LIMITER: 'off' }),
    }
    const up: { readonly port: number; restart(): Promise<void> }[] = []
    for (let made = 0; made < wanted.processes; made += 1) {
      const port = await freePort()
      const served = await serve(limiter, given, port)
      closers.push(served.close)
      up.push({ port, restart: served.restart })
    }
    const front = wanted.processes > 1 ? await startProxy(up.map(({ port }) => port)) : undefined
    if (front) closers.push(front.close)

    const { reload } = limiter
    const restarts = () =>
      Promise.all(
        up.map(({ port, restart }) =>
          reload ? runs(reload, limiter.folder, { ...given, PORT: `${port}` }) : restart(),
        ),
      )
    const happen: Readonly<Record<EventName, () => Promise<unknown> | undefined>> = {
      restart: restarts,
      'store-stopped': () => door?.shut(),
      'store-slow': () => door?.slow(),
      'store-flushed': () => redis?.client.flushall(),
    }
    const control = createServer(async ({ url = '/' }, answer) => {
      try {
        await happen[url.slice(1) as EventName]()
        answer.end()
      } catch {
        answer.writeHead(500).end()
      }
    })
    const controlPort = await listening(control)
    closers.push(async () => {
      control.closeAllConnections()
      await new Promise((resolve) => control.close(resolve))
    })
    return { url: `http://127.0.0.1:${front?.port ?? up[0]?.port}`, control: `http://127.0.0.1:${controlPort}`, close }
  } catch (error) {
    await close()
    throw error
  }
}
