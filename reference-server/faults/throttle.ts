import type { OperationId } from '../../src/contract/petstore/operations.js'
import { type Call, type Departure, type PetstoreBehaviour, refusing } from '../behaviour.js'
import { type Answer, withHeaders, withoutHeaders } from '../http/answer.js'
import { type Ruling, retryAfterSeconds, type Tally } from '../stores/ruling.js'
import { contractRefusalFaults } from './contract-answers.js'
import { fault, faultsOf, shared } from './fault.js'

const waits = (as: (seconds: number, call: Call) => string | number): Departure =>
  refusing((answer, call) => withHeaders(answer, { 'Retry-After': String(as(retryAfterSeconds(call.ruling), call)) }))

const isLimited = ({ status }: Answer) => status === 429

const refusesAs = (status: number, of: OperationId): Departure =>
  refusing((answer, { operation }) => (isLimited(answer) && operation === of ? { ...answer, status } : answer))

/** Holds every refusal for six tenths of the window, if that much of it is left. */
const holdsRefusals: Departure = (_before, { minuteMs, sleep, self }) => {
  const heldMs = 0.6 * minuteMs
  return {
    async finish(answer, { ruling, nowMs }) {
      if (!isLimited(answer) || ruling.retryAfterMs < heldMs + 100) return answer
      await sleep(heldMs)
      // The wait counts from the answer's arrival; unchanged it would be too long (THROTTLE-5).
      const retryAfterMs = nowMs + ruling.retryAfterMs - self().nowMs()
      return withHeaders(answer, { 'Retry-After': String(retryAfterSeconds({ ...ruling, retryAfterMs })) })
    },
  }
}

/** Bans a key that was refused in `windows` windows, as soon as it returns after its wait. */
const bansObedient =
  (windows: number): Departure =>
  (before: PetstoreBehaviour, { minuteMs }): Partial<PetstoreBehaviour> => {
    const refusals = new Map<string, { untilMs: number; windows: number }>()
    const note = ({ subject }: Tally, ruling: Ruling, nowMs: number) => {
      const known = refusals.get(subject.id) ?? { untilMs: 0, windows: 0 }
      if (ruling.outcome === 'refused' && nowMs >= known.untilMs)
        refusals.set(subject.id, { untilMs: nowMs + ruling.retryAfterMs, windows: known.windows + 1 })
      return ruling
    }
    return {
      decide(charged, nowMs) {
        const [{ tally }] = charged
        const known = refusals.get(tally.subject.id)
        if (known && known.windows >= windows && nowMs >= known.untilMs && tally.subject.plan) {
          refusals.delete(tally.subject.id)
          tally.bannedUntilMs = nowMs + minuteMs
        }
        const ruling = before.decide(charged, nowMs)
        return ruling instanceof Promise ? ruling : note(tally, ruling, nowMs)
      },
    }
  }

export const throttleFaults = faultsOf('THROTTLE', {
  'refused-as-420': fault('A request over the limit gets 420.', 'THROTTLE-1').by(
    refusing((answer) => (isLimited(answer) ? { ...answer, status: 420, reason: 'Enhance Your Calm' } : answer)),
  ),
  'patch-refused-as-403': fault('A PATCH over the limit gets 403.', 'THROTTLE-1').by(refusesAs(403, 'updateInventory')),
  'orders-refused-as-302': fault('GET /store/orders over the limit gets 302.', 'THROTTLE-1').by(
    refusesAs(302, 'listOrders'),
  ),
  'refusal-held': fault('A 429 comes after 0.6 windows.', 'THROTTLE-1').by(holdsRefusals),
  'retry-after-missing': fault('A 429 has no Retry-After.', 'THROTTLE-2').by(
    refusing((answer) => (isLimited(answer) ? withoutHeaders(answer, 'Retry-After') : answer)),
  ),
  'retry-after-fraction': fault('Retry-After has three decimals.', 'THROTTLE-3').by(
    waits((_, { ruling }) => (Math.ceil(ruling.retryAfterMs) / 1000).toFixed(3)),
  ),
  ...shared(contractRefusalFaults, 'retry-after-with-unit', 'retry-after-short'),
  'retry-after-cut-off': fault('The seconds of Retry-After are rounded down.', 'THROTTLE-4').by(
    waits((_, { ruling }) => Math.floor(ruling.retryAfterMs / 1000)),
  ),
  'retry-after-cut-off-at-times': fault('Every tenth Retry-After is rounded down, the others up.', 'THROTTLE-4').byEach(
    () => {
      let refusals = 0
      return waits((seconds, { ruling }) => {
        refusals += 1
        return refusals % 10 === 4 ? Math.floor(ruling.retryAfterMs / 1000) : seconds
      })
    },
  ),
  'retry-after-rounded': fault('The seconds of Retry-After are rounded to the nearest one.', 'THROTTLE-4').by(
    waits((_, { ruling }) => Math.round(ruling.retryAfterMs / 1000)),
  ),
  'retry-after-date-cut-off': fault('Retry-After is a date, rounded down to its second.', 'THROTTLE-4').by(
    waits((_, { ruling, nowMs }) => new Date(nowMs + ruling.retryAfterMs).toUTCString()),
  ),
  'retry-after-zero': fault('Retry-After is always 0.', 'THROTTLE-4').by(waits(() => 0)),
  // Shows only when the day is spent.
  'retry-after-of-the-minute': fault('Retry-After is at most a minute, even if the day is spent.', 'THROTTLE-4').byEach(
    (_, { minuteMs }) => waits((seconds) => Math.min(seconds, Math.ceil(minuteMs / 1000))),
  ),
  'retry-after-long': fault('Retry-After is half a minute too long, or 3 s if that is more.', 'THROTTLE-5').byEach(
    (_, { minuteMs }) => waits((seconds) => seconds + Math.max(3, Math.ceil(minuteMs / 2000))),
  ),
  'retry-after-in-milliseconds': fault('Retry-After counts milliseconds.', 'THROTTLE-5').by(
    waits((seconds) => seconds * 1000),
  ),
  'retry-after-as-epoch': fault('Retry-After is a Unix timestamp.', 'THROTTLE-5').by(
    waits((seconds, { nowMs }) => Math.ceil(nowMs / 1000) + seconds),
  ),
  // A hammered key may be banned for that, so only a client that always obeyed shows this fault.
  'obedient-banned': fault('A key refused in two windows is banned after its wait.', 'THROTTLE-6').by(bansObedient(2)),
  'obedient-banned-late': fault('A key refused in three windows is banned after its wait.', 'THROTTLE-6').by(
    bansObedient(3),
  ),
  ...shared(contractRefusalFaults, 'refusal-cacheable', 'refusal-expires-later'),
})
