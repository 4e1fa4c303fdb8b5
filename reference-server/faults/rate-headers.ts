import type { Call, Departure } from '../behaviour/behaviour.js'
import { showing } from '../behaviour/departing.js'
import { whenKnown } from '../behaviour/pipeline.js'
import { type Answer, rateHeaderNames, withoutHeaders } from '../http/answer.js'
import type { WindowState } from '../stores/ruling.js'
import { faultsOf } from './fault.js'
import { everyNth } from './odd-meters.js'

/** Leaves all three headers off certain answers. */
const leavesOff =
  (off: (answer: Answer, call: Call) => boolean): Departure =>
  () => ({
    finish: (answer, call) => (off(answer, call) ? withoutHeaders(answer, ...rateHeaderNames) : answer),
  })

const isRefused = ({ ruling }: Call) => ruling.outcome !== 'admitted'

/** Shows another Limit to a key. On a 401 no plan is known, so that nothing is judged there. */
const showsLimit = (as: (limit: number) => string) =>
  showing(({ window }, { account }) => (account ? { 'X-RateLimit-Limit': as(window.limit) } : {}))

/** Shows another Remaining on what was admitted; on a refusal it stays 0. */
const showsRemaining = (as: (shown: WindowState) => number, on: (call: Call) => boolean = () => true) =>
  showing((shown, call) => (isRefused(call) || !on(call) ? {} : { 'X-RateLimit-Remaining': String(as(shown)) }))

/** Shows another Remaining on a refusal. */
const showsOnRefusal = (remaining: string) =>
  showing((_, call) => (isRefused(call) ? { 'X-RateLimit-Remaining': remaining } : {}))

/** Shows another Reset. */
const showsReset = (as: (resetMs: number, call: Call, shown: WindowState) => string | number) =>
  showing((shown, call) => ({ 'X-RateLimit-Reset': String(as(shown.resetMs, call, shown)) }))

const beforeCounting = ({ remaining, window }: WindowState) => Math.min(window.limit, remaining + 1)

const seconds = (ms: number) => Math.ceil(ms / 1000)

/** Takes two requests off the quota for one of an operation. */
const countsTwice =
  (operation: 'updateInventory' | 'listOrders'): Departure =>
  (before) => ({
    meter: (store, arrival, charges) =>
      whenKnown(before.meter(store, arrival, charges), (ruling) =>
        arrival.operation === operation && ruling.windows.every(({ remaining }) => remaining > 0)
          ? store.take(charges, arrival.nowMs)
          : ruling,
      ),
  })

/** Gives an admitted request of an operation back to the quota, once its own answer shows it counted. */
const countsBack =
  (operation: 'updateInventory'): Departure =>
  (before) => ({
    meter: (store, arrival, charges) =>
      whenKnown(before.meter(store, arrival, charges), (ruling) => {
        if (arrival.operation === operation && ruling.outcome === 'admitted') void store.refund(charges, arrival.nowMs)
        return ruling
      }),
  })

/** Departures from §8.1 and §8.2. */
export const rateHeaderFaults = faultsOf('RATE', [
  {
    id: 'headers-missing-on-401',
    breaks: ['RATE-1'],
    sentence: 'A 401 has none of the three headers.',
    depart: leavesOff(({ status }) => status === 401),
  },
  {
    id: 'headers-missing-on-400',
    breaks: ['RATE-1'],
    sentence: 'A 400 has none of the three headers.',
    depart: leavesOff(({ status }) => status === 400),
  },
  {
    id: 'headers-missing-on-404',
    breaks: ['RATE-1'],
    sentence: 'A 404 has none of the three headers.',
    depart: leavesOff(({ status }) => status === 404),
  },
  {
    id: 'headers-missing-on-429',
    breaks: ['RATE-1'],
    sentence: 'A 429 has none of the three headers.',
    depart: leavesOff(({ status }) => status === 429),
  },
  {
    id: 'headers-missing-on-orders',
    breaks: ['RATE-1'],
    sentence: 'GET /store/orders has none of the three headers.',
    depart: leavesOff((_, { operation }) => operation === 'listOrders'),
  },
  {
    id: 'headers-missing-now-and-then',
    breaks: ['RATE-1'],
    sentence: 'Every seventh answer has none of the three headers.',
    depart: (before, surroundings) => leavesOff(everyNth(7))(before, surroundings),
  },
  {
    id: 'reset-missing',
    breaks: ['RATE-1'],
    sentence: 'No answer has an X-RateLimit-Reset.',
    depart: () => ({ finish: (answer) => withoutHeaders(answer, 'X-RateLimit-Reset') }),
  },
  {
    id: 'limit-of-no-plan-shown',
    breaks: ['RATE-2'],
    sentence: 'The Limit shown is 17 more than the one enforced.',
    depart: showsLimit((limit) => String(limit + 17)),
  },
  {
    id: 'limit-with-policy',
    // A value that is no integer is no plain decimal integer either.
    breaks: ['RATE-2', 'RATE-7'],
    sentence: 'Limit has the window behind it: 60;w=60.',
    depart: showsLimit((limit) => `${limit};w=60`),
  },
  {
    id: 'remaining-negative',
    breaks: ['RATE-3'],
    sentence: 'Remaining is -1 on a refusal.',
    depart: showsOnRefusal('-1'),
  },
  {
    id: 'remaining-above-limit',
    breaks: ['RATE-3'],
    sentence: 'Remaining is higher than what is left, by one more than the limit.',
    depart: showsRemaining(({ remaining, window }) => remaining + window.limit + 1),
  },
  {
    id: 'remaining-on-refusal',
    breaks: ['RATE-3'],
    sentence: 'Remaining is 1 on a 429.',
    depart: showsOnRefusal('1'),
  },
  {
    id: 'remaining-frozen',
    breaks: ['RATE-4'],
    sentence: 'Remaining stays at one less than the limit until nothing is left.',
    depart: showsRemaining(({ window }) => window.limit - 1),
  },
  {
    id: 'remaining-lags',
    breaks: ['RATE-4'],
    sentence: 'Remaining is brought up to date every tenth request.',
    depart: showsRemaining(({ remaining, window }) => Math.min(window.limit, Math.ceil(remaining / 10) * 10)),
  },
  {
    id: 'remaining-before-counting',
    breaks: ['RATE-4'],
    sentence: 'Remaining is what was left before the request that it answers.',
    depart: showsRemaining(beforeCounting),
  },
  {
    id: 'patch-counts-twice',
    breaks: ['RATE-4'],
    sentence: 'A PATCH counts as two requests.',
    depart: countsTwice('updateInventory'),
  },
  {
    id: 'orders-count-twice',
    breaks: ['RATE-4'],
    sentence: 'A GET /store/orders counts as two requests.',
    depart: countsTwice('listOrders'),
  },
  {
    id: 'patch-counted-back',
    breaks: ['RATE-4'],
    sentence: 'A PATCH is counted back once it was answered.',
    depart: countsBack('updateInventory'),
  },
  {
    id: 'patch-shown-late',
    breaks: ['RATE-4'],
    sentence: 'The answer of a PATCH shows the Remaining from before it.',
    depart: showsRemaining(beforeCounting, ({ operation }) => operation === 'updateInventory'),
  },
  {
    // A Reset that no run lives to see can't be tested for honesty, so RATE-6 is not broken.
    id: 'reset-in-milliseconds',
    breaks: ['RATE-5'],
    sentence: 'Reset counts milliseconds since the epoch.',
    depart: showsReset((resetMs) => seconds(resetMs) * 1000),
  },
  {
    id: 'reset-as-delta',
    breaks: ['RATE-5'],
    sentence: 'Reset is the number of seconds until the reset.',
    depart: showsReset((resetMs, { nowMs }) => seconds(resetMs - nowMs)),
  },
  {
    id: 'reset-as-delta-undated',
    breaks: ['RATE-5'],
    sentence: 'Reset is the number of seconds until the reset, and no answer has a Date to hold it against.',
    depart: (before, surroundings) => ({
      ...showsReset((resetMs, { nowMs }) => seconds(resetMs - nowMs))(before, surroundings),
      finish: (answer) => ({ ...answer, undated: true }),
    }),
  },
  {
    id: 'reset-in-the-past',
    breaks: ['RATE-5'],
    sentence: 'Reset is the start of the hour before.',
    depart: showsReset((_, { nowMs }) => Math.floor(nowMs / 3_600_000 - 1) * 3_600),
  },
  {
    id: 'reset-zero-when-refused',
    breaks: ['RATE-5'],
    sentence: 'Reset is 0 on a 429.',
    depart: showsReset((resetMs, call) => (isRefused(call) ? 0 : seconds(resetMs))),
  },
  {
    id: 'reset-two-windows-ahead',
    breaks: ['RATE-5'],
    sentence: 'Reset lies two windows later than it should.',
    depart: showsReset((resetMs, _, { window }) => seconds(resetMs + 2 * window.lengthMs)),
  },
  {
    id: 'reset-slides',
    breaks: ['RATE-5'],
    sentence: 'Reset lies a whole window ahead of every answer, however much of the window is over.',
    depart: showsReset((_resetMs, { nowMs }, { window }) => seconds(nowMs + window.lengthMs)),
  },
  {
    id: 'reset-as-date',
    breaks: ['RATE-5', 'RATE-7'],
    sentence: 'Reset is an HTTP-date.',
    depart: showsReset((resetMs) => new Date(seconds(resetMs) * 1000).toUTCString()),
  },
  {
    id: 'reset-too-early',
    breaks: ['RATE-6'],
    sentence: 'Reset names the middle between now and the end of the window.',
    depart: showsReset((resetMs, { nowMs }) => seconds((nowMs + resetMs) / 2)),
  },
  {
    id: 'reset-fraction',
    breaks: ['RATE-7'],
    sentence: 'Reset has three decimals.',
    depart: showsReset((resetMs) => (resetMs / 1000).toFixed(3)),
  },
  {
    id: 'headers-twice',
    breaks: ['RATE-7'],
    sentence: 'Each of the three headers comes twice.',
    depart: (before) => ({
      fields: (shown, call) =>
        Object.fromEntries(
          Object.entries(before.fields(shown, call)).map(([name, value]) => [name, [value, value].flat()]),
        ),
    }),
  },
])
