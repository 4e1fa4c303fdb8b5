import type { OperationId } from '../../src/contract/petstore/operations.js'
import {
  anew,
  type Call,
  chargingOthers,
  type Departure,
  finishingAll,
  showing,
  showingState,
  showsRemaining,
  showsReset,
  writesIn,
} from '../behaviour.js'
import { type Answer, withHeaders, withoutHeaders } from '../http/answer.js'
import { whenKnown } from '../pipeline.js'
import type { WindowState } from '../stores/ruling.js'
import { contractFieldFaults, writesTwice } from './contract-answers.js'
import { fault, faultsOf, shared } from './fault.js'
import {
  admitsOneMore,
  countsBack,
  countsMomentOnce,
  countsTwice,
  givesBackUnchanging,
  leavesUncounted,
  refusesLast,
} from './metered-otherwise.js'
import { clearedByTimer, everyNth, forgottenWhenIdle } from './odd-meters.js'
import { meters, metersMinute } from './quota-departures.js'

/** The three headers of §8.1, as the server writes them. */
const rateHeaderNames = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const

const leavesOff = (off: (answer: Answer, call: Call) => boolean): Departure =>
  finishingAll((answer, call) => (off(answer, call) ? withoutHeaders(answer, ...rateHeaderNames) : answer))

const leavesOffOf = (status: number): Departure => leavesOff((answer) => answer.status === status)

/** Answers of an operation show the Remaining from before the request. */
const showsLate = (late: OperationId): Departure =>
  showsRemaining(({ remaining, window }, { operation }) =>
    operation === late ? Math.min(window.limit, remaining + 1) : remaining,
  )

/** The first answer with a new Reset repeats the key's previous Remaining. */
const showsWindowBefore: Departure = anew(() => {
  const latest = new Map<string, WindowState>()
  return showsRemaining((state, { charges }) => {
    const id = `${charges[0].subject.id} ${state.window.name}`
    const last = latest.get(id)
    latest.set(id, state)
    return last === undefined || last.resetMs === state.resetMs ? state.remaining : last.remaining
  })
})

export const rateHeaderFaults = faultsOf('RATE', {
  'headers-missing-on-401': fault('A 401 has none of the three headers.', 'RATE-1').by(leavesOffOf(401)),
  'headers-missing-on-400': fault('A 400 has none of the three headers.', 'RATE-1').by(leavesOffOf(400)),
  'headers-missing-on-404': fault('A 404 has none of the three headers.', 'RATE-1').by(leavesOffOf(404)),
  'headers-missing-on-429': fault('A 429 has none of the three headers.', 'RATE-1').by(leavesOffOf(429)),
  'headers-missing-on-orders': fault('GET /store/orders has none of the three headers.', 'RATE-1').by(
    leavesOff((_, { operation }) => operation === 'listOrders'),
  ),
  'headers-missing-now-and-then': fault('Every seventh answer has none of the three headers.', 'RATE-1').byEach(() =>
    leavesOff(everyNth(7)),
  ),
  'reset-missing': fault('No answer has an X-RateLimit-Reset.', 'RATE-1').by(
    finishingAll((answer) => withoutHeaders(answer, 'X-RateLimit-Reset')),
  ),
  // On a 401 no plan is known, so nothing is judged there.
  'limit-of-no-plan-shown': fault('The Limit shown is 17 more than the one enforced.', 'RATE-2').by(
    showing(({ window }, { account }) => (account ? { 'X-RateLimit-Limit': String(window.limit + 17) } : {})),
  ),
  // It is refused too early as well, but nobody outside can tell that from a key that others have used before.
  'plan-change-waits': fault('A Pro key is held to the limit of Free for its first minute, and shows it.', 'RATE-2').by(
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
  'limit-with-policy': fault('Limit has the window after it: 60;w=60.', 'RATE-2', 'RATE-7').by(
    showing(({ window }, { account }) => (account ? { 'X-RateLimit-Limit': `${window.limit};w=60` } : {})),
  ),
  'remaining-negative': fault('Remaining is -1 on a refusal.', 'RATE-3').by(
    showingState(({ refused }) => (refused ? { remaining: -1 } : {})),
  ),
  'remaining-above-limit': fault('Remaining is too high by one more than the limit.', 'RATE-3').by(
    showsRemaining(({ remaining, window }) => remaining + window.limit + 1),
  ),
  ...shared(contractFieldFaults, 'remaining-on-refusal', 'remaining-frozen'),
  'remaining-lags': fault('Remaining is updated only every tenth request.', 'RATE-4').by(
    showsRemaining(({ remaining, window }) => Math.min(window.limit, Math.ceil(remaining / 10) * 10)),
  ),
  'remaining-too-low': fault('Remaining is ten too low.', 'RATE-4').by(
    showsRemaining(({ remaining }) => Math.max(0, remaining - 10)),
  ),
  'refused-shows-all-left': fault('A 400 or 404 shows the whole limit as Remaining.', 'RATE-4').by(
    finishingAll((answer, { account }) =>
      account && (answer.status === 400 || answer.status === 404)
        ? withHeaders(answer, { 'X-RateLimit-Remaining': answer.headers['X-RateLimit-Limit'] })
        : answer,
    ),
  ),
  'absent-pet-shows-one-more': fault('A 404 shows one more left than there is.', 'RATE-4').by(
    finishingAll((answer, { account }) =>
      account && answer.status === 404
        ? withHeaders(answer, { 'X-RateLimit-Remaining': String(Number(answer.headers['X-RateLimit-Remaining']) + 1) })
        : answer,
    ),
  ),
  'refused-given-back-twice': fault('A request that gets 400 or 404 is refunded twice.', 'RATE-4').by(() => ({
    settle(store, { account, charges, nowMs, ruling }, status) {
      if (!account || (status !== 400 && status !== 404)) return ruling
      return whenKnown(store.refund(charges, nowMs), () => store.refund(charges, nowMs))
    },
  })),
  'absent-pet-given-back-twice-later': fault('A request that gets 404 is refunded twice, a moment later.', 'RATE-4').by(
    (_, { sleep }) => ({
      settle(store, { account, charges, nowMs, ruling }, status) {
        if (account && status === 404)
          void sleep(1).then(() => whenKnown(store.refund(charges, nowMs), () => store.refund(charges, nowMs)))
        return ruling
      },
    }),
  ),
  'remaining-one-less-near-zero': fault('When three or fewer are left, Remaining shows one less.', 'RATE-4').by(
    showsRemaining(({ remaining }) => (remaining <= 3 ? Math.max(0, remaining - 1) : remaining)),
  ),
  'remaining-one-more-near-zero': fault('When two are left, and when none is, Remaining shows one more.', 'RATE-4').by(
    showsRemaining(({ remaining }) => (remaining <= 2 ? remaining + 1 : remaining)),
  ),
  'remaining-one-more-now-and-then': fault('Every fifth Remaining above 0 is one too high.', 'RATE-4').byEach(() => {
    const isTurn = everyNth(5)
    return showsRemaining(({ remaining }) => (remaining > 0 && isTurn() ? remaining + 1 : remaining))
  }),
  'remaining-of-the-window-before': fault('The first answer of a window shows the old Remaining.', 'RATE-4').by(
    showsWindowBefore,
  ),
  ...shared(contractFieldFaults, 'remaining-before-counting'),
  'patch-counts-twice': fault('A PATCH counts as two requests.', 'RATE-4').by(countsTwice('updateInventory')),
  'orders-count-twice': fault('A GET /store/orders counts as two requests.', 'RATE-4').by(countsTwice('listOrders')),
  'patch-not-counted': fault('A PATCH is admitted while any quota is left, and not counted.', 'RATE-4').by(
    leavesUncounted('updateInventory'),
  ),
  'unchanging-patch-not-counted': fault(
    'A PATCH to the quantity a pet already has is refunded before its answer.',
    'RATE-4',
  ).byEach(givesBackUnchanging),
  'patch-admits-one-more': fault('A window that is spent admits one PATCH more.', 'QUOTA-1').by(
    admitsOneMore('updateInventory'),
  ),
  'pet-admits-one-more': fault('A window that is spent admits one more request for a pet.', 'QUOTA-1').by(
    admitsOneMore('getPet'),
  ),
  'orders-refused-early': fault('GET /store/orders is refused in the last six places of a window.', 'QUOTA-2').by(
    refusesLast(6, 'listOrders'),
  ),
  // Its own answer shows it as counted.
  'patch-counted-back': fault('A PATCH is refunded after its answer.', 'RATE-4').by(countsBack('updateInventory')),
  'patches-at-once-counted-once': fault('PATCHes of the same 20 ms count as one request.', 'RATE-4').by(
    countsMomentOnce,
  ),
  'patch-shown-late': fault('The answer to a PATCH shows the Remaining from before it.', 'RATE-4').by(
    showsLate('updateInventory'),
  ),
  'orders-shown-late': fault('GET /store/orders shows the Remaining from before it.', 'RATE-4').by(
    showsLate('listOrders'),
  ),
  // A Reset too far ahead for any run can't be tested for honesty, so RATE-6 is not broken.
  'reset-in-milliseconds': fault('Reset counts milliseconds since the epoch.', 'RATE-5').by(
    showing(({ resetMs }) => ({ 'X-RateLimit-Reset': String(Math.ceil(resetMs / 1000) * 1000) })),
  ),
  ...shared(contractFieldFaults, 'reset-as-delta'),
  'reset-as-delta-undated': fault('Reset is the seconds until the reset, and no answer has a Date.', 'RATE-5').by(
    writesIn({ 'epoch-s': 'delta-s' }),
    finishingAll((answer) => ({ ...answer, undated: true })),
  ),
  'reset-in-the-past': fault('Reset is the start of the previous hour.', 'RATE-5').by(
    showsReset((_, { nowMs }) => Math.floor(nowMs / 3_600_000 - 1) * 3_600_000),
  ),
  'reset-zero-when-refused': fault('Reset is 0 on a 429.', 'RATE-5').by(
    showsReset(({ resetMs }, { ruling }) => (ruling.outcome === 'admitted' ? resetMs : 0)),
  ),
  ...shared(contractFieldFaults, 'reset-two-windows-ahead'),
  'reset-slides': fault('Every answer shows a Reset that is a whole window ahead.', 'RATE-5').by(
    showsReset(({ window }, { nowMs }) => nowMs + window.windowMs),
  ),
  'reset-slides-when-served': fault('An admitted answer shows a Reset that is a whole window ahead.', 'RATE-5').by(
    showsReset(({ window, resetMs }, { ruling, nowMs }) =>
      ruling.outcome === 'admitted' ? nowMs + window.windowMs : resetMs,
    ),
  ),
  'reset-past-when-new': fault('The first answer of a window shows a Reset of up to 2 s ago.', 'RATE-5').by(
    showsReset(({ window, remaining, resetMs }, { nowMs }) =>
      remaining === window.limit - 1 ? nowMs - 2_000 : resetMs,
    ),
  ),
  // The quota is back before the named moment: the window is shorter, and clients wait too long.
  'one-timer-clears-all': fault('One timer clears all keys; each shows its own Reset.', 'RATE-5', 'THROTTLE-5').by(
    metersMinute((_, window, nowMs) => clearedByTimer(window, nowMs)),
  ),
  // Some grid of windows explains every admission, so no quota is broken: it is just back before the named moment.
  'count-forgotten-once-idle': fault('A key that was silent for 0.7 windows starts at 0.', 'RATE-5', 'THROTTLE-5').by(
    meters(
      'minute',
      (before, window, nowMs) =>
        forgottenWhenIdle((atMs) => before.openMeter(window, atMs), nowMs, 0.7 * window.windowMs),
      () => true,
    ),
  ),
  'reset-as-date': fault('Reset is an HTTP-date.', 'RATE-5', 'RATE-7').by(writesIn({ 'epoch-s': 'http-date' })),
  ...shared(contractFieldFaults, 'reset-too-early'),
  'reset-second-early': fault('Reset is rounded down to a second, and then one second too early.', 'RATE-6').by(
    showsReset(({ resetMs }) => Math.floor(resetMs / 1000 - 1) * 1000),
  ),
  'reset-fraction': fault('Reset has three decimals.', 'RATE-7').by(
    showing(({ resetMs }) => ({ 'X-RateLimit-Reset': (resetMs / 1000).toFixed(3) })),
  ),
  'headers-twice': fault('Each of the three headers comes twice.', 'RATE-7').by(writesTwice),
})
