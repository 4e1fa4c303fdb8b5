import type { Call, Departure } from '../behaviour/behaviour.js'
import { showing, showingState, showsRemaining, showsReset, writesIn } from '../behaviour/departing.js'
import { whenKnown } from '../behaviour/pipeline.js'
import { type Answer, rateHeaderNames, withoutHeaders } from '../http/answer.js'
import { contractFieldFaults, writesTwice } from './contract-fields.js'
import { faultsOf, shared } from './fault.js'
import { everyNth } from './odd-meters.js'

/** Leaves all three headers off certain answers. */
const leavesOff =
  (off: (answer: Answer, call: Call) => boolean): Departure =>
  () => ({
    finish: (answer, call) => (off(answer, call) ? withoutHeaders(answer, ...rateHeaderNames) : answer),
  })

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
    // On a 401 no plan is known, so that nothing is judged there.
    depart: showing(({ window }, { account }) => (account ? { 'X-RateLimit-Limit': String(window.limit + 17) } : {})),
  },
  {
    id: 'limit-with-policy',
    // A value that is no integer is no plain decimal integer either.
    breaks: ['RATE-2', 'RATE-7'],
    sentence: 'Limit has the window behind it: 60;w=60.',
    depart: showing(({ window }, { account }) => (account ? { 'X-RateLimit-Limit': `${window.limit};w=60` } : {})),
  },
  {
    id: 'remaining-negative',
    breaks: ['RATE-3'],
    sentence: 'Remaining is -1 on a refusal.',
    depart: showingState(({ refused }) => (refused ? { remaining: -1 } : {})),
  },
  {
    id: 'remaining-above-limit',
    breaks: ['RATE-3'],
    sentence: 'Remaining is higher than what is left, by one more than the limit.',
    depart: showsRemaining(({ remaining, window }) => remaining + window.limit + 1),
  },
  ...shared(contractFieldFaults, 'remaining-on-refusal', 'remaining-frozen'),
  {
    id: 'remaining-lags',
    breaks: ['RATE-4'],
    sentence: 'Remaining is brought up to date every tenth request.',
    depart: showsRemaining(({ remaining, window }) => Math.min(window.limit, Math.ceil(remaining / 10) * 10)),
  },
  ...shared(contractFieldFaults, 'remaining-before-counting'),
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
    depart: showsRemaining(({ remaining, window }, { operation }) =>
      operation === 'updateInventory' ? Math.min(window.limit, remaining + 1) : remaining,
    ),
  },
  {
    // A Reset that no run lives to see can't be tested for honesty, so RATE-6 is not broken.
    id: 'reset-in-milliseconds',
    breaks: ['RATE-5'],
    sentence: 'Reset counts milliseconds since the epoch.',
    depart: showing(({ resetMs }) => ({ 'X-RateLimit-Reset': String(seconds(resetMs) * 1000) })),
  },
  ...shared(contractFieldFaults, 'reset-as-delta'),
  {
    id: 'reset-as-delta-undated',
    breaks: ['RATE-5'],
    sentence: 'Reset is the number of seconds until the reset, and no answer has a Date to hold it against.',
    depart: (before, surroundings) => ({
      ...writesIn({ 'epoch-s': 'delta-s' })(before, surroundings),
      finish: (answer) => ({ ...answer, undated: true }),
    }),
  },
  {
    id: 'reset-in-the-past',
    breaks: ['RATE-5'],
    sentence: 'Reset is the start of the hour before.',
    depart: showsReset((_, { nowMs }) => Math.floor(nowMs / 3_600_000 - 1) * 3_600_000),
  },
  {
    id: 'reset-zero-when-refused',
    breaks: ['RATE-5'],
    sentence: 'Reset is 0 on a 429.',
    depart: showsReset(({ resetMs }, { ruling }) => (ruling.outcome === 'admitted' ? resetMs : 0)),
  },
  ...shared(contractFieldFaults, 'reset-two-windows-ahead'),
  {
    id: 'reset-slides',
    breaks: ['RATE-5'],
    sentence: 'Reset lies a whole window ahead of every answer, however much of the window is over.',
    depart: showsReset(({ window }, { nowMs }) => nowMs + window.lengthMs),
  },
  {
    id: 'reset-as-date',
    breaks: ['RATE-5', 'RATE-7'],
    sentence: 'Reset is an HTTP-date.',
    depart: writesIn({ 'epoch-s': 'http-date' }),
  },
  ...shared(contractFieldFaults, 'reset-too-early'),
  {
    id: 'reset-fraction',
    breaks: ['RATE-7'],
    sentence: 'Reset has three decimals.',
    depart: showing(({ resetMs }) => ({ 'X-RateLimit-Reset': (resetMs / 1000).toFixed(3) })),
  },
  {
    id: 'headers-twice',
    breaks: ['RATE-7'],
    sentence: 'Each of the three headers comes twice.',
    depart: writesTwice,
  },
])
