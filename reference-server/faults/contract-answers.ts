import { type ApiContract, type QuotaSpec, type ResetUnit, waitName } from '../../src/contract/api-contract.js'
import {
  type AnyDeparture,
  type Call,
  chargingOthers,
  refusing,
  rewriting,
  showingState,
  showsRemaining,
  showsReset,
  writesIn,
} from '../behaviour.js'
import { blockRuleOf } from '../contract-answers.js'
import { withHeaders, withoutHeaders } from '../http/answer.js'
import { mostLeft, type NamedWindow, retryAfterSeconds } from '../stores/ruling.js'
import { contractFault } from './fault.js'
import { everyNth } from './odd-meters.js'

/** Whether a contract writes moments in one of these units; the drafts use seconds from now. */
export const writesMoments =
  (...units: readonly ResetUnit[]) =>
  ({ headers }: ApiContract): boolean =>
    headers.some(({ is, as = 'epoch-s' }) => {
      if (is === 'reset') return units.includes(as)
      return (is === 'draft-07' || is === 'draft-11') && units.includes('delta-s')
    })

export const bucketsOnly = someQuota(({ models }) =>
  models.every((model) => model === 'token-bucket' || model === 'gcra'),
)

/** Whether some quota of this kind is judged, not only observed. */
export function someQuota(fits: (quota: QuotaSpec) => boolean): (contract: ApiContract) => boolean {
  return ({ quotas }) => quotas.some((quota) => quota.level !== 'observe' && fits(quota))
}

/** Whether refusals are recognised without the quota fields. */
const isNotToldByFields = ({ headers, refusals }: ApiContract): boolean => {
  const telling = refusals.flatMap(({ when }) => Object.keys(when).map((name) => name.toLowerCase()))
  return !headers.some(({ name }) => telling.includes(name.toLowerCase()))
}

const leavesOff =
  (off: (call: Call) => boolean): AnyDeparture =>
  (before) => ({ fields: (all, call) => (off(call) ? {} : before.fields(all, call)) })

/** Writes each field that holds one value twice. */
export const writesTwice: AnyDeparture = rewriting(
  ({ is }) => !is.includes('draft') && is !== 'policy',
  (value) => [value, value].flat(),
)

const moreThan = (window: NamedWindow, more: number): NamedWindow => ({
  ...window,
  limit: window.limit + more,
  burst: window.burst === undefined ? undefined : window.burst + more,
})

export const contractFieldFaults = {
  'fields-missing-on-refusal': contractFault('A refusal has none of the fields.', ['RATE-1'], isNotToldByFields).by(
    leavesOff(({ ruling }) => ruling.outcome !== 'admitted'),
  ),
  'fields-missing-now-and-then': contractFault('Every seventh answer has none of the fields.', ['RATE-1']).byEach(() =>
    leavesOff(everyNth(7)),
  ),
  'limit-of-none-shown': contractFault('The limit shown is 17 more than the one enforced.', ['RATE-2']).by(
    showingState(({ window, remaining }) => ({ window: moreThan(window, 17), remaining })),
  ),
  'policy-of-another-window': contractFault(
    'The policy names a window five times as long as the one enforced.',
    ['RATE-2'],
    ({ headers }) => headers.some(({ is }) => is.endsWith('policy')),
  ).by(showingState(({ window }) => ({ window: { ...window, windowMs: 5 * window.windowMs } }))),
  'remaining-on-refusal': contractFault('Remaining is 1 on a refusal.', ['RATE-3'], isNotToldByFields).by(
    showingState(({ refused }) => (refused ? { remaining: 1 } : {})),
  ),
  'remaining-frozen': contractFault('Remaining stays at one less than the limit until nothing is left.', ['RATE-4']).by(
    showsRemaining(({ window }) => mostLeft(window) - 1),
  ),
  // A bucket's level is fractional and may be shown rounded up, so one that was just full may still show the limit.
  'remaining-before-counting': contractFault(
    'Remaining does not count the request that it answers.',
    ['RATE-4'],
    (contract) => !bucketsOnly(contract),
  ).by(showsRemaining(({ remaining, window }) => Math.min(mostLeft(window), remaining + 1))),
  'reset-in-milliseconds': contractFault(
    'Reset counts milliseconds, although seconds are agreed.',
    ['RATE-5'],
    writesMoments('epoch-s', 'delta-s'),
  ).by(writesIn({ 'epoch-s': 'epoch-ms', 'delta-s': 'delta-ms' })),
  'reset-as-delta': contractFault(
    'Reset is the time until the reset, although a timestamp is agreed.',
    ['RATE-5'],
    writesMoments('epoch-s', 'epoch-ms'),
  ).by(writesIn({ 'epoch-s': 'delta-s', 'epoch-ms': 'delta-ms' })),
  'reset-as-epoch': contractFault(
    'Reset is a timestamp, although the time until the reset is agreed.',
    ['RATE-5'],
    writesMoments('delta-s', 'delta-ms'),
  ).by(writesIn({ 'delta-s': 'epoch-s', 'delta-ms': 'epoch-ms' })),
  'reset-two-windows-ahead': contractFault('Reset lies two windows later than it should.', ['RATE-5']).by(
    showsReset(({ resetMs, window }) => resetMs + 2 * window.windowMs),
  ),
  // Rounded up to whole seconds, the middle of a shorter window may be its end.
  'reset-too-early': contractFault(
    'Reset is halfway between now and the end of the window.',
    ['RATE-6'],
    someQuota(({ windowMs }) => windowMs >= 5_000),
  ).by(showsReset(({ resetMs }, { nowMs }) => (nowMs + resetMs) / 2)),
  'fields-twice': contractFault('Each field that holds one value comes twice.', ['RATE-7']).by(writesTwice),
}

/** Names another wait, in the agreed form. */
const waits = (change: (seconds: number, call: Call) => number): AnyDeparture =>
  refusing((answer, call, contract) => {
    const { ruling, nowMs } = call
    const seconds = retryAfterSeconds(ruling)
    const more = change(seconds, call) - seconds
    const untilMs = (Math.ceil((nowMs + ruling.retryAfterMs) / 1000) + more) * 1000
    const asDate = contract.retryAfter?.as[0] === 'http-date'
    const wait = asDate ? new Date(untilMs).toUTCString() : String(seconds + more)
    return withHeaders(answer, { [waitName(contract)]: wait })
  })

/** Blocks for a multiple of the promised time, while refusals name the promised wait. */
const blocksFor =
  (share: number): AnyDeparture =>
  (before) => ({
    chargesOf: chargingOthers(before, (subject) => {
      const { ban } = subject
      return { ...subject, ban: ban && { ...ban, lengthMs: ban.lengthMs * share } }
    }),
    refusal(call) {
      const blockMs = Math.max(0, ...before.chargesOf(call).map(({ subject }) => subject.ban?.lengthMs ?? 0))
      const { ruling } = call
      const longer = share === 0 ? Math.max(0, blockMs - ruling.retryAfterMs) : blockMs * (1 - share)
      return before.refusal({ ...call, ruling: { ...ruling, retryAfterMs: Math.max(0, ruling.retryAfterMs + longer) } })
    },
  })

const blocks = (contract: ApiContract): boolean => blockRuleOf(contract) !== undefined

export const contractRefusalFaults = {
  'refused-as-420': contractFault('A request over a quota gets 420.', ['THROTTLE-1']).by(
    refusing((answer) => ({ ...answer, status: 420, reason: 'Enhance Your Calm' })),
  ),
  'retry-after-missing': contractFault('A refusal has no Retry-After.', ['THROTTLE-2']).by(
    refusing((answer, _call, contract) => withoutHeaders(answer, waitName(contract))),
  ),
  'retry-after-with-unit': contractFault('Retry-After names its unit: 60 seconds.', ['THROTTLE-3']).by(
    refusing((answer, { ruling }, contract) =>
      withHeaders(answer, { [waitName(contract)]: `${retryAfterSeconds(ruling)} seconds` }),
    ),
  ),
  'retry-after-short': contractFault('Retry-After is 1 s short.', ['THROTTLE-4']).by(waits((seconds) => seconds - 1)),
  'retry-after-long': contractFault('Retry-After is half a window too long, or 3 s if that is more.', [
    'THROTTLE-5',
  ]).by(
    waits(
      (seconds, { ruling }) =>
        seconds + Math.max(3, ...ruling.windows.map(({ window }) => Math.ceil(window.windowMs / 2_000))),
    ),
  ),
  'refusal-cacheable': contractFault('A refusal may be stored by any cache for a minute.', ['THROTTLE-8']).by(
    refusing((answer) => withHeaders(answer, { 'Cache-Control': 'public, max-age=60' })),
  ),
  'refusal-expires-later': contractFault('A refusal has Expires in a minute, and no Cache-Control.', ['THROTTLE-8']).by(
    refusing((answer, { nowMs }) =>
      withHeaders(withoutHeaders(answer, 'Cache-Control'), { Expires: new Date(nowMs + 60_000).toUTCString() }),
    ),
  ),
  'block-missing': contractFault('A named block never comes.', ['THROTTLE-5', 'THROTTLE-7'], blocks).by(blocksFor(0)),
  'block-too-short': contractFault(
    'A block lasts three fifths as long as agreed.',
    ['THROTTLE-5', 'THROTTLE-7'],
    blocks,
  ).by(blocksFor(0.6)),
  // A client that waits as told is refused again and again, though the block should be over.
  'block-too-long': contractFault(
    'A block lasts three times as long as it should.',
    ['QUOTA-2', 'THROTTLE-4', 'THROTTLE-6', 'THROTTLE-7'],
    blocks,
  ).by(blocksFor(3)),
}
