import type { Exchange } from '../../evidence/exchange.js'
import { firstLookProbe } from '../../evidence/journal.js'
import { whole } from '../../kit/described.js'
import { askInParts, partsCost } from '../moves/earliest-wait.js'
import { askAtReset, mostWindowsForAnswer, waitAsTold } from '../moves/gentle.js'
import { hasShortDay, mainKeyOf } from '../moves/loads.js'
import { updateOf } from '../moves/pets.js'
import { defineProbe, type KeyFacts, ProbeBlocked, type ProbeContext, ProbeSkipped, type Question } from '../probe.js'

const list: Question<'list'> = { step: 'list', operation: 'listInventory' }

/**
 * Asks a second time after a 401, which may have been a slip, after an empty list, which may be so at first only, and after a
 * ban that says that it ends soon.
 */
const askAgain = async (context: ProbeContext<'list-again'>, first: Exchange): Promise<Exchange> => {
  const { status, body } = first.response ?? {}
  const isEmpty = context.hasInventory && body?.content === '[]'
  if (status === 401 || isEmpty) return context.ask({ ...list, step: 'list-again' })
  const { retryAt } = context.hintsOf(first)
  if (status !== 403 || retryAt === undefined || retryAt - context.now() > mostWindowsForAnswer * context.windowMs)
    return first
  await context.waitUntil(retryAt, 'the ban to be lifted')
  return context.ask({ ...list, step: 'list-again' })
}

/** Whether the given address lacks the `/v1` that every base address of the interface ends with (BASE-2). */
const lacksVersion = ({ request }: Exchange): boolean => !/\/v1\/[^/]+$/.test(new URL(request.url).pathname)

/** One reading of the list on every key: is anybody there, is it the right address, and is the key accepted? */
export const hello = defineProbe({
  id: firstLookProbe,
  summary:
    'Sends one request with every key: does the target answer, is the address right, is the key accepted? Every run begins with it.',
  played: 'each-key',
  cost: () => ({ keyed: 3 }),
  async play(context) {
    const answer = await askAgain(context, await context.ask(list))
    if (!context.hasInventory) return
    if (answer.response === null || answer.response.status === 200 || !lacksVersion(answer)) return
    await context.ask({ step: 'with-v1', path: '/v1/inventory' })
  },
})

/** How far a bucket's Remaining has to fall over the row: two may be rounding, and two an answer that takes long. */
const leastFall = 5
const mostInPace = 50

/**
 * The requests of a row on a key that a shorter quota holds to a pace, at which a bucket gets nearly as much back: 21,
 * at 54 in a window of which 40 come back. It is lengthened to half the limit at most.
 */
const rowOf = ({ quota: { limit }, mostPerWindow }: KeyFacts, requests: number): number => {
  if (mostPerWindow === undefined) return requests
  const fallEach = Math.max(1 - limit / mostPerWindow, leastFall / mostInPace)
  return Math.max(requests, Math.min(Math.ceil(leastFall / fallEach) + 1, Math.floor(limit / 2)))
}

/**
 * On a key that no other probe writes with: a PATCH that changes nothing, because a plan may refuse what another accepts,
 * and the list behind it.
 */
const writeOnce = async (context: ProbeContext<'valid' | 'row' | 'after'>): Promise<void> => {
  const [pet] = await context.inventory('row')
  if (pet === undefined) return
  context.willTouch(pet)
  await context.ask({ step: 'valid', ...updateOf(pet.id, pet.quantity) })
  await context.inventory('after')
}

const writeOnceCost = 2

/** Whether another key writes in most probes: the one of a contract file's request has nothing to write. */
const mayWriteOnce = (key: KeyFacts, keys: readonly KeyFacts[]): boolean =>
  key.request === undefined && mainKeyOf(keys).name !== key.name && !hasShortDay(key)

/** Requests in a row on one key, one after the other: Remaining has to follow them (RATE-4). */
export const headerRow = defineProbe({
  id: 'header-row',
  summary:
    'Sends requests one after the other, so that Remaining must count down; with other keys than the largest also a PATCH that changes nothing.',
  played: 'each-plan',
  settings: { requests: whole(3, 50, 8, 'How many requests, one after the other.') },
  leavesChanged: 1,
  cost: (key, { requests }, keys) => ({
    keyed: rowOf(key, requests) + (mayWriteOnce(key, keys) ? writeOnceCost : 0),
  }),
  async play(context, { requests }) {
    const writes = !context.readOnly && mayWriteOnce(context.key, context.keys)
    const row = rowOf(context.key, requests) - Number(writes)
    for (let i = 0; i < row; i += 1) await context.ask({ step: 'row', ...context.ordinary })
    if (writes) await writeOnce(context)
  },
})

/** How many unanswered requests in a row show that nobody is there any more. */
const mostUnanswered = 3

/** Requests that spend a key one by one: twice the limit and one, because a window may end and a bucket refills. */
const amountOf = (limit: number): number => 2 * limit + 1

/** On a short day: a refusal in each of four parts of a second and one more, two for the wait, and one at Reset. */
const questionsAfter = 8

/** The key with the smallest minute, at most `most`, if another one has more room for single exchanges. */
const spareKeyOf = (keys: readonly KeyFacts[], most: number): KeyFacts | undefined => {
  const [least, ...others] = [...keys].sort((a, b) => a.quota.limit - b.quota.limit)
  const isSpare = others.some(({ quota }) => quota.limit > least.quota.limit)
  return isSpare && least.quota.limit <= most ? least : undefined
}

/** Sends one request after another until one is refused; undefined if none is. */
const spend = async (context: ProbeContext<'spend'>): Promise<Exchange | undefined> => {
  let unanswered = 0
  for (let sent = 0; sent < amountOf(context.key.quota.limit); sent += 1) {
    const x = await context.askOnce({ step: 'spend', ...context.ordinary })
    if (x.response?.status === 429) return x
    unanswered = x.response === null ? unanswered + 1 : 0
    if (unanswered === mostUnanswered) throw new ProbeBlocked('no-answer')
  }
  return undefined
}

/**
 * Spends the smallest key one request at a time, reads refusals in each part of a second, and asks again when the time
 * that Retry-After names is up and at the moment that Reset names (RATE-6, THROTTLE-4). So a limit is met without a
 * load.
 */
export const exhaustion = defineProbe({
  id: 'exhaustion',
  summary: 'Spends the smallest key one request at a time, without a load, and sends more when the refusals said so.',
  played: 'together',
  settings: { most: whole(1, 1000, 100, 'The largest limit that it spends: it skips keys with a larger one.') },
  cost: ({ name, quota }, { most }, keys) => {
    const isSpent = spareKeyOf(keys, most)?.name === name
    return { keyed: isSpent ? amountOf(quota.limit) + partsCost + 2 : 0, minutes: isSpent ? 1.2 : 0 }
  },
  least: ({ name, quota }, { most }, keys) =>
    spareKeyOf(keys, most)?.name === name ? quota.limit + 1 + questionsAfter : 0,
  async play(context, { most }) {
    const spare = spareKeyOf(context.keys, most)
    const spender = [context, ...context.others].find(({ key }) => key.name === spare?.name)
    if (!spender) throw new ProbeSkipped('no-key-to-spare')
    const refusal = await spend(spender)
    if (!refusal) return
    await waitAsTold(spender, await askInParts(spender, spender.now()))
    await askAtReset(spender, refusal)
  },
})
