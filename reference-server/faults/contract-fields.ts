import type { ApiContract } from '../../src/contract/api-contract.js'
import type { AnyDeparture, Call } from '../behaviour/behaviour.js'
import { showingState, showsRemaining, showsReset, writesIn } from '../behaviour/departing.js'
import { mostLeft, type QuotaWindow } from '../stores/ruling.js'
import { contractFaultsOf } from './fault.js'
import { everyNth } from './odd-meters.js'
import { bucketsOnly, someQuota, writesMoments } from './what-contracts-show.js'

/** Whether a refusal is known by something else than its fields. */
const isNotToldByFields = ({ headers, refusals }: ApiContract): boolean => {
  const telling = refusals.flatMap(({ when }) => Object.keys(when).map((name) => name.toLowerCase()))
  return !headers.some(({ name }) => telling.includes(name.toLowerCase()))
}

/** Leaves the fields off certain answers. */
const leavesOff =
  (off: (call: Call) => boolean): AnyDeparture =>
  (before) => ({
    fields: (all, call) => (off(call) ? {} : before.fields(all, call)),
  })

/** Writes each field that holds one value twice. */
export const writesTwice: AnyDeparture = (before, { contract }) => ({
  fields: (all, call) => {
    const written = before.fields(all, call)
    const single = contract.headers.filter(({ is, name }) => !is.includes('draft') && is !== 'policy' && written[name])
    return {
      ...written,
      ...Object.fromEntries(single.map(({ name }) => [name, [written[name], written[name]].flat()])),
    }
  },
})

const moreThan = (window: QuotaWindow, more: number): QuotaWindow => ({
  ...window,
  limit: window.limit + more,
  capacity: window.capacity === undefined ? undefined : window.capacity + more,
})

/** Departures from what the fields promise. */
export const contractFieldFaults = contractFaultsOf([
  {
    id: 'fields-missing-on-refusal',
    breaks: ['RATE-1'],
    sentence: 'A refusal has none of the fields.',
    appliesTo: isNotToldByFields,
    depart: leavesOff(({ ruling }) => ruling.outcome !== 'admitted'),
  },
  {
    id: 'fields-missing-now-and-then',
    breaks: ['RATE-1'],
    sentence: 'Every seventh answer has none of the fields.',
    depart: (before, surroundings) => leavesOff(everyNth(7))(before, surroundings),
  },
  {
    id: 'limit-of-none-shown',
    breaks: ['RATE-2'],
    sentence: 'The limit shown is 17 more than the one enforced.',
    depart: showingState(({ window, remaining }) => ({ window: moreThan(window, 17), remaining })),
  },
  {
    id: 'remaining-on-refusal',
    breaks: ['RATE-3'],
    sentence: 'Remaining is 1 on a refusal.',
    appliesTo: isNotToldByFields,
    depart: showingState(({ refused }) => (refused ? { remaining: 1 } : {})),
  },
  {
    id: 'remaining-frozen',
    breaks: ['RATE-4'],
    sentence: 'Remaining stays at one less than the limit until nothing is left.',
    depart: showsRemaining(({ window }) => mostLeft(window) - 1),
  },
  {
    id: 'remaining-before-counting',
    breaks: ['RATE-4'],
    sentence: 'Remaining is what was left before the request that it answers.',
    // What a bucket holds is no whole number, and may be shown rounded up: one that was just full shows all of it.
    appliesTo: (contract) => !bucketsOnly(contract),
    depart: showsRemaining(({ remaining, window }) => Math.min(mostLeft(window), remaining + 1)),
  },
  {
    id: 'reset-in-milliseconds',
    breaks: ['RATE-5'],
    sentence: 'Reset counts milliseconds where seconds are agreed.',
    appliesTo: writesMoments('epoch-s', 'delta-s'),
    depart: writesIn({ 'epoch-s': 'epoch-ms', 'delta-s': 'delta-ms' }),
  },
  {
    id: 'reset-as-delta',
    breaks: ['RATE-5'],
    sentence: 'Reset is the time until the reset where a timestamp is agreed.',
    appliesTo: writesMoments('epoch-s', 'epoch-ms'),
    depart: writesIn({ 'epoch-s': 'delta-s', 'epoch-ms': 'delta-ms' }),
  },
  {
    id: 'reset-as-epoch',
    breaks: ['RATE-5'],
    sentence: 'Reset is a timestamp where the time until the reset is agreed.',
    appliesTo: writesMoments('delta-s', 'delta-ms'),
    depart: writesIn({ 'delta-s': 'epoch-s', 'delta-ms': 'epoch-ms' }),
  },
  {
    id: 'reset-two-windows-ahead',
    breaks: ['RATE-5'],
    sentence: 'Reset lies two windows later than it should.',
    depart: showsReset(({ resetMs, window }) => resetMs + 2 * window.lengthMs),
  },
  {
    id: 'reset-too-early',
    breaks: ['RATE-6'],
    sentence: 'Reset names the middle between now and the end of the window.',
    // In whole seconds, rounded up, the middle of a shorter window may be its end.
    appliesTo: someQuota(({ windowMs }) => windowMs >= 5_000),
    depart: showsReset(({ resetMs }, { nowMs }) => (nowMs + resetMs) / 2),
  },
  {
    id: 'fields-twice',
    breaks: ['RATE-7'],
    sentence: 'Each field that holds one value comes twice.',
    depart: writesTwice,
  },
])
