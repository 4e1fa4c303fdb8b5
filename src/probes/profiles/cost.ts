import { z } from 'zod'
import { planNames } from '../../contract/plans.js'
import { whole } from '../../kit/described.js'
import { beSilent } from '../moves/fresh-window.js'
import { askGently, gentleCost, waitAsTold } from '../moves/gentle.js'
import { connectionsSetting, overshootSetting } from '../moves/loads.js'
import { defineProbe, type KeyFacts } from '../probe.js'

interface CostSettings {
  readonly unlimited?: KeyFacts['plan']
  readonly overshoot: number
  readonly rounds: number
}

const beyond = ({ quota }: KeyFacts, { overshoot }: CostSettings): number => Math.ceil(quota.limit * overshoot)

/** What the unlimited key is sent: as much as the largest other, if it allows that; undefined for other keys. */
const unlimitedAmount = (key: KeyFacts, keys: readonly KeyFacts[], settings: CostSettings): number | undefined => {
  const others = keys.filter(({ plan }) => plan !== settings.unlimited)
  if (key.plan !== settings.unlimited || others.length === 0) return undefined
  const most = Math.max(...others.map((other) => beyond(other, settings)))
  return most <= key.quota.limit ? most : undefined
}

const amountOn = (key: KeyFacts, keys: readonly KeyFacts[], settings: CostSettings): number =>
  unlimitedAmount(key, keys, settings) ?? beyond(key, settings)

/** Windows that a round takes: one of silence before it, and the loads, which take seconds. */
const minutesOfRound = 1.2

/** Windows that the end takes: each key is asked once more and waits as told, so that its refusals are tested too. */
const minutesAtEnd = 1.1

/**
 * Measures what the limiter costs: the same request as fast as answers come, on one key after the other. The first
 * answers are admitted, those beyond the limit refused; a key whose limit is out of reach shows what answers cost
 * without a limit. Each round begins with another key, so that no key always meets a warmer target.
 */
export const cost = defineProbe({
  id: 'cost',
  summary:
    'Sends the same request as fast as answers come, admitted and then refused, to measure what the limiter costs.',
  played: 'together',
  isLoad: true,
  settings: {
    unlimited: z
      .enum(planNames)
      .optional()
      .describe(
        'For comparison: the plan whose limit no load of the scenario reaches, such as Enterprise with a large quota.',
      ),
    overshoot: overshootSetting(1.5),
    connections: connectionsSetting(10),
    rounds: whole(1, 20, 3, 'How often it measures each key.'),
  },
  cost: (key, settings, keys) => ({
    keyed: settings.rounds * amountOn(key, keys, settings) + gentleCost,
    minutes: settings.rounds * minutesOfRound + minutesAtEnd,
  }),
  least: (key, settings, keys) => amountOn(key, keys, settings) + gentleCost,
  async play(context, settings) {
    const contexts = [context, ...context.others]
    for (let round = 0; round < settings.rounds; round += 1) {
      for (const each of contexts) await beSilent(each)
      for (let turn = 0; turn < contexts.length; turn += 1) {
        const { key, load, isShort } = contexts[(round + turn) % contexts.length]
        // A short day has room for one round.
        if (isShort && round > 0) continue
        const amount = amountOn(key, context.keys, settings)
        const connections = Math.min(settings.connections, amount)
        await load({ id: `cost-${round + 1}-${key.name}`, connections, amount })
      }
    }
    const last = await Promise.all(contexts.map((each) => askGently(each, each.now())))
    await Promise.all(contexts.map((each, at) => waitAsTold(each, last[at])))
  },
})
