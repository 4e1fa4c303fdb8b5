import type { Exchange } from '../../evidence/exchange.js'
import type { LedgerRows } from '../../evidence/ledger.js'
import type { ProbeContext } from '../probe.js'
import { waitsMayContradict } from './contradictory-waits.js'
import { askInParts, refusalAt } from './parts-of-a-second.js'

/** The most refusals that are asked for to meet a short wait: of one in ten 98 % are met, of one in fifty half. */
export const mostAskedForShorter = 40

/** So far apart that they fall into every part of a second. */
const apartMs = 75

const secondMs = 1_000

/** What the way to the target and back adds to one moment and not to another. */
const clearlyMs = 200

/** So much of the earliest wait has to be left for the silence that puts it to the test. */
const leastSilenceMs = 300

/** A wait of more windows than this is a day's or a ban's. */
const mostWindowsWaited = 2

interface Named {
  readonly askedAt: number
  /** From when on a request is allowed. */
  readonly moment: number
}

/**
 * Whether the refusal allows a request before the key is served again, as far as those before it tell. Of a window that
 * ends at 6.0 s whole seconds that are rounded up name moments from 6.0 to 7.0 s: once a whole second has been asked
 * through, the earliest of them is the end, and 5.5 s comes too early. So does what lies more than a second before any.
 */
const isTooEarly = ({ moment, askedAt }: Named, before: readonly Named[]): boolean => {
  if (before.length === 0) return false
  const moments = before.map((each) => each.moment).sort((a, b) => a - b)
  if (moment < moments[moments.length - 1] - secondMs - clearlyMs) return true
  // One that stands alone may itself have come too early.
  const end = moments.find((each, i) => moments[i + 1] - each <= clearlyMs) ?? moments[0]
  return askedAt - before[0].askedAt >= secondMs && moment < end - clearlyMs
}

/**
 * For a target whose waits may contradict each other: asks one request at a time until a refusal allows one too early, so
 * that the silence which follows holds the target to it. Ends where the key is served, where the wait is too long to
 * sit through, or where the earliest moment is near. Gives the last answer.
 */
export const askForShorter = async (context: ProbeContext, refusal: Exchange): Promise<Exchange> => {
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
    if (nextAt > earliest - leastSilenceMs || moment > nextAt + mostWindowsWaited * context.minuteMs) return last
    await context.waitUntil(nextAt, 'one more refusal, to compare what it names')
    last = await context.askOnce({ step: 'gentle', operation: 'listInventory', intent: { again: String(again) } })
  }
  return last
}

/**
 * Asks a spent key, so that whoever then waits as told tries the wait that is most likely too short: in each part of a
 * second from a moment on, or at once and until a short one comes, where the waits of the load that spent it may contradict
 * each other. Gives the last answer.
 */
export const askForEarliest = async (context: ProbeContext, rows: LedgerRows, at: number): Promise<Exchange> =>
  waitsMayContradict(rows) ? askForShorter(context, await refusalAt(context, context.now())) : askInParts(context, at)
