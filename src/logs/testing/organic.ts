import { Readable } from 'node:stream'
import type { Limiter } from '../../certificate/limiters.js'
import type { ApiContract } from '../../contract/api-contract.js'
import { modelNames } from '../../contract/limiter-models.js'
import type { Random } from '../../kit/random.js'
import type { LogFile } from '../line-source.js'

/** A request as a server served it. */
export interface ServedRequest {
  readonly client: number
  readonly startMs: number
  readonly endMs: number
  readonly status: number
}

/** A request before it is decided. */
export interface Arrival {
  readonly client: number
  readonly startMs: number
  /** When the limiter decides it. */
  readonly decidedMs: number
  readonly endMs: number
}

/** 2026-11-02 00:00 UTC. */
export const firstDayMs = Date.UTC(2026, 10, 2)
const dayMs = 86_400_000

/** The traffic at a moment, relative to the day's mean: quiet at night, twice the mean at noon. */
const rhythm = (ms: number): number => 1 - Math.cos((2 * Math.PI * (ms % dayMs)) / dayMs)

export interface OrganicSettings {
  readonly random: Random
  readonly requests: number
  readonly clients?: number
  /** Requests per second of a greedy client at a mean hour, and of each other client. */
  readonly greedyRate?: number
  readonly usualRate?: number
}

const greedyClients = 2
const mostWorkers = 8

/**
 * An API's normal traffic: requests at random (Poisson), more by day than by night, with two greedy clients. A limiter
 * decides when a request arrives; most take some milliseconds, a few take long.
 */
export const organicArrivals = ({
  random,
  requests,
  clients = 10,
  greedyRate = 3,
  usualRate = 0.3,
}: OrganicSettings): Arrival[] => {
  const exponential = (mean: number) => -mean * Math.log(1 - random.float())
  const rateOf = (client: number) => (client < greedyClients ? greedyRate : usualRate * (0.5 + client / clients)) / 1000
  const beginMs = firstDayMs + 6 * 3_600_000 + random.float() * 6 * 3_600_000
  const next = Array.from({ length: clients }, (_, client) => beginMs + exponential(1 / rateOf(client)))
  const arrivals: Arrival[] = []
  while (arrivals.length < requests) {
    const client = next.indexOf(Math.min(...next))
    const atMs = next[client]
    // The first client has workers that start together.
    const together = client === 0 ? random.int(1, mostWorkers) : 1
    next[client] = atMs + exponential(together / (rateOf(client) * Math.max(0.1, rhythm(atMs))))
    for (let worker = 0; worker < together; worker += 1) {
      const startMs = atMs + worker * random.float() * 0.2
      const tookMs = 2 + exponential(random.float() < 0.02 ? 800 : 25)
      arrivals.push({
        client,
        startMs,
        decidedMs: startMs + Math.min(tookMs, 2) * random.float(),
        endMs: startMs + tookMs,
      })
    }
  }
  return arrivals.slice(0, requests)
}

/** Decides traffic with a limiter for each client. */
export const decided = (arrivals: readonly Arrival[], limiterOf: (client: number) => Limiter): ServedRequest[] => {
  const limiters = new Map<number, Limiter>()
  const ruled = arrivals
    .toSorted((a, b) => a.decidedMs - b.decidedMs)
    .map(({ client, startMs, endMs, decidedMs }) => {
      const limiter = limiters.get(client) ?? limiterOf(client)
      limiters.set(client, limiter)
      return { client, startMs, endMs, status: limiter.decide(decidedMs) ? 200 : 429 }
    })
  return ruled.sort((a, b) => a.endMs - b.endMs)
}

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const two = (value: number) => String(value).padStart(2, '0')

/** A line of nginx, with the end in whole seconds. */
export const nginxLine = ({ client, startMs, endMs, status }: ServedRequest): string => {
  const at = new Date(endMs)
  const day = `${two(at.getUTCDate())}/${monthNames[at.getUTCMonth()]}/${at.getUTCFullYear()}`
  const time = `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())}`
  const took = (Math.floor(endMs) - Math.floor(startMs)) / 1000
  return `10.0.0.${client} - key-${client} [${day}:${time} +0000] "GET /items?limit=1 HTTP/1.1" ${status} 512 "-" "app/1.0" ${took.toFixed(3)}`
}

/** A line of JSON, with the beginning in milliseconds. */
export const jsonLine = ({ client, startMs, endMs, status }: ServedRequest): string =>
  JSON.stringify({
    apiKey: `key-${client}`,
    ts: new Date(startMs).toISOString(),
    duration: Math.floor(endMs) - Math.floor(startMs),
    code: status,
  })

export const jsonFields = { key: '$.apiKey', start: '$.ts', ms: '$.duration', status: '$.code' } as const

/** A log of these lines. */
export const logOf = (lines: readonly string[], name = 'access.log'): LogFile => ({
  name,
  open: () => Readable.from(lines.map((line) => Buffer.from(`${line}\n`))),
})

/** A contract of one quota, 60 a minute. */
export const shopContract = (change: Partial<ApiContract['quotas'][number]> = {}): ApiContract => ({
  name: 'shop',
  credentials: { free: { scheme: 'header', name: 'X-Api-Key', env: 'SHOP_KEY' } },
  requests: { items: { method: 'GET', path: '/items', headers: {}, expect: [] } },
  headers: [],
  retryAfter: null,
  refusals: [],
  quotas: [
    {
      id: 'core',
      by: 'credential',
      limit: { free: 60 },
      windowMs: 60_000,
      requests: ['items'],
      models: [...modelNames],
      exact: { over: 0, early: 0 },
      cost: {},
      level: 'must',
      ...change,
    },
  ],
})
