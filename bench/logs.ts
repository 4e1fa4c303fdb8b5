import type { Call } from '../reference-server/behaviour/behaviour.js'
import { pipelineOf, refusalOf } from '../reference-server/behaviour/pipeline.js'
import { faults, variations } from '../reference-server/faults/catalogue.js'
import type { RequestHead } from '../reference-server/http/bearer-keys.js'
import { petstoreBehaviour } from '../reference-server/petstore/app.js'
import { type ReferenceServerOptions, settingsOf } from '../reference-server/petstore/server-options.js'
import { createMemoryStore } from '../reference-server/stores/store.js'
import { heldClock } from '../reference-server/testing/held-clock.js'
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

/** Petstores with ten free keys, whose day is no matter. */
const optionsOf = (departure: Pick<ReferenceServerOptions, 'faults' | 'variations'>): ReferenceServerOptions => ({
  ...departure,
  keys: Array.from({ length: clients }, (_, i) => ({ secret: `key-${i}-of-ten-in-all`, plan: 'free' as const })),
  quotas: { free: { minute: 60, day: 1_000_000_000 } },
  ban: false,
})

const headOf = (client: number): RequestHead =>
  ({
    method: 'GET',
    url: '/v1/inventory',
    headers: { authorization: `Bearer key-${client}-of-ten-in-all` },
    rawHeaders: ['Authorization', `Bearer key-${client}-of-ten-in-all`],
    socket: { remoteAddress: `10.0.0.${client}` },
  }) as never

/** Requests that are decided within so much of each other meet in a server that looks first and counts later. */
const meetMs = 1

/** What becomes of traffic on a Petstore, in the order in which it decides. */
const served = async (arrivals: readonly Arrival[], options: ReferenceServerOptions): Promise<ServedRequest[]> => {
  const clock = heldClock()
  const settings = settingsOf({ ...options, clock })
  const behaviour = petstoreBehaviour({ ...options, clock }, settings)
  const pipeline = pipelineOf(behaviour, createMemoryStore(behaviour))
  const ordered = arrivals.toSorted((a, b) => a.decidedMs - b.decidedMs)
  const begunMs = ordered[0].decidedMs
  const statusOf = (call: Call) => {
    if (!behaviour.letsIn(call)) return 401
    return call.ruling.outcome === 'admitted' ? 200 : refusalOf(behaviour, call).status
  }
  const found: ServedRequest[] = []
  let waiting: Promise<unknown>[] = []
  let waitingSinceMs = 0
  for (const { client, startMs, decidedMs, endMs } of ordered) {
    if (waiting.length > 0 && decidedMs - waitingSinceMs > meetMs) {
      await Promise.all(waiting)
      waiting = []
    }
    clock.ms = Math.max(clock.ms, decidedMs - begunMs)
    const entered = pipeline.enter(headOf(client), 'listInventory')
    // Whoever waits answers later.
    const note = (call: Call) =>
      found.push({ client, startMs, endMs: Math.max(endMs, begunMs + clock.ms), status: statusOf(call) })
    if (!(entered instanceof Promise)) note(entered)
    else {
      if (waiting.length === 0) waitingSinceMs = decidedMs
      waiting.push(entered.then(note))
    }
  }
  await Promise.all(waiting)
  return found.sort((a, b) => a.endMs - b.endMs)
}

const clocks = {
  '1 ms': { format: 'json', line: jsonLine, fields: jsonFields },
  '1 s': { format: 'nginx', line: nginxLine, fields: {} },
} as const

/** How many clients are found to break the quota. */
const alarms = async (log: readonly ServedRequest[], clock: keyof typeof clocks, isComplete: boolean) => {
  const { format, line, fields } = clocks[clock]
  const contract = shopContract()
  const judge = trafficJudge(contract, isComplete)
  await readTraffic(
    {
      contract,
      logs: [{ file: logOf(log.map(line)), clock: { errorMs: 0, longestMs: undefined } }],
      format,
      fields,
      requests: [],
      secrets: {},
    },
    judge.take,
  )
  return judge.judged().reduce((sum, { brokenKeys }) => sum + brokenKeys.size, 0)
}

const ways = [
  ['whole, 1 ms', '1 ms', 'whole'],
  ['whole, 1 s', '1 s', 'whole'],
  ['half, 1 ms', '1 ms', 'half'],
  ['half, 1 s', '1 s', 'half'],
] as const

/**
 * Plays organic traffic on each fault that breaks the limit of a key, and on each variation of the catalogue, and judges its logs: whole ones that say so,
 * and half of the lines. Prints a Markdown table of how many clients are found to break the quota. `node logs.js [LINES] [ID...]`.
 */
const [lines = '100000', ...only] = process.argv.slice(2)

const rowOf = async (id: string, kind: string, departure: Pick<ReferenceServerOptions, 'faults' | 'variations'>) => {
  const arrivals = organicArrivals({ random: seededRandom(11), requests: Number(lines), clients })
  const log = await served(arrivals, optionsOf(departure))
  const random = seededRandom(5)
  const half = log.filter(() => random.float() < 0.5)
  const cells: number[] = []
  for (const [, clock, part] of ways) cells.push(await alarms(part === 'half' ? half : log, clock, part === 'whole'))
  console.log(`| ${id} | ${kind} | ${cells.join(' | ')} |`)
}

console.log(
  `| departure | breaks | ${ways.map(([name]) => name).join(' | ')} |\n|---|---|${'---|'.repeat(ways.length)}`,
)
const isAsked = (id: string) => only.length === 0 || only.includes(id)

/** What a contract file that counts by credential calls a breach. */
const countsByPlan = 'keys-of-a-plan-share'

for (const { id, breaks } of faults) {
  const quotas = breaks.filter((each) => each.startsWith('QUOTA'))
  const areOfOneKey = quotas.length > 0 && quotas.every((each) => each === 'QUOTA-1' || each === 'QUOTA-2')
  if (areOfOneKey && isAsked(id)) await rowOf(id, quotas.join(', '), { faults: [id] })
}
for (const { id } of variations) if (id !== countsByPlan && isAsked(id)) await rowOf(id, '-', { variations: [id] })
