import { z } from 'zod'
import { savedQuotaOf, secondMs, waitSlackMs } from '../../contract/plans.js'
import { type LedgerRow, ledgerRow } from '../../evidence/ledger.js'
import { amount, flag } from '../../kit/described.js'
import { placesOf } from '../../kit/numbers.js'
import { beSilent } from '../../probes/moves/fresh-window.js'
import { askGently, mostWindowsForQuota } from '../../probes/moves/gentle.js'
import {
  connectionsFor,
  evenPace,
  isSpared,
  leastBeyondLimit,
  plansSetting,
  spendingConnections,
} from '../../probes/moves/loads.js'
import { somePet, updateOf } from '../../probes/moves/pets.js'
import {
  defineLoad,
  type KeyFacts,
  type LoadOutcome,
  type LoadPlan,
  type Pet,
  ProbeBlocked,
  type ProbeContext,
  type Question,
} from '../../probes/probe.js'
import { type DaySeen, dayWatch } from '../../wire/load/stop-rule.js'

/** Requests beyond the day: those that bursts are refused, and the refusals that show that the day is spent. */
const mostRefused = 100

/** The same if only the rest of a day is spent, which is a burst at most. */
const mostRefusedOfRest = 60

/** Questions in the silence after the day, and after the rest of one; and the share of a window before each. */
const [gentleTimes, timesAfterRest] = [3, 1]
const silenceBefore = 0.4

/** Windows besides those of the even pace: the silences before each part, and the wait after the last one. */
const minutesBeside = 5

const settings = z.strictObject({
  requests: z
    .int()
    .min(1)
    .default(2_500)
    .describe('Skips a key whose day may need more requests than this (up to twice the quota plus 100).'),
  minutes: z.number().min(1).default(30).describe('Skips a key whose day needs more windows of a minute than this.'),
  // No admissible limiter of a minute refuses any of these.
  share: amount(0.5, 0.98, 0.95, "The share of the minute's limit that it sends, evenly."),
  unused: flag(
    'Say `true` if nobody used the keys in the day before: then earlier use cannot explain an early refusal.',
  ).default(false),
  spent: z
    .int()
    .min(0)
    .default(0)
    .describe('How many requests of the day the run had admitted before: only the rest is sent.'),
  plans: plansSetting,
})

type DailySettings = z.infer<typeof settings>

const restOf = ({ quota }: KeyFacts, { spent }: DailySettings): number => Math.max(0, quota.longer - spent)

/** Twice the day at most, which only a day's end within the run can excuse; refusals usually end it at half of that. */
const amountOf = (key: KeyFacts, given: DailySettings): number =>
  given.spent > 0 ? restOf(key, given) + mostRefusedOfRest : 2 * key.quota.longer + mostRefused
const minutesOf = (key: KeyFacts, given: DailySettings): number =>
  Math.ceil((restOf(key, given) + mostRefused) / (key.quota.limit * given.share))

/** Whether the rest of a day fits into a window with a few to spare: after a silence, no limiter of a minute refuses any of it. */
const fitsInWindow = (key: KeyFacts, given: DailySettings): boolean =>
  given.spent > 0 && restOf(key, given) + othersCost + leastBeyondLimit <= key.quota.limit

const fits = (key: KeyFacts, given: DailySettings): boolean =>
  !isSpared(key.plan, given.plans) && amountOf(key, given) <= given.requests && minutesOf(key, given) <= given.minutes

const canWaitUntil = ({ now, windowMs }: ProbeContext, at: number): boolean =>
  at <= now() + mostWindowsForQuota * windowMs + secondMs

/** Asks a few times more, and once after each named wait that is short enough. */
const askAfterwards = async (context: ProbeContext<'gentle' | 'after-wait'>, times: number): Promise<void> => {
  const { windowMs } = context
  for (let time = 1; time <= times; time += 1) {
    const { retryAt } = context.hintsOf(await askGently(context, context.now() + silenceBefore * windowMs))
    if (retryAt === undefined || !canWaitUntil(context, retryAt)) continue
    await context.waitUntil(retryAt, 'the time that Retry-After asked for')
    await context.askOnce({ step: 'after-wait', ...context.ordinary })
  }
}

/** How often each other operation is sent: what the day does not count it admits in excess, so each has its own number. */
const timesAsked = { listOrders: 2, getPet: 3, updateInventory: 4 } as const

/** The list twice, the second time to see that the pet is as it was, and the three others. */
const othersCost = 2 + timesAsked.listOrders + timesAsked.getPet + timesAsked.updateInventory

/** The pets; none if they can't be read, because the day can be spent all the same. */
const readPets = async (context: ProbeContext<'before'>): Promise<readonly Pet[]> => {
  try {
    return await context.inventory('before')
  } catch (error) {
    if (error instanceof ProbeBlocked) return []
    throw error
  }
}

/** Sends the operations that loads do not, as the day counts all; the quantity is the pet's own. Resolves to how many. */
const askForOthers = async (context: ProbeContext<'before' | 'other' | 'after'>): Promise<number> => {
  const pets = await readPets(context)
  if (pets.length === 0) return 1
  const pet = somePet(context, pets, 'kept')
  const others: [times: number, question: Omit<Question, 'step'>][] = [
    [timesAsked.listOrders, { operation: 'listOrders' }],
    [timesAsked.getPet, { operation: 'getPet', petId: pet.id }],
  ]
  if (!context.readOnly) {
    context.willTouch(pet)
    others.push([timesAsked.updateInventory, updateOf(pet.id, pet.quantity)])
  }
  let asked = 0
  for (const [times, question] of others) {
    for (let time = 1; time <= times; time += 1) await context.ask({ ...question, step: 'other' })
    asked += times
  }
  // Now, because nothing could be put back once the day is spent.
  await context.inventory('after')
  await context.restore()
  return 2 + asked
}

/** How many refusals end a burst: each may count in the day or not, so more would blur the day's count. */
const refusedInBurst = 3

/** The share of a window that a burst may take; a slow target gets more connections for it. */
const burstShare = 0.2

/** Requests in flight when a burst is refused may be refused too: so many fewer admissions prove no double count. */
const leastLeft = 20

/**
 * How much of the day the second burst has to leave: a twentieth, so that requests which count twice from then on are
 * refused earlier than the minute's refusals could explain. Of 1,000 it is 50, which would be spent after 25.
 */
const leftAfterBursts = ({ limit: minute, longer: day }: KeyFacts['quota']): number =>
  Math.min(minute, Math.max(leastLeft, Math.ceil(day / 20)))

/** What an earlier part of the run saw of the day, if there was one. */
const seenBefore = (
  { sent, refused, refusedInRow }: ReturnType<ProbeContext['spentBefore']>,
  besides: number,
): DaySeen => ({
  admitted: sent - refused + besides,
  refused,
  refusedInRow,
  ofDayInRow: refusedInRow,
  shownLeft: null,
  unservedMs: null,
})

/** The rows in order of their answers, as their sender saw them. */
const inOrderOfAnswers = ({ rows }: LoadOutcome['ledger']): LedgerRow[] =>
  placesOf(rows.length, (i) => rows.status[i] !== 0)
    .sort((a, b) => rows.receivedUs[a] - rows.receivedUs[b])
    .map((i) => ledgerRow(rows, i))

/** The ways to spend parts of a key's day; {@link amountOf} bounds their sum. */
const dayOf = (context: ProbeContext, given: DailySettings, besides: number) => {
  const { key, windowMs } = context
  const before = context.spentBefore()
  const limits = { ...savedQuotaOf(key.quota), minuteMs: windowMs, longestWaitMs: windowMs + waitSlackMs }
  let left = amountOf(key, given) - before.sent
  const watch = dayWatch(limits, seenBefore(before, given.spent + besides))
  /** Waits for a whole window, and as long as the last refusal asked if that is short enough (THROTTLE-4). */
  const beServed = async (retryAt = 0): Promise<void> => {
    await beSilent(context)
    if (canWaitUntil(context, retryAt)) await context.waitUntil(retryAt, 'the time that Retry-After asked for')
  }
  let retryAt: number | undefined
  const send = async (
    plan: Pick<LoadPlan, 'id' | 'schedule' | 'connections'>,
    most: number,
    ends: { readonly downTo?: number; readonly refusals?: number },
    isRested = false,
  ) => {
    const amount = Math.min(most, left)
    if (amount < 1 || watch.isSpent()) return
    if (!isRested) await beServed(retryAt)
    const outcome = await context.load({
      ...plan,
      id: `${plan.id}-${key.name}`,
      connections: Math.min(plan.connections, amount),
      amount,
      rowByRow: true,
      stop: { kind: 'day', limits, seen: watch.seenBy(context.now()), ...ends },
    })
    for (const row of inOrderOfAnswers(outcome.ledger)) watch.saw(row)
    left -= outcome.ledger.head.counts.sent
    retryAt = outcome.retryAt
  }
  return {
    watch,
    isBegun: before.sent + given.spent > 0,
    /** Sends as many as the minute allows, evenly, until `downTo` of the day are left; to its end and beyond for 0. */
    async evenly(id: string, downTo: number): Promise<void> {
      const { schedule, connections } = evenPace(context, key.quota.limit * given.share, 1)
      const most = downTo > 0 ? Math.max(0, key.quota.longer - downTo - watch.admitted()) : left
      await send({ id, schedule, connections }, most, downTo > 0 ? { downTo } : {})
    },
    /** Sends what is left at once, on a key that was silent before, to the day's end and beyond. */
    async atOnce(id: string): Promise<void> {
      await send({ id, connections: connectionsFor(context, left, burstShare, spendingConnections) }, left, {}, true)
    },
    /** Sends as many as the minute allows at once, and a few more. */
    async burst(id: string): Promise<void> {
      const most = 2 * key.quota.limit + spendingConnections
      const connections = connectionsFor(context, key.quota.limit, burstShare, spendingConnections)
      await send({ id, connections }, most, { refusals: refusedInBurst })
    },
  }
}

/**
 * Spends a whole day's quota at a pace that the minute allows, and a little more (QUOTA-3). The minute refuses part of
 * two bursts, early and near the end, because the day's count has to go on meanwhile. The rest of a day that fits into a
 * window is sent at once. Only on keys whose day fits the settings: it spends their day on purpose. A resumed run begins
 * where the stopped one ended.
 */
export const daily = defineLoad({
  id: 'daily',
  summary:
    "Spends a key's whole daily quota, and a little more, at a pace that the limit per minute allows; only if the day is small enough.",
  settings: settings.shape,
  spendsDay: true,
  cost: (key, given) =>
    fits(key, given)
      ? { keyed: othersCost + amountOf(key, given) + 2 * gentleTimes, minutes: minutesOf(key, given) + minutesBeside }
      : { keyed: 0 },
  async play(context, given) {
    const { quota } = context.key
    if (!fits(context.key, given)) return
    const isAtOnce = fitsInWindow(context.key, given)
    if (isAtOnce) await beSilent(context)
    const { watch, isBegun, evenly, atOnce, burst } = dayOf(context, given, await askForOthers(context))
    const [forBurst, atEnd] = [quota.limit + leftAfterBursts(quota), leftAfterBursts(quota)]
    const leftOf = () => Math.min(quota.longer - watch.admitted(), watch.shownLeft())
    if (!isBegun && quota.longer > forBurst) await burst('daily-early-burst')
    // If only the rest of a day is left, the bursts came before it.
    const isWhole = given.spent === 0
    if (isWhole && leftOf() > forBurst) await evenly('daily', forBurst)
    if (isWhole && leftOf() > atEnd) await burst('daily-late-burst')
    await (isAtOnce ? atOnce('daily-end') : evenly('daily-end', 0))
    if (watch.refused() > 0) await askAfterwards(context, isWhole ? gentleTimes : timesAfterRest)
  },
})
