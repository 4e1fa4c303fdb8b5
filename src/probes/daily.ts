import { z } from 'zod'
import { evenPace } from './even-pace.js'
import { beSilent } from './fresh-window.js'
import { askGently } from './gentle.js'
import { defineProbe, type KeyFacts, type Stage } from './probe.js'

/** Refusals in all that show that the day is spent. */
const enoughRefused = 20

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

type Settings = z.infer<typeof settings>

/** A day's end in the middle excuses twice the day, and nothing excuses more. As a rule refusals end it at half of that. */
const amountOf = ({ quota }: KeyFacts): number => 2 * quota.day + enoughRefused
const minutesOf = ({ quota }: KeyFacts, { share }: Settings): number =>
  Math.ceil((quota.day + enoughRefused) / (quota.minute * share))

const fits = (key: KeyFacts, given: Settings): boolean =>
  amountOf(key) <= given.requests && minutesOf(key, given) <= given.minutes

/** Asks a few times more in the silence after it, and once after the wait that is named, where it can be sat through. */
const askAfterwards = async (stage: Stage): Promise<void> => {
  const { minuteMs } = stage
  for (let time = 1; time <= gentleTimes; time += 1) {
    const { retryAt } = stage.told(await askGently(stage, stage.now() + 0.4 * minuteMs))
    if (retryAt === undefined || retryAt > stage.now() + 2 * minuteMs + 1_000) continue
    await stage.waitUntil(retryAt, 'the time that Retry-After asked for')
    await stage.askOnce({ step: 'after-wait', operation: 'listInventory' })
  }
}

/**
 * Spends a whole day's quota just within the minute's, and a little more (QUOTA-3). Only on keys whose day fits the
 * settings; it spends their day on purpose. Goes on where a run that stopped had come to.
 */
export const daily = defineProbe({
  id: 'daily',
  played: 'each-key',
  settings,
  spendsDay: true,
  cost: (key, given) =>
    fits(key, given)
      ? { keyed: amountOf(key) + 2 * gentleTimes, strangers: 0, minutes: minutesOf(key, given) + 3 }
      : { keyed: 0, strangers: 0, minutes: 0 },
  async play(stage, given) {
    const { key } = stage
    if (!fits(key, given)) return
    await beSilent(stage)
    const { shape, connections } = evenPace(stage, key.quota.minute * given.share, 1)
    const before = stage.spentBefore()
    let { refused } = before
    const amount = amountOf(key) - before.sent
    if (amount < 1 || refused >= enoughRefused) return askAfterwards(stage)
    await stage.load({
      id: `daily-${key.name}`,
      connections,
      shape,
      amount,
      rowByRow: true,
      stopWhen: ({ status }) => {
        if (status === 429) refused += 1
        return refused >= enoughRefused
      },
    })
    if (refused > 0) await askAfterwards(stage)
  },
})
