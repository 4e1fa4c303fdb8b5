import type { Call, Departure, PetstoreBehaviour } from '../behaviour/behaviour.js'
import { refusing } from '../behaviour/departing.js'
import { type Answer, withHeaders, withoutHeaders } from '../http/answer.js'
import { type Ruling, retryAfterSeconds, type Tally } from '../stores/ruling.js'
import { contractRefusalFaults } from './contract-refusals.js'
import { faultsOf, shared } from './fault.js'

/** Changes the wait that a refusal names. */
const waits = (as: (seconds: number, call: Call) => string | number): Departure =>
  refusing((answer, call) => withHeaders(answer, { 'Retry-After': String(as(retryAfterSeconds(call.ruling), call)) }))

const isLimited = ({ status }: Answer) => status === 429

/** Holds every refusal for six tenths of the window, where so much of it is left. */
const holdsRefusals: Departure = (_before, { minuteMs, sleep, self }) => {
  const heldMs = 0.6 * minuteMs
  return {
    async finish(answer, { ruling, nowMs }) {
      if (!isLimited(answer) || ruling.retryAfterMs < heldMs + 100) return answer
      await sleep(heldMs)
      // The wait is counted from the answer's arrival; left as it was it would be too long (THROTTLE-5).
      const retryAfterMs = nowMs + ruling.retryAfterMs - self().nowMs()
      return withHeaders(answer, { 'Retry-After': String(retryAfterSeconds({ ...ruling, retryAfterMs })) })
    },
  }
}

/** Bans a key that was refused in two windows, as soon as it comes back after it has waited. */
const bansObedient: Departure = (before: PetstoreBehaviour, { minuteMs }): Partial<PetstoreBehaviour> => {
  const refusals = new Map<string, { untilMs: number; windows: number }>()
  const note = ({ subject }: Tally, ruling: Ruling, nowMs: number) => {
    const known = refusals.get(subject.id) ?? { untilMs: 0, windows: 0 }
    if (ruling.outcome === 'refused' && nowMs >= known.untilMs) {
      refusals.set(subject.id, { untilMs: nowMs + ruling.retryAfterMs, windows: known.windows + 1 })
    }
    return ruling
  }
  return {
    decide(charged, nowMs) {
      const [{ tally }] = charged
      const known = refusals.get(tally.subject.id)
      if (known && known.windows >= 2 && nowMs >= known.untilMs && tally.subject.plan) {
        refusals.delete(tally.subject.id)
        tally.bannedUntilMs = nowMs + minuteMs
      }
      const ruling = before.decide(charged, nowMs)
      return ruling instanceof Promise ? ruling : note(tally, ruling, nowMs)
    },
  }
}

/** Departures from §8.3 and §8.4. */
export const throttleFaults = faultsOf('THROTTLE', [
  {
    id: 'refused-as-420',
    breaks: ['THROTTLE-1'],
    sentence: 'A request over the limit gets 420.',
    depart: refusing((answer) =>
      isLimited(answer) ? { ...answer, status: 420, reason: 'Enhance Your Calm' } : answer,
    ),
  },
  {
    id: 'refusal-held',
    breaks: ['THROTTLE-1'],
    sentence: 'A 429 comes after six tenths of the window.',
    depart: holdsRefusals,
  },
  {
    id: 'retry-after-missing',
    breaks: ['THROTTLE-2'],
    sentence: 'A 429 has no Retry-After.',
    depart: refusing((answer) => (isLimited(answer) ? withoutHeaders(answer, 'Retry-After') : answer)),
  },
  {
    id: 'retry-after-fraction',
    breaks: ['THROTTLE-3'],
    sentence: 'Retry-After has three decimals.',
    depart: waits((_, { ruling }) => (Math.ceil(ruling.retryAfterMs) / 1000).toFixed(3)),
  },
  ...shared(contractRefusalFaults, 'retry-after-with-unit', 'retry-after-short'),
  {
    id: 'retry-after-cut-off',
    breaks: ['THROTTLE-4'],
    sentence: 'The seconds of Retry-After are cut off.',
    depart: waits((_, { ruling }) => Math.floor(ruling.retryAfterMs / 1000)),
  },
  {
    id: 'retry-after-cut-off-at-times',
    breaks: ['THROTTLE-4'],
    sentence: 'The seconds of every tenth Retry-After are cut off, those of the others are rounded up.',
    depart(before, surroundings) {
      let refusals = 0
      return waits((seconds, { ruling }) => {
        refusals += 1
        return refusals % 10 === 4 ? Math.floor(ruling.retryAfterMs / 1000) : seconds
      })(before, surroundings)
    },
  },
  {
    id: 'retry-after-rounded',
    breaks: ['THROTTLE-4'],
    sentence: 'The seconds of Retry-After are rounded to the nearest one.',
    depart: waits((_, { ruling }) => Math.round(ruling.retryAfterMs / 1000)),
  },
  {
    id: 'retry-after-date-cut-off',
    breaks: ['THROTTLE-4'],
    sentence: 'Retry-After is a date, cut off to its second.',
    depart: waits((_, { ruling, nowMs }) => new Date(nowMs + ruling.retryAfterMs).toUTCString()),
  },
  {
    id: 'retry-after-zero',
    breaks: ['THROTTLE-4'],
    sentence: 'Retry-After is always 0.',
    depart: waits(() => 0),
  },
  {
    id: 'retry-after-of-the-minute',
    // Shows only where the day is spent.
    breaks: ['THROTTLE-4'],
    sentence: 'Retry-After is never longer than a minute, even where the day is spent.',
    depart: (before, surroundings) =>
      waits((seconds) => Math.min(seconds, Math.ceil(surroundings.minuteMs / 1000)))(before, surroundings),
  },
  {
    id: 'retry-after-long',
    breaks: ['THROTTLE-5'],
    sentence: 'Retry-After is longer by half a minute window, or by 3 s where that is more.',
    depart: (before, surroundings) =>
      waits((seconds) => seconds + Math.max(3, Math.ceil(surroundings.minuteMs / 2000)))(before, surroundings),
  },
  {
    id: 'retry-after-in-milliseconds',
    breaks: ['THROTTLE-5'],
    sentence: 'Retry-After counts milliseconds.',
    depart: waits((seconds) => seconds * 1000),
  },
  {
    id: 'retry-after-as-epoch',
    breaks: ['THROTTLE-5'],
    sentence: 'Retry-After is a Unix timestamp.',
    depart: waits((seconds, { nowMs }) => Math.ceil(nowMs / 1000) + seconds),
  },
  {
    id: 'obedient-banned',
    // A key that has also been hammered may be banned for that, so that only a client that always obeyed shows it.
    breaks: ['THROTTLE-6'],
    sentence: 'A key that was refused in two windows is banned when it comes back after the wait.',
    depart: bansObedient,
  },
  ...shared(contractRefusalFaults, 'refusal-cacheable'),
])
