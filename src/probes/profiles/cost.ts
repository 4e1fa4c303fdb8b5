import { z } from 'zod'
import { planNames } from '../../contract/plans.js'
import { beSilent } from '../moves/fresh-window.js'
import { askGently, waitAsTold } from '../moves/gentle.js'
import { defineProbe, type KeyFacts, type ProbeContext } from '../probe.js'

interface CostSettings {
  readonly unlimited?: KeyFacts['plan']
  readonly overshoot: number
  readonly rounds: number
}

const beyond = ({ quota }: KeyFacts, { overshoot }: CostSettings): number => Math.ceil(quota.minute * overshoot)

/**
 * What the unlimited key is sent: as much as the largest other. Undefined for every other key, and where the limit of the
 * plan that the scenario names would be reached by that.
 */
const unlimitedAmount = (key: KeyFacts, keys: readonly KeyFacts[], settings: CostSettings): number | undefined => {
  const others = keys.filter(({ plan }) => plan !== settings.unlimited)
  if (key.plan !== settings.unlimited || others.length === 0) return undefined
  const most = Math.max(...others.map((other) => beyond(other, settings)))
  return most <= key.quota.minute ? most : undefined
}

const amountOn = (key: KeyFacts, keys: readonly KeyFacts[], settings: CostSettings): number =>
  unlimitedAmount(key, keys, settings) ?? beyond(key, settings)

/** A window of silence before each round. The loads themselves take seconds. */
const minutesOfRound = 1.2

/** At the end each key is asked once more, waits as it is told, and is asked again: its refusals are to be honest too. */
const requestsAtEnd = 3
const minutesAtEnd = 1.1

/**
 * What the limiter costs: the same request as fast as answers come, one key after the other, so that nothing else is
 * under way. The first answers are admitted, those beyond the limit refused; a key whose limit is out of reach shows what
 * an answer costs where nothing is ever refused. Each round begins with another key, so that none has the warmer target.
 */
export const cost = defineProbe({
  id: 'cost',
  played: 'together',
  isLoad: true,
  settings: z.strictObject({
    /** The plan whose limit no load of this scenario reaches: Enterprise with a quota agreed for it. */
    unlimited: z.enum(planNames).optional(),
    overshoot: z.number().min(1.05).max(10).default(1.5),
    connections: z.int().min(1).max(500).default(10),
    rounds: z.int().min(1).max(20).default(3),
  }),
  cost: (key, settings, keys) => ({
    keyed: settings.rounds * amountOn(key, keys, settings) + requestsAtEnd,
    strangers: 0,
    minutes: settings.rounds * minutesOfRound + minutesAtEnd,
  }),
  least: (key, settings, keys) => amountOn(key, keys, settings) + requestsAtEnd,
  async play(context, settings) {
    const contexts: readonly ProbeContext[] = [context, ...context.others]
    for (let round = 0; round < settings.rounds; round += 1) {
      for (const each of contexts) await beSilent(each)
      for (let turn = 0; turn < contexts.length; turn += 1) {
        const { key, load, isShort } = contexts[(round + turn) % contexts.length]
        // One round is what a short day has room for.
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
