import { z } from 'zod'
import { secondMs } from '../../contract/plans.js'
import { isAdmitted } from '../../evidence/steady-share.js'
import { amount, whole } from '../../kit/described.js'
import type { Schedule } from '../../wire/load/schedule.js'
import { beSilent } from '../moves/fresh-window.js'
import {
  amountInPace,
  isRoomyOther,
  isSmallest,
  smallestOf,
  spendingConnections,
  windowsInPace,
} from '../moves/loads.js'
import { defineLoad, type KeyFacts, type LoadOutcome, type ProbeContext } from '../probe.js'

interface HammeringSettings {
  readonly clients: number
  /** How many requests are to be served, and how many all clients send in each window; both in limits of a minute. */
  readonly work: number
  readonly pressure: number
}

/** A key whose day holds fewer minutes is not hammered: its limit's tests need every request. Free has 1,000 / 60 = 17. */
const leastMinutesInDay = 30

/** The silence before it, in windows: a whole one, and a little more. */
const silentWindows = 1.1

const viewOf = ({ work }: HammeringSettings): number => Math.ceil(work)

/** The most that {@link hammer} sends, and for how long; nothing if nobody asks for it, or the key's day is short. */
export const hammeringCost = ({ quota }: KeyFacts, each: HammeringSettings): { keyed: number; minutes: number } =>
  each.pressure === 0 || quota.longer < leastMinutesInDay * quota.limit
    ? { keyed: 0, minutes: 0 }
    : { keyed: Math.ceil(quota.limit * each.pressure * viewOf(each)), minutes: silentWindows + viewOf(each) }

/** All clients ask at the same moments: 20 clients at 1.5 times 60 a minute, so every 13.3 s. */
const inStep = ({ clients, pressure }: HammeringSettings, limit: number, windowMs: number): Schedule => ({
  kind: 'groups',
  size: clients,
  apartMs: (clients * windowMs) / (limit * pressure),
})

/**
 * Plays clients that share a key and some work, and keep asking whatever they are told, for comparison with those that
 * wait. Ends when the work is done, at the first answer that is neither 200 nor 429, or with its last request. The
 * inventory is put back first, because a ban would prevent that later.
 */
export const hammer = async (context: ProbeContext, each: HammeringSettings): Promise<void> => {
  const { key, windowMs } = context
  const { keyed: amount } = hammeringCost(key, each)
  if (amount === 0) return
  if (context.isMain) await context.restore()
  await beSilent(context)
  await context.load({
    id: `hammering-${key.name}`,
    connections: Math.min(each.clients, amount),
    amount,
    schedule: inStep(each, key.quota.limit, windowMs),
    stop: { kind: 'served', times: Math.ceil(key.quota.limit * each.work) },
  })
}

/** The bound of the first random wait, as a share of W: 1 s of a minute. A round that served little doubles it. */
const baseShare = 1 / 60

/** The bound of a random wait is never more than this share of W. */
const longestShare = 1 / 2

/** When clients give up: this many windows after the work could have been done at the plan's limit. */
const windowsOfPatience = 2

/** A round served enough if each client was served this often on average, and this share of the limit was used. */
const timesServed = 4
const enoughShare = 0.2

/** On a short day few clients have a little more than a window's work: refused once, they wait and get the rest. */
const onShortDay = (limit: number, clients: number) => ({
  work: 1.2,
  clients: Math.min(clients, Math.max(2, Math.ceil(limit / 10))),
})
const roundsOnShortDay = 3

/**
 * Exponential backoff with full jitter, on top of the named wait: a uniform draw below a bound, which a round that
 * served little doubles and one that served enough halves. For a minute: below 1 s, 2 s, 4 s ... 30 s.
 */
const backoff = (context: ProbeContext) => {
  const { windowMs, random } = context
  let failures = 0
  return {
    told(served: boolean): void {
      failures = served ? Math.max(0, failures - 1) : failures + 1
    },
    draw: (): number => random.float() * Math.min(windowMs * longestShare, windowMs * baseShare * 2 ** failures),
  }
}

/** How long to wait after refusals that name no wait, or none that can be read. */
const unreadWaitMs = ({ windowMs, unnamedWaitMs }: ProbeContext, { ledger }: LoadOutcome): number =>
  ledger.rows.retryAfter.includes(Number.POSITIVE_INFINITY) ? windowMs : unnamedWaitMs

/** Whether the clients are played on a key, by the setting `on`. */
const isMeant: Readonly<Record<'all' | 'others' | 'smallest', (key: KeyFacts, keys: readonly KeyFacts[]) => boolean>> =
  {
    all: () => true,
    others: isRoomyOther,
    smallest: (key, keys) => isSmallest(key, keys) && !keys.some((each) => isRoomyOther(each, keys)),
  }

/** The most clients before the first refusal, in limits: no more are refused at once than by a burst. */
const mostClients = 1 / 2

/**
 * How many clients come before any is refused: as many as do the work, at the target's speed, before a bucket has given
 * back as much as the work exceeds the limit. Slower clients are never refused, and show nothing. 1.1 times 300 in 6 s,
 * at 100 ms each, takes 55 clients.
 */
const clientsToBeRefused = (
  { key: { quota }, windowMs, longestRoundTripMs }: ProbeContext,
  clients: number,
  work: number,
) => {
  const enough = Math.ceil((quota.limit * work * longestRoundTripMs()) / ((work - 1) * windowMs))
  return Math.max(clients, Math.min(enough, Math.floor(quota.limit * mostClients)))
}

const workAndWait = async (context: ProbeContext, clients: number, work: number, rounds: number): Promise<void> => {
  const { key, windowMs, isShort } = context
  let left = Math.ceil(key.quota.limit * work)
  let atOnce = clientsToBeRefused(context, clients, work)
  // What is planned for refusals; each of the last two rounds may still bring one to every client.
  const unrefused = left + ((isShort ? roundsOnShortDay : rounds) - 2) * clients
  let more = Math.max(amountInPace(key), unrefused)
  const giveUpAt = context.now() + (Math.ceil(work) + windowsOfPatience) * windowMs + rounds * secondMs
  const enough = Math.max(timesServed * clients, key.quota.limit * enoughShare)
  const { told, draw } = backoff(context)
  for (let round = 1; round <= rounds; round += 1) {
    const outcome = await context.load({
      id: `compliant-${String(round).padStart(2, '0')}-${key.name}`,
      connections: Math.min(atOnce, left),
      amount: left,
      stop: { kind: 'other-status', than: [200] },
    })
    const admitted = outcome.ledger.rows.status.reduce((sum, each) => sum + Number(isAdmitted(each)), 0)
    // Clients beyond those that were asked for leave when they are refused, and take their work with them.
    left -= Math.max(admitted, outcome.ledger.rows.length - clients)
    if (outcome.refusals > 0) atOnce = clients
    // The key was spent before they came: that counts as their work too.
    if (round === 1 && admitted < key.quota.limit / 2) left = Math.min(left, Math.ceil(key.quota.limit * (work - 1)))
    more = outcome.refusals > 0 ? 0 : more - admitted
    // Until they are refused, they get more to do: their work may have met the end of a window, or be done at a set pace.
    if (left <= 0 && more > 0) left = Math.min(more, Math.ceil(key.quota.limit / 2))
    told(admitted >= enough)
    const named = outcome.retryAt ?? (outcome.refusals > 0 ? context.now() + unreadWaitMs(context, outcome) : 0)
    const nextAt = Math.max(context.now(), named) + draw()
    if (left <= 0 || round === rounds || nextAt > giveUpAt) return
    await context.waitUntil(nextAt, "Retry-After and the clients' jitter")
  }
}

/**
 * Clients that share a key and some work, and behave: after a refusal all of them stop, for as long as the longest
 * `Retry-After` says and a random while more; then they go on (THROTTLE-6).
 *
 * Each round is a load, with a connection for each client, which asks again as soon as it is served. After the first
 * answer that is not 200 nothing more is sent, and the answers in flight are awaited. The random wait before the next
 * round is that of the first client to wake; the others see that it is served, and join it. If the settings ask for it,
 * clients that hammer follow, for comparison.
 */
export const compliantClients = defineLoad({
  id: 'compliant-clients',
  summary: 'Simulates clients that share a key and wait as told: all their requests must be served.',
  settings: {
    clients: whole(1, 100, 20, 'How many clients share the key.'),
    work: amount(
      1.05,
      20,
      2.5,
      'How many requests they want served, in multiples of the limit: at 2.5, 150 requests for a limit of 60.',
    ),
    rounds: whole(2, 100, 16, 'The most rounds: each refusal ends a round.'),
    on: z
      .enum(['all', 'others', 'smallest'])
      .default('all')
      .describe(
        'Which keys it uses. `others`: all except the smallest and those with a short day; `smallest`: the smallest, if there are no others.',
      ),
    // Up to the burst's overshoot they are refused no more often in a window than the burst is.
    hammering: z
      .union([z.literal(0), z.number().min(1.05).max(20)])
      .default(0)
      .describe(
        'For comparison: how much clients that ignore every refusal send afterwards in each window, in multiples of the limit. 0: no such clients.',
      ),
  },
  cost(key, { clients, work, rounds, on, hammering }, keys) {
    if (!isMeant[on](key, keys)) return { keyed: 0 }
    const beside = hammeringCost(key, { clients, work, pressure: hammering })
    return {
      keyed: Math.max(Math.ceil(key.quota.limit * work), amountInPace(key)) + rounds * clients + beside.keyed,
      minutes: work + windowsInPace(key) + beside.minutes,
    }
  },
  least: ({ quota }, { clients }) => {
    const few = onShortDay(quota.limit, clients)
    return Math.ceil(quota.limit * few.work) + roundsOnShortDay * few.clients
  },
  async play(context, { clients, work, rounds, on, hammering }) {
    if (!isMeant[on](context.key, context.keys)) return
    if (context.isShort) {
      const few = onShortDay(context.key.quota.limit, clients)
      return workAndWait(context, few.clients, few.work, rounds)
    }
    await workAndWait(context, clients, work, rounds)
    await hammer(context, { clients, work, pressure: hammering })
  },
})

/** A refusal puts its moment off if it names a later one than before, by more than rounding to a second and some delay. */
const putOffMs = 1.5 * secondMs

/** If a ban names no time: the first wait, in windows, and how much longer each further one is. */
const firstWaitWindows = 0.25
const waitGrowth = 1.5

/** The most questions to a banned key: by then the waits are longer than any `minutes` that can be set. */
const mostAsked = 30

/** Asks until the key is served again or the time is over, and waits in between as told, or ever longer. */
const askUntilLifted = async (context: ProbeContext<'banned' | 'asked-again'>, untilMs: number): Promise<void> => {
  let waitMs = firstWaitWindows * context.windowMs
  for (let asked = 1; asked <= mostAsked; asked += 1) {
    const answer = await context.askOnce({ step: asked === 1 ? 'banned' : 'asked-again', ...context.ordinary })
    if (answer.response?.status === 200) return
    const nextAt = context.hintsOf(answer).retryAt ?? context.now() + waitMs
    waitMs *= waitGrowth
    if (nextAt > untilMs) return
    await context.waitUntil(nextAt, 'the ban to be lifted')
  }
}

/**
 * Keeps asking after a 429, on the smallest key, until the answer changes or `refusals` were refused; then waits as
 * told until the key is served again (THROTTLE-7). Sets off a ban on purpose: only for scenarios that ask for it.
 */
export const ban = defineLoad({
  id: 'ban',
  summary:
    'Ignores refusals until the target bans the smallest key, then waits until the ban ends. Triggers a ban on purpose.',
  settings: {
    refusals: whole(10, 100_000, 5_000, 'How many requests beyond the limit it sends before it gives up.'),
    minutes: amount(1, 1_440, 15, 'How many windows of a minute it waits for the ban to be lifted.'),
  },
  spendsDay: true,
  cost: ({ name, quota }, { refusals, minutes }, keys) =>
    name === smallestOf(keys).name ? { keyed: quota.limit + refusals + mostAsked, minutes: minutes + 1 } : { keyed: 0 },
  async play(context, { refusals, minutes }) {
    const { key, keys, windowMs } = context
    if (key.name !== smallestOf(keys).name) return
    const { ledger } = await context.load({
      id: `ban-${key.name}`,
      connections: spendingConnections,
      amount: key.quota.limit + refusals,
      stop: { kind: 'change', putOffMs },
    })
    const isChanged = ledger.head.counts.sent < ledger.head.counts.planned
    if (isChanged) await askUntilLifted(context, context.now() + minutes * windowMs)
  },
})
