import { z } from 'zod'
import { dayWatch } from '../moves/day-watch.js'
import { evenPace } from '../moves/even-pace.js'
import { beSilent } from '../moves/fresh-window.js'
import { askGently } from '../moves/gentle.js'
import { defineProbe, type KeyFacts, type LoadPlan, type ProbeContext } from '../probe.js'

/** Beyond twice the day: what a burst may be refused, or a machine that stalls, and the refusals that end the day. */
const beyondTwice = 100

const gentleTimes = 3

const settings = z.strictObject({
  /** A day that may take more requests than this is not tried: twice the day, where it turns out not to be limited. */
  requests: z.int().min(1).default(2_500),
  /** Nor one whose spending takes more windows of a minute. */
  minutes: z.number().min(1).default(30),
  /** How much of the minute's limit is used, evenly: no admissible limiter of a minute refuses any of that. */
  share: z.number().min(0.5).max(0.98).default(0.95),
  /** Whether the keys have not been used in the day before the run: else an early refusal can't be told from their use. */
  unused: z.boolean().default(false),
})

type DailySettings = z.infer<typeof settings>

/** A day's end in the middle excuses twice the day, and nothing excuses more. As a rule refusals end it at half of that. */
const amountOf = ({ quota }: KeyFacts): number => 2 * quota.day + beyondTwice
const minutesOf = ({ quota }: KeyFacts, { share }: DailySettings): number =>
  Math.ceil((quota.day + beyondTwice) / (quota.minute * share))

const fits = (key: KeyFacts, given: DailySettings): boolean =>
  amountOf(key) <= given.requests && minutesOf(key, given) <= given.minutes

/** Asks a few times more in the silence after it, and once after the wait that is named, where it can be sat through. */
const askAfterwards = async (context: ProbeContext): Promise<void> => {
  const { minuteMs } = context
  for (let time = 1; time <= gentleTimes; time += 1) {
    const { retryAt } = context.hintsOf(await askGently(context, context.now() + 0.4 * minuteMs))
    if (retryAt === undefined || retryAt > context.now() + 2 * minuteMs + 1_000) continue
    await context.waitUntil(retryAt, 'the time that Retry-After asked for')
    await context.askOnce({ step: 'after-wait', operation: 'listInventory' })
  }
}

/** Few refusals of the minute are enough: each of them may count in the day or not, which leaves the day's count open. */
const refusedInBurst = 3

/** A burst takes this share of the window at most; a slow target gets more connections for it. */
const burstShare = 0.2
const mostConnections = 20

const connectionsFor = (context: ProbeContext, amount: number): number =>
  Math.min(
    mostConnections,
    amount,
    Math.ceil((amount * context.longestRoundTripMs()) / (burstShare * context.minuteMs)) || 1,
  )

/**
 * What the day is to have left when the second burst is over: enough that requests which count twice from then on are
 * refused earlier than those that the minute refused could explain.
 */
const leftAfterBursts = ({ minute, day }: KeyFacts['quota']): number =>
  Math.min(minute, Math.max(20, Math.ceil(day / 20)))

/** Spends a key's day, part by part, no more than twice of it in all. */
const dayOf = (context: ProbeContext, given: DailySettings) => {
  const { key, minuteMs } = context
  const before = context.spentBefore()
  let left = amountOf(key) - before.sent
  const watch = dayWatch(key.quota, minuteMs, before)
  /** A refusal is waited for as it asks, where that can be sat through: it is to be kept (THROTTLE-4). */
  const beServed = async (retryAt = 0): Promise<void> => {
    await beSilent(context)
    if (retryAt < context.now() + 2 * minuteMs + 1_000)
      await context.waitUntil(retryAt, 'the time that Retry-After asked for')
  }
  let retryAt: number | undefined
  const send = async (plan: Pick<LoadPlan, 'id' | 'shape' | 'connections'>, most: number, ends: () => boolean) => {
    const amount = Math.min(most, left)
    if (amount < 1 || watch.isSpent()) return
    await beServed(retryAt)
    const outcome = await context.load({
      ...plan,
      id: `${plan.id}-${key.name}`,
      connections: Math.min(plan.connections, amount),
      amount,
      rowByRow: true,
      stopWhen: (row) => {
        watch.saw(row)
        return watch.isSpent() || ends()
      },
    })
    left -= outcome.ledger.head.counts.sent
    retryAt = outcome.retryAt
  }
  return {
    watch,
    /** As many as the minute allows, evenly, until so many are left of the day; to its end and beyond where none are to be. */
    async evenly(id: string, downTo: number): Promise<void> {
      const { shape, connections } = evenPace(context, key.quota.minute * given.share, 1)
      const most = downTo > 0 ? Math.max(0, key.quota.day - downTo - watch.admitted()) : left
      await send({ id, shape, connections }, most, () => downTo > 0 && watch.shownLeft() <= downTo)
    },
    /** As many as the minute allows at once, and a few more. */
    async burst(id: string): Promise<void> {
      const most = 2 * key.quota.minute + mostConnections
      const refusedBefore = watch.refused()
      const connections = connectionsFor(context, key.quota.minute)
      await send({ id, connections }, most, () => watch.refused() - refusedBefore >= refusedInBurst)
    },
  }
}

/**
 * Spends a whole day's quota just within the minute's, and a little more (QUOTA-3): but for two bursts that the minute
 * refuses, at its beginning and near its end, for the day's count has to go on meanwhile. Only on keys whose day fits the
 * settings; it spends their day on purpose. Goes on where a run that stopped had come to.
 */
export const daily = defineProbe({
  id: 'daily',
  played: 'each-plan',
  isLoad: true,
  settings,
  spendsDay: true,
  cost: (key, given) =>
    fits(key, given)
      ? { keyed: amountOf(key) + 2 * gentleTimes, strangers: 0, minutes: minutesOf(key, given) + 5 }
      : { keyed: 0, strangers: 0, minutes: 0 },
  async play(context, given) {
    const { quota } = context.key
    if (!fits(context.key, given)) return
    const { watch, evenly, burst } = dayOf(context, given)
    const [forBurst, atEnd] = [quota.minute + leftAfterBursts(quota), leftAfterBursts(quota)]
    const leftOf = () => Math.min(quota.day - watch.admitted(), watch.shownLeft())
    if (watch.admitted() === 0 && quota.day > forBurst) await burst('daily-early-burst')
    if (leftOf() > forBurst) await evenly('daily', forBurst)
    if (leftOf() > atEnd) await burst('daily-late-burst')
    await evenly('daily-end', 0)
    if (watch.refused() > 0) await askAfterwards(context)
  },
})
