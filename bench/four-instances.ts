import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { algorithmNames } from '../reference-server/limiters/algorithms.js'
import { startReferenceServer } from '../reference-server/petstore-app.js'
import { connectRedis } from '../reference-server/stores/redis-store.js'
import { startRedis } from '../reference-server/testing/redis-server.js'
import type { ModelName } from '../src/contract/limiter-models.js'
import { systemClock } from '../src/kit/clock.js'

// Four reference servers on one Redis, and four processes that each send a burst over all four at the same moment, each
// time on a fresh key: how often exactly the limit is admitted, by algorithm; and what four servers admit that each count
// alone. Needs redis-server; uses only loopback.
// Usage: node dist/bench/four-instances.js [bursts]
// Exits with 1 if a burst on the shared count was not exact.

const limit = 60
const processes = 4
/** Each process sends the limit, so four times the limit arrives at once. */
const perSender = limit
/** Windows of a hundred minutes, so that no burst meets a window's end or a refill. */
const timeScale = 0.01
const self = fileURLToPath(import.meta.url)
const keyOf = (burst: number) => `four-instances-${burst}`

/** A process that serves by each algorithm, on Redis and alone. */
interface Instance {
  readonly bursts: number
  readonly redisUrl: string
}

type Counted = 'shared' | 'alone'

/** The addresses of the servers in one process. */
type Served = Readonly<Record<ModelName, Readonly<Record<Counted, string>>>>

interface Burst {
  readonly urls: readonly string[]
  readonly key: string
}

const serve = async (algorithm: ModelName, { bursts, redisUrl }: Instance, counted: Counted): Promise<string> => {
  const store =
    counted === 'shared'
      ? await connectRedis({ url: redisUrl, prefix: `${algorithm}:`, timeoutMs: 5_000, clock: systemClock })
      : undefined
  const keys = Array.from({ length: bursts }, (_, burst) => ({ plan: 'enterprise' as const, secret: keyOf(burst) }))
  const quotas = { enterprise: { minute: limit, day: 1_000_000 } }
  return (
    await startReferenceServer({
      keys,
      quotas,
      algorithm,
      store,
      timeScale,
      ban: { threshold: Number.POSITIVE_INFINITY },
    })
  ).url
}

const serveAll = async (instance: Instance): Promise<Served> => {
  const served = algorithmNames.map(async (algorithm) => {
    const [shared, alone] = await Promise.all([
      serve(algorithm, instance, 'shared'),
      serve(algorithm, instance, 'alone'),
    ])
    return [algorithm, { shared, alone }]
  })
  return Object.fromEntries(await Promise.all(served))
}

/** Sends a burst over all instances at once; how many were admitted, and how many neither admitted nor refused. */
const sendBurst = async ({ urls, key }: Burst) => {
  const statuses = await Promise.all(
    Array.from({ length: perSender }, async (_, index) => {
      const answer = await fetch(`${urls[index % urls.length]}/inventory`, {
        headers: { Authorization: `Bearer ${key}` },
      })
      await answer.arrayBuffer()
      return answer.status
    }),
  )
  const count = (wanted: (status: number) => boolean) => statuses.filter(wanted).length
  return { admitted: count((status) => status === 200), other: count((status) => status !== 200 && status !== 429) }
}

type Sent = Awaited<ReturnType<typeof sendBurst>>

const nextMessage = <T>(child: ChildProcess): Promise<T> =>
  new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`a process ended with ${code}`))
    child.once('exit', ended)
    child.once('message', (value) => {
      child.off('exit', ended)
      resolve(value as T)
    })
  })

/** Starts the processes of this role; resolves to what each said first. */
const started = <T>(role: Instance | 'sender') =>
  Promise.all(
    Array.from({ length: processes }, async () => {
      const child = fork(self, [JSON.stringify(role)])
      return { child, said: await nextMessage<T>(child) }
    }),
  )

/** The admitted requests of each burst. */
const playBursts = async (urls: readonly string[], senders: readonly ChildProcess[], bursts: number) => {
  const admitted: number[] = []
  for (let burst = 0; burst < bursts; burst += 1) {
    const answers = senders.map((sender) => nextMessage<Sent>(sender))
    for (const sender of senders) sender.send({ urls, key: keyOf(burst) } satisfies Burst)
    const sent = await Promise.all(answers)
    if (sent.some(({ other }) => other > 0)) throw new Error('some were neither admitted nor refused')
    admitted.push(sent.reduce((sum, each) => sum + each.admitted, 0))
  }
  return admitted
}

const playAll = async (bursts: number): Promise<boolean> => {
  const redis = await startRedis()
  const instances = await started<Served>({ bursts, redisUrl: redis.url })
  const senders = (await started('sender')).map(({ child }) => child)
  let exact = true
  try {
    console.log(
      `limit ${limit}, ${processes * perSender} requests at once from ${processes} processes, ${bursts} bursts`,
    )
    for (const algorithm of algorithmNames) {
      const urls = (counted: Counted) => instances.map(({ said }) => said[algorithm][counted])
      const shared = await playBursts(urls('shared'), senders, bursts)
      const alone = await playBursts(urls('alone'), senders, bursts)
      const right = shared.filter((count) => count === limit).length
      exact &&= right === bursts
      const range = (counts: readonly number[]) => `${Math.min(...counts)} to ${Math.max(...counts)}`
      console.log(
        `${algorithm.padEnd(28)} on one Redis exactly ${limit} in ${right} of ${bursts} (${range(shared)}); each alone ${range(alone)}`,
      )
    }
  } finally {
    for (const child of [...senders, ...instances.map((each) => each.child)]) child.kill()
    await redis.stop()
  }
  return exact
}

const [argument] = process.argv.slice(2)
if (process.send) {
  const role = JSON.parse(argument) as Instance | 'sender'
  if (role === 'sender') {
    process.on('message', (burst) => void sendBurst(burst as Burst).then((sent) => process.send?.(sent)))
    process.send('ready')
  } else process.send(await serveAll(role))
} else if (!(await playAll(Number(argument ?? 50)))) process.exitCode = 1
