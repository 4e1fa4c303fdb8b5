import { secondMs, secondsMatterMs } from '../../contract/plans.js'
import type { Exchange } from '../../evidence/exchange.js'
import { type LedgerRows, ledgerFlags } from '../../evidence/ledger.js'
import type { ProbeContext } from '../probe.js'
import { askGently } from './gentle.js'

/**
 * Refusals are read in four parts of a second, because waits that are cut off or rounded to the nearest second are too
 * short in some parts only. A wait of 3.6 s that is named as 3 is too short; one of 4.0 s, 0.4 s earlier, is named as 4
 * and is not.
 */
const parts = 4
const partMs = secondMs / parts

/** The most requests in each part until one is refused: a bucket has given something back, 8 s' worth of 60 a minute. */
export const mostAskedInPart = 8

/** The most requests that {@link askInParts} sends: a key that is served more often is not spent any more. */
export const partsCost = 20

/** Asks from a moment on until refused, `most` times at most; resolves to the last answer, and how often it asked. */
const askUntilRefused = async (context: ProbeContext<'gentle'>, at: number, most: number) => {
  let last = await askGently(context, at)
  let asked = 1
  for (; asked < most && last.response?.status === 200; asked += 1) last = await askGently(context, at)
  return { last, asked }
}

/** Asks from a moment on until refused; resolves to the last answer, a refusal or not. */
export const refusalAt = async (context: ProbeContext<'gentle'>, at: number): Promise<Exchange> =>
  (await askUntilRefused(context, at, mostAskedInPart)).last

/**
 * Asks a spent key in each part of a second, and once more in the part whose refusal named the earliest moment: that
 * wait is the likeliest to be too short. Resolves to the last answer.
 */
export const askInParts = async (context: ProbeContext<'gentle'>, at: number): Promise<Exchange> => {
  if (context.windowMs < secondsMatterMs) return refusalAt(context, at)
  const from = Math.max(at, context.now())
  let left = partsCost
  const askAt = async (moment: number, keeps: number) => {
    const { last, asked } = await askUntilRefused(context, moment, Math.min(mostAskedInPart, left - keeps))
    left -= asked
    return last
  }
  let [soonest, soonestPart] = [Number.POSITIVE_INFINITY, 0]
  for (let part = 0; part < parts; part += 1) {
    const { retryAt } = context.hintsOf(await askAt(from + part * partMs, parts - part))
    if (retryAt !== undefined && retryAt < soonest) [soonest, soonestPart] = [retryAt, part]
  }
  return askAt(from + secondMs + soonestPart * partMs, 0)
}

/** The rows of refusals that name a wait in the form of the first of them: seconds and dates can't be compared. */
const namedWaits = ({ length, status, retryAfter, flags }: LedgerRows): number[] => {
  const named = Array.from({ length }, (_, row) => row).filter(
    (row) => status[row] === 429 && Number.isFinite(retryAfter[row]),
  )
  const isDate = (row: number) => flags[row] & ledgerFlags.retryAfterIsDate
  return named.filter((row) => isDate(row) === isDate(named[0]))
}

/**
 * Whether the waits of a load may contradict each other: in order of sending, they shrink and then grow again. A wait
 * shrinks while time passes; 6 s, 5 s and 6 s again are three answers that came out of order, or some of them are
 * wrong, or longer than necessary. A few more questions tell which.
 */
export const waitsMayContradict = (rows: LedgerRows): boolean => {
  let [longest, shortestSince] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (const row of namedWaits(rows)) {
    const wait = rows.retryAfter[row]
    if (wait > shortestSince) return true
    if (wait < longest) shortestSince = Math.min(shortestSince, wait)
    longest = Math.max(longest, wait)
  }
  return false
}

/** The most refusals to meet a short wait: if one in ten is short, 98 % of runs meet it; of one in fifty, 55 %. */
export const mostAskedForShorter = 40

/** Refusals this far apart fall into every part of a second: 13 a second. */
const apartMs = 75

/** Two moments differ clearly if they differ by more than a round trip adds to one and not to the other. */
const clearlyMs = 200

/** How much of the earliest wait has to be left for the silence that tests it. */
const leastSilenceMs = 300

interface Named {
  readonly askedAt: number
  /** From when on a request is allowed. */
  readonly moment: number
}

/**
 * Whether the refusal names a moment at which the key is still refused, as far as earlier refusals show. Waits until
 * 6.0 s that are rounded up to whole seconds name moments from 6.0 to 7.0 s: after a whole second of refusals the
 * earliest of these is the end, and 5.5 s is too early. A moment more than a second before another one is too early at
 * once.
 */
const isTooEarly = ({ moment, askedAt }: Named, before: readonly Named[]): boolean => {
  if (before.length === 0) return false
  const moments = before.map((each) => each.moment).sort((a, b) => a - b)
  if (moment < moments[moments.length - 1] - secondMs - clearlyMs) return true
  // An earliest moment without another one near it may be too early itself.
  const end = moments.find((each, i) => moments[i + 1] - each <= clearlyMs) ?? moments[0]
  return askedAt - before[0].askedAt >= secondMs && moment < end - clearlyMs
}

/**
 * For a target whose waits may contradict each other: asks, one request at a time, until a refusal names a moment that
 * is too early; waiting just that long then tests the target. Ends earlier if the key is served, if the wait is longer
 * than a probe sits through, or if the earliest moment is near. Resolves to the last answer.
 */
export const askForShorter = async (context: ProbeContext<'gentle'>, refusal: Exchange): Promise<Exchange> => {
  const named: Named[] = []
  let last = refusal
  for (let again = 1; again <= mostAskedForShorter; again += 1) {
    const { retryAt: moment } = context.hintsOf(last)
    if (last.response?.status !== 429 || moment === undefined) return last
    const now = { askedAt: last.sentAt, moment }
    if (isTooEarly(now, named)) return last
    named.push(now)
    const earliest = Math.min(...named.map((each) => each.moment))
    const nextAt = last.sentAt + apartMs
    if (nextAt > earliest - leastSilenceMs || moment > nextAt + context.longestWaitMs) return last
    await context.waitUntil(nextAt, 'one more refusal, to compare what it names')
    last = await context.askOnce({ step: 'gentle', ...context.ordinary, intent: { again: String(again) } })
  }
  return last
}

/**
 * Asks a spent key until it has named the wait that is the likeliest to be too short: in each part of a second from
 * `at` on; or, if waits of the load that spent it may contradict each other, at once and until a short wait comes.
 * Resolves to the last answer.
 */
export const askForEarliest = async (context: ProbeContext<'gentle'>, rows: LedgerRows, at: number) =>
  waitsMayContradict(rows) ? askForShorter(context, await refusalAt(context, context.now())) : askInParts(context, at)

/** How long before the named time the key is asked again, in windows. */
const justBefore = 0.02

/** A time further away than this, in windows, is a day's or a ban's. */
const longestNamed = 2

/**
 * Asks once more just before the time that a refusal names, less a second for rounding: that shows a window's end
 * closely. Never later than just before the end of a window that the opener began: one found open there shows no end.
 */
export const askJustBefore = async (context: ProbeContext<'gentle'>, opener: Exchange, refusal: Exchange) => {
  const { retryAt = 0 } = context.hintsOf(refusal)
  const at = Math.min(retryAt - secondMs, opener.sentAt + context.windowMs) - justBefore * context.windowMs
  const isNear = at > context.now() && retryAt < context.now() + longestNamed * context.windowMs
  return isNear ? askGently(context, at) : refusal
}
