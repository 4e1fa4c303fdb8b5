import { type Arrival, type Audit, arrivalsVersion, type CasePlay } from '../../../evidence/arrivals.js'

/** What a simulated server answers: the same each time, or by the number of the request (from 0). */
export interface SimulatedCase {
  readonly id: string
  readonly status?: number
  readonly retryAfter?: string | ((answeredAtMs: number) => string)
  readonly resetInMs?: number
  readonly plays?: number
  readonly watchMs?: number
  /** The first request that it serves. */
  readonly servesFrom?: number
  /** Requests sent at once, each by its own worker. */
  readonly workers?: number
}

/** How long a client waits after a refusal; undefined if it gives up. `attempt` counts from 0. */
export type Policy = (seen: {
  readonly attempt: number
  readonly retryAfter: string | undefined
  readonly answeredAtMs: number
}) => number | undefined

const wallStartMs = 1_767_225_600_000
const answerMs = 1
const mostAttempts = 120

/** The HTTP-date of a moment of the simulation, rounded up to the second. */
export const dateAt = (ms: number): string => new Date(Math.ceil((wallStartMs + ms) / 1000) * 1000).toUTCString()

/** The same in the obsolete form of RFC 850. */
const obsoleteDateAt = (ms: number): string => {
  const [, day, month, year, time] = dateAt(ms).split(/[ ,]+/)
  return `Thursday, ${day}-${month}-${year.slice(2)} ${time} GMT`
}

/** The moment of the simulation that an HTTP-date names, in whichever form. */
export const momentOf = (date: string): number =>
  Date.parse(date.replace(/^\w+, (\d\d)-(\w{3})-(\d\d) /, 'Thu, $1 $2 20$3 ')) - wallStartMs

const head: Audit['head'] = {
  type: 'audit',
  arrivalsVersion,
  toolVersion: '0.0.0',
  id: 'simulated',
  startedAt: '2026-01-01T00:00:00.000Z',
  wallStartMs,
  scenario: 'simulated',
  client: 'a policy',
  command: 'quotaspec client',
  strict: false,
  cases: null,
  environment: { node: 'v20', platform: 'linux', cpus: 2 },
}

interface Played {
  readonly play: CasePlay
  readonly arrivals: readonly Arrival[]
}

const playOne = (simulated: SimulatedCase, number: number, policy: Policy, zeroMs: number): Played => {
  const { id, status = 429, watchMs = 60_000, servesFrom = Number.POSITIVE_INFINITY, workers = 1 } = simulated
  const playId = `${id}#${number}`
  const arrivals: Arrival[] = []
  let attempts = 0
  let isWaiting = false
  const worker = (connection: number, startMs: number) => {
    let at = startMs
    for (let attempt = 0; at - zeroMs < watchMs && attempts < mostAttempts; attempt += 1) {
      const served = attempt >= servesFrom
      const answeredAt = at + answerMs
      const { retryAfter: told } = simulated
      const retryAfter = served ? undefined : typeof told === 'function' ? told(answeredAt) : told
      const reset =
        simulated.resetInMs === undefined
          ? null
          : String(Math.ceil((wallStartMs + answeredAt + simulated.resetInMs) / 1000))
      attempts += 1
      arrivals.push({
        type: 'arrival',
        id: `${playId}.${attempts}`,
        play: playId,
        at,
        notBefore: at,
        acceptedAt: startMs,
        openedAfter: startMs,
        answeredAt,
        connection,
        method: 'GET',
        path: '/v1/inventory',
        credential: 'bearer',
        status: served ? 200 : status,
        retryAfter: retryAfter ?? null,
        reset: served ? null : reset,
        remaining: null,
        banned: false,
        starved: {},
        starvedByAnswer: {},
      })
      const waitMs = served ? undefined : policy({ attempt, retryAfter, answeredAtMs: answeredAt })
      if (waitMs === undefined) return
      at = answeredAt + waitMs
    }
    isWaiting = true
  }
  for (let index = 0; index < workers; index += 1) worker(index + 1, zeroMs + index * 0.5)
  const last = Math.max(...arrivals.map(({ at }) => at))
  const end = attempts >= mostAttempts ? 'attempts' : isWaiting ? 'watch' : 'exit'
  const play: CasePlay = {
    type: 'play',
    id: playId,
    case: id,
    title: id,
    startedAt: zeroMs,
    endedAt: end === 'watch' ? zeroMs + watchMs : last + 10,
    end,
    exitCode: end === 'exit' ? 0 : null,
    signal: null,
    leftBehind: false,
    output: '',
    asked: { requests: 1, workers: 1, operation: 'listInventory' },
    timeZone: null,
    quota: null,
  }
  return { play, arrivals }
}

/** The recorded audit of a simulated client with this policy, played against these cases. */
export const simulatedAudit = (cases: readonly SimulatedCase[], policy: Policy): Audit => {
  const played = cases.flatMap((each, at) =>
    Array.from({ length: each.plays ?? 1 }, (_, number) => playOne(each, number + 1, policy, 1_000 + at * 137)),
  )
  return {
    head,
    plays: played.map(({ play }) => play),
    arrivals: played.flatMap(({ arrivals }) => arrivals).toSorted((a, b) => a.at - b.at),
    beats: [],
    endedAt: 120_000,
    interrupted: false,
  }
}

/** The cases that decide every clause and the grades up to B. */
export const decisiveCases: readonly SimulatedCase[] = [
  { id: 'seconds', retryAfter: '2' },
  { id: 'seconds-61', retryAfter: '61', watchMs: 66_000 },
  { id: 'seconds-86400', retryAfter: '86400' },
  { id: 'huge', retryAfter: '3000000' },
  { id: 'date', retryAfter: (at) => dateAt(at + 3_000) },
  { id: 'date-rfc850', retryAfter: (at) => obsoleteDateAt(at + 3_000) },
  { id: 'zero', retryAfter: '0', watchMs: 10_000 },
  { id: 'past', retryAfter: (at) => dateAt(at - 60_000), plays: 5, watchMs: 10_000 },
  { id: 'garbage', retryAfter: 'soon', plays: 5, watchMs: 10_000 },
  { id: 'fractional', retryAfter: '1.5', plays: 5, watchMs: 10_000 },
  { id: 'absent', plays: 10 },
]
