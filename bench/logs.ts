import { setImmediate } from 'node:timers/promises'
import type { Call } from '../reference-server/behaviour.js'
import { faults, variations } from '../reference-server/faults/catalogue.js'
import type { RequestHead } from '../reference-server/http/bearer-keys.js'
import { petstoreBehaviour, type ReferenceServerOptions, settingsOf } from '../reference-server/petstore-app.js'
import { pipelineOf, refusalOf } from '../reference-server/pipeline.js'
import { createMemoryStore } from '../reference-server/stores/store.js'
import { seededRandom } from '../src/kit/random.js'
import { trafficJudge } from '../src/logs/judge-traffic.js'
import {
  type Arrival,
  jsonFields,
  jsonLine,
  logOf,
  nginxLine,
  organicArrivals,
  type ServedRequest,
  shopContract,
} from '../src/logs/testing/organic.js'
import { readTraffic } from '../src/logs/traffic.js'

const clients = 10

/** Petstores with ten free keys, whose day does not matter. */
const optionsOf = (departure: Pick<ReferenceServerOptions, 'faults' | 'variations'>): ReferenceServerOptions => ({
  ...departure,
  keys: Array.from({ length: clients }, (_, i) => ({ secret: `key-${i}-of-ten-in-all`, plan: 'free' as const })),
  quotas: { free: { minute: 60, day: 1_000_000_000 } },
  ban: { threshold: Number.POSITIVE_INFINITY },
})

const headOf = (client: number): RequestHead =>
  ({
    method: 'GET',
    url: '/v1/inventory',
    headers: { authorization: `Bearer key-${client}-of-ten-in-all` },
    rawHeaders: ['Authorization', `Bearer key-${client}-of-ten-in-all`],
    socket: { remoteAddress: `10.0.0.${client}` },
  }) as never

/** Requests decided this close together collide in a server that checks first and counts later. */
const meetMs = 1

/** The earliest day of the clock: 300 ms after it began. */
const wallStartMs = Date.UTC(2026, 0, 1) + 300

/** A clock set by arrivals, which wakes sleepers one after the other when they are due. */
const arrivalClock = () => {
  const sleepers: { readonly dueMs: number; readonly wake: () => void }[] = []
  const clock = {
    ms: 0,
    monotonicMs: () => clock.ms,
    wallMs: () => wallStartMs + clock.ms,
    sleep: (ms: number) => new Promise<void>((wake) => sleepers.push({ dueMs: clock.ms + ms, wake })),
    async goTo(ms: number) {
      while (sleepers.some(({ dueMs }) => dueMs <= ms)) {
        const first = sleepers.reduce((least, each) => (each.dueMs < least.dueMs ? each : least))
        sleepers.splice(sleepers.indexOf(first), 1)
        clock.ms = first.dueMs
        first.wake()
        await setImmediate()
      }
      clock.ms = Math.max(clock.ms, ms)
    },
  }
  return clock
}

/** A served request, with the moments between which it was decided. */
interface Decided extends ServedRequest {
  readonly enteredMs: number
  readonly decidedMs: number
}

/** Nobody sleeps longer. */
const longestSleepMs = 3_600_000

/** Serves traffic with a Petstore. */
const served = async (arrivals: readonly Arrival[], options: ReferenceServerOptions): Promise<Decided[]> => {
  const clock = arrivalClock()
  const behaviour = petstoreBehaviour({ ...options, clock }, settingsOf({ ...options, clock }))
  const pipeline = pipelineOf(behaviour, createMemoryStore(behaviour))
  const ordered = arrivals.toSorted((a, b) => a.decidedMs - b.decidedMs)
  const begunMs = ordered[0].decidedMs
  const statusOf = (call: Call) => {
    if (!behaviour.letsIn(call)) return 401
    return call.ruling.outcome === 'admitted' ? 200 : refusalOf(behaviour, call).status
  }
  const found: Decided[] = []
  let waitingSinceMs: number | undefined
  for (const { client, startMs, decidedMs, endMs } of ordered) {
    if (waitingSinceMs !== undefined && decidedMs - waitingSinceMs > meetMs) {
      await setImmediate()
      waitingSinceMs = undefined
    }
    await clock.goTo(decidedMs - begunMs)
    const enteredMs = begunMs + clock.ms
    const entered = pipeline.enter(headOf(client), 'listInventory')
    // Whoever waits answers later.
    const note = (call: Call) => {
      const nowMs = begunMs + clock.ms
      found.push({
        client,
        startMs,
        endMs: Math.max(endMs, nowMs),
        status: statusOf(call),
        enteredMs,
        decidedMs: nowMs,
      })
    }
    if (entered instanceof Promise) {
      waitingSinceMs ??= decidedMs
      void entered.then(note)
    } else note(entered)
  }
  await setImmediate()
  await clock.goTo(clock.ms + longestSleepMs)
  return found.sort((a, b) => a.endMs - b.endMs)
}

/** A line with the moment of the decision, in microseconds, which no real log has. */
const exactLine = ({ client, status, enteredMs, decidedMs }: Decided): string =>
  JSON.stringify({
    apiKey: `key-${client}`,
    from: enteredMs.toFixed(3),
    to: Math.max(enteredMs, decidedMs).toFixed(3),
    code: status,
  })

const clocks = {
  exact: {
    format: 'json',
    line: exactLine,
    fields: { key: '$.apiKey', start: '$.from', end: '$.to', status: '$.code' },
  },
  '1 ms': { format: 'json', line: jsonLine, fields: jsonFields },
  '1 s': { format: 'nginx', line: nginxLine, fields: {} },
} as const

/** How many clients are found to break the quota. */
const alarms = async (log: readonly Decided[], clock: keyof typeof clocks, isComplete: boolean) => {
  const { format, line, fields } = clocks[clock]
  const contract = shopContract()
  const judge = trafficJudge(contract, isComplete)
  const ordered = clock === 'exact' ? log.toSorted((a, b) => a.decidedMs - b.decidedMs) : log
  await readTraffic(
    {
      contract,
      logs: [{ file: logOf(ordered.map(line)), clock: { errorMs: 0, longestMs: undefined } }],
      format,
      fields,
      requests: [],
      secrets: {},
    },
    judge.take,
  )
  return judge.judged().reduce((sum, { brokenKeys }) => sum + brokenKeys.size, 0)
}

const parts = ['whole', 'half'] as const
const ways = parts.flatMap((part) =>
  (Object.keys(clocks) as (keyof typeof clocks)[]).map((clock) => ({ part, clock, name: `${part}, ${clock}` })),
)

/**
 * Plays organic traffic on each fault that breaks a key's limit, and on each variation, and judges the logs: complete ones,
 * and half of the lines. Prints a Markdown table of how many clients are found to break the quota, with a summary. "Exact"
 * logs say when each request was decided: a client without a breach even there has none. `node logs.js [LINES] [ID...]`.
 */
const [lines = '100000', ...only] = process.argv.slice(2)

interface Row {
  readonly breaks: string
  readonly found: readonly number[]
}

const rowOf = async (
  id: string,
  breaks: string,
  departure: Pick<ReferenceServerOptions, 'faults' | 'variations'>,
): Promise<Row> => {
  const arrivals = organicArrivals({ random: seededRandom(11), requests: Number(lines), clients })
  const log = await served(arrivals, optionsOf(departure))
  const random = seededRandom(5)
  const half = log.filter(() => random.float() < 0.5)
  const found: number[] = []
  for (const { clock, part } of ways) found.push(await alarms(part === 'half' ? half : log, clock, part === 'whole'))
  console.log(`| ${id} | ${breaks} | ${found.join(' | ')} |`)
  return { breaks, found }
}

console.log(
  `| departure | breaks | ${ways.map(({ name }) => name).join(' | ')} |\n|---|---|${'---|'.repeat(ways.length)}`,
)
const isAsked = (id: string) => only.length === 0 || only.includes(id)

/** A breach only for a contract file that counts by credential. */
const countsByPlan = 'keys-of-a-plan-share'

const rows: Row[] = []
for (const { id, breaks } of faults) {
  const quotas = breaks.filter((each) => each.startsWith('QUOTA'))
  const areOfOneKey = quotas.length > 0 && quotas.every((each) => each === 'QUOTA-1' || each === 'QUOTA-2')
  if (areOfOneKey && isAsked(id)) rows.push(await rowOf(id, quotas.join(', '), { faults: [id] }))
}
for (const { id } of variations)
  if (id !== countsByPlan && isAsked(id)) rows.push(await rowOf(id, '-', { variations: [id] }))

const of = (breaks: string) => rows.filter((each) => each.breaks === breaks)
const sums = [
  ['faults that admit too much', of('QUOTA-1')],
  ['faults that refuse too early', of('QUOTA-2')],
  ['alarms on variations', of('-')],
] as const
for (const [what, own] of sums) {
  const cells = ways.map((_, i) => own.filter(({ found }) => found[i] > 0).length)
  console.log(`| ${what}: ${own.length} | | ${cells.join(' | ')} |`)
}
