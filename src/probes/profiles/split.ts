import { whole } from '../../kit/described.js'
import {
  askGently,
  askOneByOne,
  isBeyondClocks,
  isReturnKnown,
  mostAskedForEnd,
  pollEnd,
  pollNextEnd,
  waitForReset,
} from '../moves/gentle.js'
import {
  amountAtOnce,
  amountInPace,
  atOnce,
  atOnceCost,
  connectionsSetting,
  isRoomyOther,
  isSmallest,
  isSpared,
  leastBeyondLimit,
  plansSetting,
  untilRefused,
  windowsInPace,
} from '../moves/loads.js'
import { askAroundEnds, endsInGroups, justBeforeEnd, spendBeforeFull, spendToItsEnd } from '../moves/window-ends.js'
import { defineLoad, type ProbeContext } from '../probe.js'

/** How long it takes, in windows: 1.1 if two windows' ends are seen closely, else half a window or a whole one more. */
const usualWindows = 1.7

/** How much a window is sent by its last load, in limits: a limiter that loses one count in ten admits a tenth more. */
const beyondLimit = 1.15

/** From a served poll to the next presumed end, in windows: one, and half the time between two polls. */
const betweenEnds = 1.0075

/** How many more windows are spent at most, to know two ends in a row well: a window's length lies between them. */
const mostEnds = 1

/**
 * When each part is sent, in windows after the key's last request. The next window is opened half a window out of step
 * with those before, and asked when a grid that explains those has begun anew: so no grid explains both ends. In
 * seconds of a minute: a fifth of the limit at 0, so that a log has something to give back in one piece; the rest of
 * half the limit at 24; more than the other half at 48; the opener at 90; the limit again at 105; questions at 106 and
 * 126. The load at 48 comes no nearer to the end: a window that ends at 57 would begin anew under a slow load, and so
 * would its next one, and all of them would look like a grid of 60.
 */
const parts = {
  atOnce: 0,
  half: 0.4,
  // On a short day: after a whole window of silence some limiters begin a new grid, which could have any phase.
  amidSilence: 0.7,
  rest: 0.8,
  nextWindow: 1.5,
  again: 1.75,
  beforeWholeIsBack: 0.8 + justBeforeEnd,
  inNextWindow: 2.1,
} as const

/**
 * If a refusal blocks the key, its answers no longer show the window's end. If the limit near the end was wholly
 * admitted, a window ended in between; then the same is sent again half a window out of step, and so much that one
 * window has no room for it: no grid of whole windows ends at both places. In seconds of a minute: an opener at 150,
 * half the limit at 174, the rest and one more at 198.
 */
const outOfStep = { opener: 2.5, half: 2.9, rest: 3.3, last: 3.47 } as const

/**
 * When a bucket that held under a fifth when served again is spent once more, in windows after the key's last request.
 * It is left alone until then: of 60 a minute 42 come back, more than a sliding counter of another window has at once.
 */
const amidRefill = 0.7

/**
 * The time between the loads that spend what a sliding counter has given back, in windows: so long that about two dozen
 * came back, and their number tells its slope to a few per cent. For 60 a minute 24 s, for 300 and more 9 s.
 */
const [leastBetween, mostBetween, tellingReturn] = [0.15, 0.4, 24]

/** If more than this share of the limit is back by then, a window has ended. */
const wholeWindow = 0.95

/**
 * A key that is spent at 0.8 and served again before this gets its quota back bit by bit, or a window ended that nobody
 * saw begin: a few more requests tell which.
 */
const soonBack = 0.95
/** When quota that comes back bit by bit is spent once more, in windows after the key's last request: it shows how fast. */
const onceMore = 1.15

/**
 * How many of the smallest key's last requests within the limit, and beyond it, are sent one after another: what each
 * answer says is left shows in the next. The request or two that opened the window are not counted here.
 */
const [lastAlone, beyondAlone] = [8, 2]

/** The parts of the probe, each at its moment after the key's last request. */
const partsOf = (context: ProbeContext<'gentle'>, connections: number) => {
  const { windowMs, key } = context
  const start = context.lastUsedAt()
  const loadAt = async (share: number, name: string, amount: number) => {
    await context.waitUntil(start + share * windowMs, 'the next part of the window')
    const id = `${name}-${key.name}`
    return context.load({ id, connections: Math.min(atOnce(context, connections), amount), amount, least: amount })
  }
  return {
    start,
    limit: key.quota.limit,
    loadAt,
    load: (part: keyof typeof parts, amount: number) => loadAt(parts[part], part, amount),
    ask: (part: keyof typeof parts) => askGently(context, start + parts[part] * windowMs),
    // On a larger limit only the burst sends more: each load that does takes from the day.
    small: (amount: number) => (atOnceCost(key.quota.limit) > 0 ? amountAtOnce(context, connections, amount) : amount),
    half: Math.max(1, Math.floor(key.quota.limit / 2)),
  }
}

type Parts = ReturnType<typeof partsOf>

/** The probe for refusals that block: a block that is over says nothing about the quota, which may not be back. */
const splitWhereBlocked = async (context: ProbeContext<'gentle' | 'at-reset' | 'after-wait'>, of: Parts) => {
  const { windowMs, key } = context
  const { limit } = key.quota
  const { start, half, ask, load, loadAt } = of
  await load('half', half)
  const { refusals } = await load('rest', of.small(limit))
  if (refusals === 0) {
    await askGently(context, start + outOfStep.opener * windowMs)
    await loadAt(outOfStep.half, 'half-out-of-step', half)
    await loadAt(outOfStep.rest, 'rest-out-of-step', limit - half + 1)
    return waitForReset(context, await askGently(context, start + outOfStep.last * windowMs))
  }
  const opener = await ask('nextWindow')
  await load('again', limit)
  await ask('beforeWholeIsBack')
  let last = await ask('inNextWindow')
  if (last.response?.status === 429) last = await askGently(context, opener.sentAt + justBeforeEnd * windowMs)
  return waitForReset(context, last)
}

/** Sends the rest of the limit near the window's end, the last of the smallest key one after another; counts refusals. */
const spendRest = async (context: ProbeContext<'gentle'>, { half, small, load, loadAt }: Parts): Promise<number> => {
  const { key, keys } = context
  const { limit } = key.quota
  const fast = limit - half - lastAlone
  const more = Math.ceil(limit * beyondLimit) - half
  if (fast < 1 || !isSmallest(key, keys)) return (await load('rest', small(more))).refusals
  await load('rest', fast)
  const tail = { id: `alone-${key.name}`, connections: 1, amount: lastAlone + beyondAlone }
  const alone = await context.load({ ...tail, stop: untilRefused })
  const beyond = await loadAt(parts.rest, 'beyond', half)
  return alone.refusals + beyond.refusals
}

/** Spends a bucket amid its refill, up to `times` times, until nothing is refused, or a whole window's quota is back. */
const spendRefills = async ({ loadAt, limit }: Parts, times: number, amount: number) => {
  for (let time = 1; ; time += 1) {
    const { ledger, refusals } = await loadAt(time * amidRefill, 'amid-refill', amount)
    const isRefilled = refusals > 0 && ledger.rows.length - refusals < wholeWindow * limit
    if (!isRefilled || time === times) return { refusals, isRefilled }
  }
}

/** Spends twice what a sliding counter gives back while the window before loses its weight. */
const spendWeighed = async ({ loadAt, limit, half }: Parts): Promise<void> => {
  const between = Math.min(mostBetween, Math.max(leastBetween, tellingReturn / limit))
  for (const part of [1, 2]) await loadAt(part * between, 'amid-weighed', half)
}

/**
 * Sends half the limit in the middle of a window, more than the rest near its end, and the limit again in the next one,
 * each at another phase. An extra admission that some model excuses in one burst is excused by none in all three. If
 * the ends of two windows were seen closely by then, a fifth after the second shows that the quota is back. A bucket,
 * which a fifth at once spends again, is spent once more in one piece instead. On a short day it sends only the last
 * load, and {@link leastBeyondLimit} more: a grid that excuses the burst of another probe does not fit it.
 */
export const split = defineLoad({
  id: 'split',
  summary:
    'Sends half the limit in the middle of a window, more than the rest near its end, and the limit again in the next: three bursts show what one leaves unclear.',
  settings: {
    connections: connectionsSetting(),
    plans: plansSetting,
    refills: whole(
      1,
      5,
      1,
      'How often a bucket is spent again while it refills. Each time shows more of what it gave back: this distinguishes a bucket of 299 from one of 300 even on a slow target.',
    ),
  },
  cost: (key, { plans, refills }, keys) => {
    const { plan, quota, isSpentInGroups } = key
    if (isSpared(plan, plans)) return { keyed: 0 }
    const inParts =
      Math.ceil(quota.limit * ((isSmallest(key, keys) ? 1.5 : beyondLimit) + (1 + mostEnds) * beyondLimit)) +
      (2 + mostEnds) * (atOnceCost(quota.limit) + mostAskedForEnd) +
      8 +
      beyondAlone +
      (refills - 1) * (atOnceCost(quota.limit) + Math.ceil(quota.limit * beyondLimit))
    return isSpentInGroups
      ? {
          keyed: Math.max(inParts, endsInGroups * (amountInPace(key) + mostAskedForEnd)),
          minutes: endsInGroups * 1.1 + windowsInPace(key),
        }
      : { keyed: inParts, minutes: usualWindows + (refills - 1) * amidRefill }
  },
  least: ({ plan, quota }, { plans }) => (isSpared(plan, plans) ? 0 : quota.limit + leastBeyondLimit + 1),
  async play(context, { connections, plans, refills }) {
    const { windowMs, key } = context
    if (isSpared(key.plan, plans)) return
    if (key.isSpentInGroups) return spendToItsEnd(context, connections)
    const limit = key.quota.limit
    const isStartKnown = isReturnKnown(context)
    const openedBefore = (context.lastReturn()?.servedAt ?? Number.NEGATIVE_INFINITY) + windowMs
    const of = partsOf(context, connections)
    const { start, half, ask, load, loadAt } = of
    if (context.isShort) {
      await ask('amidSilence')
      const opener = await ask('nextWindow')
      await load('again', limit + leastBeyondLimit - 1)
      return askAroundEnds(context, start, opener)
    }
    if (context.blockedForMs > 0) return splitWhereBlocked(context, of)
    const fifth = Math.min(half, Math.ceil(limit / 5))
    const again = of.small(Math.ceil(limit * beyondLimit))
    const isSpent = (await load('atOnce', fifth)).refusals > 0
    // A bucket that gives back several tokens before clocks can tell needs loads in several windows.
    const isRefilling = isSpent && !context.carriesOver() && !isBeyondClocks(context)
    const amid = isRefilling ? await spendRefills(of, refills, again) : undefined
    if (amid && amid.refusals > 0) await askOneByOne(context, 'empty')
    if (amid?.isRefilled) return
    if (isSpent && context.carriesOver()) return spendWeighed(of)
    if (!amid && half > fifth) await load('half', half - fifth)
    const refusals = amid ? amid.refusals : await spendRest(context, of)
    // What opens windows is the same for all keys. If one alone has to show it, it is silent over this end, and opens
    // the next window out of step.
    const isSilent = isStartKnown && !context.keys.some((each) => isRoomyOther(each, context.keys))
    const lastEnd = (amid ? context.lastUsedAt() : start) + windowMs
    const end = refusals > 0 && !isSilent ? await pollNextEnd(context, lastEnd, { openedBefore }) : undefined
    const isEndKnown = end?.isFine === true
    const areEndsKnown = isStartKnown && isEndKnown
    const isSoonBack = end?.isServed === true && context.now() < start + soonBack * windowMs && !isBeyondClocks(context)
    if (isSoonBack || areEndsKnown) {
      const { refusals: refusedBehind } = await loadAt(0, 'behind', fifth)
      if (refusedBehind > 0) await loadAt(onceMore, 'once-more', half)
      if (refusedBehind > 0 || areEndsKnown) return
    }
    await ask('nextWindow')
    const { refusals: refusedAgain } = await load('again', again)
    if (refusedAgain > 0) await askOneByOne(context, 'empty')
    const next = await pollNextEnd(context, start + 2 * windowMs)
    if (next.wasOpen && refusedAgain > 0) {
      if (isBeyondClocks(context)) await spendBeforeFull(context, connections, again)
      return
    }
    let known = Number(isStartKnown) + Number(isEndKnown) + Number(next.isFine)
    for (let more = 0; more < mostEnds && known < 2; more += 1) {
      const endedAt = context.lastUsedAt()
      const used = Math.min(atOnce(context, connections), again)
      await context.load({ id: `more-${more}-${key.name}`, connections: used, amount: again })
      // Between the polls of the end before: else a grid of another length could end between the same two polls.
      const { isFine } = await pollEnd(context, { at: endedAt + betweenEnds * windowMs, withinMs: 0 })
      if (isFine) known += 1
    }
  },
})
