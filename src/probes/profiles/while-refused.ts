import { z } from 'zod'
import type { StepOf } from '../../contract/probe-catalogue.js'
import type { LedgerRows } from '../../evidence/ledger.js'
import { flag, texts } from '../../kit/described.js'
import { askForEarliest, mostAskedForShorter, mostAskedInPart, partsCost, refusalAt } from '../moves/earliest-wait.js'
import { isSlowToSpend, mostOpeners, openFreshWindow } from '../moves/fresh-window.js'
import { gentleCost, waitAsTold } from '../moves/gentle.js'
import { amountInPace, smallestOf, spendingConnections, untilRefused, windowsInPace } from '../moves/loads.js'
import {
  askedWhileRefusedCost,
  askWhileRefused,
  changedWhileRefused,
  readOnceServed,
  readOnceServedCost,
  strangersWhileRefused,
} from '../moves/refused-key.js'
import { defineProbe, type KeyFacts, type Pet, type ProbeContext } from '../probe.js'

/** The limit, a quarter more for a bucket that refills on a slow target, and what is in flight then. */
const amountOf = (key: KeyFacts): number => {
  const { limit } = key.quota
  return Math.max(limit + Math.ceil(limit / 4) + spendingConnections, amountInPace(key))
}

/** On a short day: what is sent while the key is refused, refusals in four parts of a second and one more, and the wait. */
const questionsAfter = askedWhileRefusedCost + 8

/** Readings of the inventory: one before, and those after. */
const readings = 1 + readOnceServedCost

/** What a spent key is asked, up to the refusal whose moment is waited for; and the most that this takes. */
const questions = {
  wait: {
    cost: askedWhileRefusedCost + partsCost + mostAskedForShorter + 1,
    async ask(
      spender: ProbeContext<StepOf<'while-refused'>>,
      rows: LedgerRows,
      pets: readonly Pet[],
      spellings?: readonly string[],
    ) {
      await askWhileRefused(spender, pets, spellings)
      return askForEarliest(spender, rows, spender.now())
    },
  },
  // A refusal right after the load: the more of the window is left, the more its Reset can tell.
  reset: {
    cost: mostAskedInPart + gentleCost,
    ask: (spender: ProbeContext<'gentle'>) => refusalAt(spender, spender.now()),
  },
} as const

/** Spends the key until it is refused; undefined if it never was. */
const spend = async (spender: ProbeContext<'opener'>, id: string) => {
  const amount = amountOf(spender.key)
  // If spending takes long, quota would often come back before there was time to ask anything.
  if (isSlowToSpend(spender)) await openFreshWindow(spender, 1)
  const { ledger, refusals } = await spender.load({
    id,
    connections: Math.min(spendingConnections, amount),
    amount,
    least: spender.key.quota.limit + 1,
    keeps: questionsAfter,
    stop: untilRefused,
  })
  return refusals > 0 ? ledger : undefined
}

/**
 * Spends the smallest key with nothing else in flight, asks what can be asked only while it is refused, and asks once
 * more when the time that the refusals name is up. A target that is too slow to refuse the larger keys, or a busy
 * machine, may leave such questions open in `burst`: this probe asks them again.
 */
export const whileRefused = defineProbe({
  id: 'while-refused',
  summary: 'Spends the smallest key, sends the requests that need a refused key, and one more when the wait is over.',
  played: 'together',
  isLoad: true,
  leavesChanged: changedWhileRefused,
  settings: {
    spellings: texts('The spellings of the request to send while the key is refused. Default: all.').optional(),
    writes: flag('Whether it sends a PATCH, which must be refused.').default(true),
    moments: z
      .array(z.enum(['wait', 'reset']))
      .default(['wait'])
      .describe(
        'What it tests. wait: the wait that the last refusal names, after all other requests; reset: the moment that the first refusal names, with no request until then. It spends the key once for each.',
      ),
  },
  cost: (key, { moments }, keys) => {
    if (key.name !== smallestOf(keys).name) return { keyed: 0 }
    const asked = moments.map(
      (moment) => amountOf(key) + (key.mostPerWindow ? mostOpeners : 0) + questions[moment].cost,
    )
    return {
      keyed: readings + asked.reduce((sum, each) => sum + each, 0),
      strangers: strangersWhileRefused * moments.length,
      strangersWithKey: strangersWhileRefused * moments.length,
      // The key may first have to get its quota back; for each moment after that it has, once the wait before is over.
      minutes: 1 + (1.1 + windowsInPace(key)) * moments.length,
    }
  },
  least: ({ name, quota }, _settings, keys) =>
    name === smallestOf(keys).name ? quota.limit + 1 + readings + questionsAfter : 0,
  async play(context, { spellings, writes, moments }) {
    const { name } = smallestOf(context.keys)
    const spender = [context, ...context.others].find(({ key }) => key.name === name) ?? context
    const pets = writes && context.hasInventory && !context.readOnly ? await spender.inventory('before') : []
    for (const moment of moments) {
      const ledger = await spend(spender, `while-refused-${name}`)
      if (ledger) await waitAsTold(spender, await questions[moment].ask(spender, ledger.rows, pets, spellings))
    }
    if (pets.length > 0) await readOnceServed(spender)
  },
})
