import type { ApiContract } from '../../src/contract/api-contract.js'
import type { AnyDeparture, Call } from '../behaviour/behaviour.js'
import { chargingOthers, refusing } from '../behaviour/departing.js'
import { blockRuleOf } from '../contract/quota-charges.js'
import { withHeaders, withoutHeaders } from '../http/answer.js'
import { retryAfterSeconds } from '../stores/ruling.js'
import { contractFaultsOf } from './fault.js'

/** Names another wait, in the form that was agreed. */
const waits =
  (change: (seconds: number, call: Call) => number): AnyDeparture =>
  (before, { contract }) => ({
    refusal(call) {
      const { ruling, nowMs } = call
      const seconds = retryAfterSeconds(ruling)
      const more = change(seconds, call) - seconds
      const untilMs = (Math.ceil((nowMs + ruling.retryAfterMs) / 1000) + more) * 1000
      const asDate = contract.retryAfter?.as[0] === 'http-date'
      const wait = asDate ? new Date(untilMs).toUTCString() : String(seconds + more)
      return withHeaders(before.refusal(call), { 'Retry-After': wait })
    },
  })

/** Blocks for another share of the time that is promised, while the refusals name the wait that was promised. */
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

/** Departures from how a contract refuses. */
export const contractRefusalFaults = contractFaultsOf([
  {
    id: 'refused-as-420',
    breaks: ['THROTTLE-1'],
    sentence: 'A request over a quota gets 420.',
    depart: refusing((answer) => ({ ...answer, status: 420, reason: 'Enhance Your Calm' })),
  },
  {
    id: 'retry-after-missing',
    breaks: ['THROTTLE-2'],
    sentence: 'A refusal has no Retry-After.',
    depart: refusing((answer) => withoutHeaders(answer, 'Retry-After')),
  },
  {
    id: 'retry-after-with-unit',
    breaks: ['THROTTLE-3'],
    sentence: 'Retry-After names its unit: 60 seconds.',
    depart: refusing((answer, { ruling }) =>
      withHeaders(answer, { 'Retry-After': `${retryAfterSeconds(ruling)} seconds` }),
    ),
  },
  {
    id: 'retry-after-short',
    breaks: ['THROTTLE-4'],
    sentence: 'Retry-After is one second short.',
    depart: waits((seconds) => seconds - 1),
  },
  {
    id: 'retry-after-long',
    breaks: ['THROTTLE-5'],
    sentence: 'Retry-After is longer by half a window, or by 3 s where that is more.',
    depart: waits(
      (seconds, { ruling }) =>
        seconds + Math.max(3, ...ruling.windows.map(({ window }) => Math.ceil(window.lengthMs / 2_000))),
    ),
  },
  {
    id: 'refusal-cacheable',
    breaks: ['THROTTLE-8'],
    sentence: 'A refusal may be stored by any cache for a minute.',
    depart: refusing((answer) => withHeaders(answer, { 'Cache-Control': 'public, max-age=60' })),
  },
  {
    id: 'block-missing',
    breaks: ['THROTTLE-5', 'THROTTLE-7'],
    sentence: 'Refusals name the end of a block, and the quota comes back with its window.',
    appliesTo: blocks,
    depart: blocksFor(0),
  },
  {
    id: 'block-too-short',
    breaks: ['THROTTLE-5', 'THROTTLE-7'],
    sentence: 'A block ends after three fifths of the time that it should last.',
    appliesTo: blocks,
    depart: blocksFor(0.6),
  },
  {
    id: 'block-too-long',
    // Whoever waits as told is refused again, and again, though the block should be over.
    breaks: ['QUOTA-2', 'THROTTLE-4', 'THROTTLE-6', 'THROTTLE-7'],
    sentence: 'A block lasts seven fifths of the time that it should.',
    appliesTo: blocks,
    depart: blocksFor(1.4),
  },
])
