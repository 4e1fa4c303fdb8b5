import { z } from 'zod'
import { hammer, hammeringCost } from '../moves/hammering.js'
import { defineProbe, type LoadOutcome, type ProbeContext } from '../probe.js'

/** The first upper bound of a chosen wait, as a share of the window; each further one is twice as long. */
const baseShare = 1 / 60

/** No wait that the clients choose themselves is longer than this share of the window. */
const longestShare = 1 / 2

/** Windows beyond those that the work takes at the plan's limit after which the clients give up. */
const windowsOfPatience = 2

const roundingMs = 1_000

/** A round serves enough where every client was served so often, and so much of the limit was had. */
const timesServed = 4
const enoughShare = 0.2

/** Of a short day: a little more than a window's work and few clients, who are refused once, wait, and are served the rest. */
const onShortDay = (limit: number, clients: number) => ({
  work: 1.2,
  clients: Math.min(clients, Math.max(2, Math.ceil(limit / 10))),
})
const roundsOnShortDay = 3

const admittedIn = ({ ledger }: LoadOutcome): number =>
  ledger.rows.status.reduce((sum, status) => sum + (status >= 200 && status < 300 ? 1 : 0), 0)

/**
 * Exponential backoff with full jitter (a uniform draw below a bound that doubles), on top of the wait that was named.
 * A round that served little doubles the bound, one that served enough halves it.
 */
const backoff = (context: ProbeContext) => {
  const { minuteMs, random } = context
  let failures = 0
  return {
    told(served: boolean): void {
      failures = served ? Math.max(0, failures - 1) : failures + 1
    },
    draw: (): number => random.float() * Math.min(minuteMs * longestShare, minuteMs * baseShare * 2 ** failures),
  }
}

const workAndWait = async (context: ProbeContext, clients: number, work: number, rounds: number): Promise<void> => {
  const { key, minuteMs } = context
  let left = Math.ceil(key.quota.minute * work)
  const giveUpAt = context.now() + (Math.ceil(work) + windowsOfPatience) * minuteMs + rounds * roundingMs
  const enough = Math.max(timesServed * clients, key.quota.minute * enoughShare)
  const { told, draw } = backoff(context)
  for (let round = 1; round <= rounds; round += 1) {
    const outcome = await context.load({
      id: `compliant-${String(round).padStart(2, '0')}-${key.name}`,
      connections: Math.min(clients, left),
      amount: left,
      stopWhen: ({ status }) => status !== 200,
    })
    const admitted = admittedIn(outcome)
    left -= admitted
    told(admitted >= enough)
    const nextAt = Math.max(context.now(), outcome.retryAt ?? 0) + draw()
    if (left <= 0 || round === rounds || nextAt > giveUpAt) return
    await context.waitUntil(nextAt, 'the time that the clients were told, and their jitter')
  }
}

/**
 * Clients that share a key and a heap of work, and behave: whoever is refused stops, so does the whole key, for as long
 * as the longest `Retry-After` says and a jittered while on top; then they go on (THROTTLE-6).
 *
 * All of them are played by one load in rounds. A round sends what is left over as many connections as there are
 * clients, each asking again as soon as it is served. With the first answer that is no 200 nobody sends any more; what
 * the others have under way is awaited. The draw before the next round stands for the first client to wake; the others,
 * who learn from it that the key is served again, join it. Where asked to, clients that hammer follow, for comparison.
 */
export const compliantClients = defineProbe({
  id: 'compliant-clients',
  played: 'each-plan',
  isLoad: true,
  settings: z.strictObject({
    clients: z.int().min(1).max(100).default(20),
    /** In limits of a minute. */
    work: z.number().min(1.05).max(20).default(2.5),
    rounds: z.int().min(2).max(100).default(16),
    /**
     * What clients that ignore every refusal send in each window, in limits, once the others are done; 0: there are none.
     * Up to the burst's overshoot they are refused no more often in a window than the burst is.
     */
    hammering: z.union([z.literal(0), z.number().min(1.05).max(20)]).default(0),
  }),
  cost(key, { clients, work, rounds, hammering }) {
    const beside = hammeringCost(key, { clients, work, pressure: hammering })
    return {
      keyed: Math.ceil(key.quota.minute * work) + rounds * clients + beside.keyed,
      strangers: 0,
      minutes: Math.ceil(work) + beside.minutes,
    }
  },
  least: ({ quota }, { clients }) => {
    const few = onShortDay(quota.minute, clients)
    return Math.ceil(quota.minute * few.work) + roundsOnShortDay * few.clients
  },
  async play(context, { clients, work, rounds, hammering }) {
    if (context.isShort) {
      const few = onShortDay(context.key.quota.minute, clients)
      return workAndWait(context, few.clients, few.work, rounds)
    }
    await workAndWait(context, clients, work, rounds)
    await hammer(context, { clients, work, pressure: hammering })
  },
})
