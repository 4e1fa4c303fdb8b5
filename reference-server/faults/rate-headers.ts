import type { OperationId } from '../../src/contract/petstore/operations.js'
import {
  type Call,
  chargingOthers,
  type Departure,
  finishingAll,
  type PetstoreBehaviour,
  showing,
  showingState,
  showsRemaining,
  showsReset,
  writesIn,
} from '../behaviour/behaviour.js'
import { whenKnown } from '../behaviour/pipeline.js'
import { type Answer, withHeaders, withoutHeaders } from '../http/answer.js'
import type { Charge, Ruling, WindowState } from '../stores/ruling.js'
import type { LimiterStore } from '../stores/store.js'
import { contractFieldFaults, writesTwice } from './contract-answers.js'
import { fault, faultsOf, shared } from './fault.js'
import { clearedByTimer, everyNth, forgottenWhenIdle } from './odd-meters.js'
import { meters, metersMinute } from './quota-departures.js'

/** The names of the three headers of §8.1, as the server writes them. */
const rateHeaderNames = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const

/** Leaves all three headers off certain answers. */
const leavesOff = (off: (answer: Answer, call: Call) => boolean): Departure =>
  finishingAll((answer, call) => (off(answer, call) ? withoutHeaders(answer, ...rateHeaderNames) : answer))

const seconds = (ms: number) => Math.ceil(ms / 1000)

type Metered = ReturnType<PetstoreBehaviour['meter']>

/** Meters the requests of an operation otherwise; `asBefore` meters as the server would that is departed from. */
const metering =
  (
    operation: OperationId,
    meter: (store: LimiterStore, charges: readonly Charge[], nowMs: number, asBefore: () => Metered) => Metered,
  ): Departure =>
  (before) => ({
    meter(store, arrival, charges) {
      const asBefore = () => before.meter(store, arrival, charges)
      return arrival.operation === operation ? meter(store, charges, arrival.nowMs, asBefore) : asBefore()
    },
  })

const isSomeLeft = ({ windows }: Ruling): boolean => windows.every(({ remaining }) => remaining > 0)

/** Takes two requests off the quota for one of an operation. */
const countsTwice = (operation: OperationId): Departure =>
  metering(operation, (store, charges, nowMs, asBefore) =>
    whenKnown(asBefore(), (ruling) => (isSomeLeft(ruling) ? store.take(charges, nowMs) : ruling)),
  )

/** Shows with a new Reset, the first time, the Remaining that the key was shown last. */
const showsWindowBefore: Departure = (before, surroundings) => {
  const latest = new Map<string, WindowState>()
  return showsRemaining((state, { charges }) => {
    const id = `${charges[0].subject.id} ${state.window.name}`
    const last = latest.get(id)
    latest.set(id, state)
    return last === undefined || last.resetMs === state.resetMs ? state.remaining : last.remaining
  })(before, surroundings)
}

/** Departures from §8.1 and §8.2. */
export const rateHeaderFaults = faultsOf('RATE', {
  'headers-missing-on-401': fault('RATE-1')(
    'A 401 has none of the three headers.',
    leavesOff(({ status }) => status === 401),
  ),
  'headers-missing-on-400': fault('RATE-1')(
    'A 400 has none of the three headers.',
    leavesOff(({ status }) => status === 400),
  ),
  'headers-missing-on-404': fault('RATE-1')(
    'A 404 has none of the three headers.',
    leavesOff(({ status }) => status === 404),
  ),
  'headers-missing-on-429': fault('RATE-1')(
    'A 429 has none of the three headers.',
    leavesOff(({ status }) => status === 429),
  ),
  'headers-missing-on-orders': fault('RATE-1')(
    'GET /store/orders has none of the three headers.',
    leavesOff((_, { operation }) => operation === 'listOrders'),
  ),
  'headers-missing-now-and-then': fault('RATE-1')(
    'Every seventh answer has none of the three headers.',
    (before, surroundings) => leavesOff(everyNth(7))(before, surroundings),
  ),
  'reset-missing': fault('RATE-1')(
    'No answer has an X-RateLimit-Reset.',
    finishingAll((answer) => withoutHeaders(answer, 'X-RateLimit-Reset')),
  ),
  // On a 401 no plan is known, so that nothing is judged there.
  'limit-of-no-plan-shown': fault('RATE-2')(
    'The Limit shown is 17 more than the one enforced.',
    showing(({ window }, { account }) => (account ? { 'X-RateLimit-Limit': String(window.limit + 17) } : {})),
  ),
  // A value that is no integer is no plain decimal integer either.
  // That it is refused too early as well nobody outside can tell from a key that others have used before.
  'plan-change-waits': fault('RATE-2')(
    'A Pro key was one of Free until its first request, and keeps and shows that limit for a minute.',
    (before, { minuteMs, quotas }) => {
      let endMs: number | undefined
      return {
        chargesOf: chargingOthers(before, (subject, { nowMs }) => {
          if (subject.plan !== 'pro') return subject
          endMs ??= nowMs + minuteMs
          if (nowMs >= endMs) return subject
          const [minute, ...others] = subject.windows
          return {
            ...subject,
            id: `${subject.id} before`,
            windows: [{ ...minute, limit: quotas.free.minute }, ...others],
          }
        }),
      }
    },
  ),
  'limit-with-policy': fault('RATE-2', 'RATE-7')(
    'Limit has the window behind it: 60;w=60.',
    showing(({ window }, { account }) => (account ? { 'X-RateLimit-Limit': `${window.limit};w=60` } : {})),
  ),
  'remaining-negative': fault('RATE-3')(
    'Remaining is -1 on a refusal.',
    showingState(({ refused }) => (refused ? { remaining: -1 } : {})),
  ),
  'remaining-above-limit': fault('RATE-3')(
    'Remaining is higher than what is left, by one more than the limit.',
    showsRemaining(({ remaining, window }) => remaining + window.limit + 1),
  ),
  ...shared(contractFieldFaults, 'remaining-on-refusal', 'remaining-frozen'),
  'remaining-lags': fault('RATE-4')(
    'Remaining is brought up to date every tenth request.',
    showsRemaining(({ remaining, window }) => Math.min(window.limit, Math.ceil(remaining / 10) * 10)),
  ),
  'remaining-too-low': fault('RATE-4')(
    'Remaining is ten less than what is left.',
    showsRemaining(({ remaining }) => Math.max(0, remaining - 10)),
  ),
  'refused-shows-all-left': fault('RATE-4')(
    'A 400 or 404 shows the whole limit as Remaining.',
    finishingAll((answer, { account }) =>
      account && (answer.status === 400 || answer.status === 404)
        ? withHeaders(answer, { 'X-RateLimit-Remaining': answer.headers['X-RateLimit-Limit'] })
        : answer,
    ),
  ),
  'refused-given-back-twice': fault('RATE-4')('A request that gets 400 or 404 is given back twice.', () => ({
    settle(store, { account, charges, nowMs, ruling }, status) {
      if (!account || (status !== 400 && status !== 404)) return ruling
      return whenKnown(store.refund(charges, nowMs), () => store.refund(charges, nowMs))
    },
  })),
  'remaining-one-less-near-zero': fault('RATE-4')(
    'Of the last three that are left Remaining shows one less.',
    showsRemaining(({ remaining }) => (remaining <= 3 ? Math.max(0, remaining - 1) : remaining)),
  ),
  'remaining-one-more-near-zero': fault('RATE-4')(
    'Once two are left, and once none is, Remaining shows one more.',
    showsRemaining(({ remaining }) => (remaining <= 2 ? remaining + 1 : remaining)),
  ),
  'remaining-of-the-window-before': fault('RATE-4')(
    'The first answer of a window shows its Reset, and what was left of the window before.',
    showsWindowBefore,
  ),
  ...shared(contractFieldFaults, 'remaining-before-counting'),
  'patch-counts-twice': fault('RATE-4')('A PATCH counts as two requests.', countsTwice('updateInventory')),
  'orders-count-twice': fault('RATE-4')('A GET /store/orders counts as two requests.', countsTwice('listOrders')),
  'patch-not-counted': fault('RATE-4')(
    'A PATCH is let through while something is left, and not counted.',
    metering('updateInventory', (store, charges, nowMs, asBefore) =>
      whenKnown(store.peek(charges, nowMs), (ruling) => (isSomeLeft(ruling) ? ruling : asBefore())),
    ),
  ),
  // Its own answer shows it counted.
  'patch-counted-back': fault('RATE-4')(
    'A PATCH is counted back once it was answered.',
    metering('updateInventory', (store, charges, nowMs, asBefore) =>
      whenKnown(asBefore(), (ruling) => {
        if (ruling.outcome === 'admitted') void store.refund(charges, nowMs)
        return ruling
      }),
    ),
  ),
  'patch-shown-late': fault('RATE-4')(
    'The answer of a PATCH shows the Remaining from before it.',
    showsRemaining(({ remaining, window }, { operation }) =>
      operation === 'updateInventory' ? Math.min(window.limit, remaining + 1) : remaining,
    ),
  ),
  // A Reset that no run lives to see can't be tested for honesty, so RATE-6 is not broken.
  'reset-in-milliseconds': fault('RATE-5')(
    'Reset counts milliseconds since the epoch.',
    showing(({ resetMs }) => ({ 'X-RateLimit-Reset': String(seconds(resetMs) * 1000) })),
  ),
  ...shared(contractFieldFaults, 'reset-as-delta'),
  'reset-as-delta-undated': fault('RATE-5')(
    'Reset is the number of seconds until the reset, and no answer has a Date to hold it against.',
    (before, surroundings) => ({
      ...writesIn({ 'epoch-s': 'delta-s' })(before, surroundings),
      finish: (answer) => ({ ...answer, undated: true }),
    }),
  ),
  'reset-in-the-past': fault('RATE-5')(
    'Reset is the start of the hour before.',
    showsReset((_, { nowMs }) => Math.floor(nowMs / 3_600_000 - 1) * 3_600_000),
  ),
  'reset-zero-when-refused': fault('RATE-5')(
    'Reset is 0 on a 429.',
    showsReset(({ resetMs }, { ruling }) => (ruling.outcome === 'admitted' ? resetMs : 0)),
  ),
  ...shared(contractFieldFaults, 'reset-two-windows-ahead'),
  'reset-slides': fault('RATE-5')(
    'Reset lies a whole window ahead of every answer, however much of the window is over.',
    showsReset(({ window }, { nowMs }) => nowMs + window.windowMs),
  ),
  // The quota is there before the moment that is named: no window lasts so long, and no client has to wait.
  'one-timer-clears-all': fault('RATE-5', 'THROTTLE-5')(
    'One timer clears the counts of all keys, and each answer names a minute from the first request of its own key.',
    metersMinute((_, window, nowMs) => clearedByTimer(window, nowMs)),
  ),
  // No quota is broken that some grid of windows does not excuse: it is back before the moment that the answers name.
  'count-forgotten-once-idle': fault('RATE-5', 'THROTTLE-5')(
    'What a key has spent is forgotten once it was silent for seven tenths of a window.',
    meters(
      'minute',
      (before, window, nowMs) =>
        forgottenWhenIdle((atMs) => before.openMeter(window, atMs), nowMs, 0.7 * window.windowMs),
      () => true,
    ),
  ),
  'reset-as-date': fault('RATE-5', 'RATE-7')('Reset is an HTTP-date.', writesIn({ 'epoch-s': 'http-date' })),
  ...shared(contractFieldFaults, 'reset-too-early'),
  'reset-second-early': fault('RATE-6')(
    'Reset is cut off to its second, and names the one before.',
    showsReset(({ resetMs }) => Math.floor(resetMs / 1000 - 1) * 1000),
  ),
  'reset-fraction': fault('RATE-7')(
    'Reset has three decimals.',
    showing(({ resetMs }) => ({ 'X-RateLimit-Reset': (resetMs / 1000).toFixed(3) })),
  ),
  'headers-twice': fault('RATE-7')('Each of the three headers comes twice.', writesTwice),
})
