import { modelNames } from '../../src/contract/limiter-models.js'
import { seededRandom } from '../../src/kit/random.js'
import type { AnyDeparture, Call } from '../behaviour/behaviour.js'
import { chargingOthers, refusing } from '../behaviour/departing.js'
import { capacityOf, spendsOnRefusal } from '../contract/quota-charges.js'
import { waitHeaders } from '../contract/refusal-answers.js'
import type { ContractVariation } from '../faults/fault.js'
import { writesMoments } from '../faults/what-contracts-show.js'
import { type Answer, alternatingCase, withHeaderNames, withHeaders, withoutHeaders } from '../http/answer.js'
import { algorithms } from '../limiters/algorithms.js'
import type { AlgorithmName } from '../limiters/limiter.js'

const always = () => true

const counting = (limiter: AlgorithmName): ContractVariation => ({
  id: `limiter-${limiter}`,
  sentence: `Every quota is counted by ${limiter}.`,
  appliesTo: ({ quotas }) =>
    quotas.every(({ models }) => models.includes(limiter)) && quotas.some(({ models }) => models[0] !== limiter),
  depart: (before, { contract }) => ({
    chargesOf: chargingOthers(before, (subject) => ({
      ...subject,
      windows: subject.windows.map((each) => ({ ...each, capacity: capacityOf(contract, each.name, limiter) })),
    })),
    openMeter: algorithms[limiter],
  }),
})

const finishing =
  (as: (answer: Answer, call: Call) => Answer): AnyDeparture =>
  () => ({ finish: as })

/** Cuts off what is left of a second; what is written to the millisecond stays. */
const cutOff: AnyDeparture = (before) => ({
  momentText(unit, atMs, nowMs) {
    if (unit === 'delta-s') return String(Math.max(0, Math.floor((atMs - nowMs) / 1000)))
    const coarse = unit === 'epoch-s' || unit === 'http-date'
    return before.momentText(unit, coarse ? Math.floor(atMs / 1000) * 1000 : atMs, nowMs)
  },
})

/** All conforming variations of a server that keeps a contract. */
export const contractVariations: readonly ContractVariation[] = [
  ...modelNames.map(counting),
  {
    id: 'resets-rounded-down',
    sentence: 'What is left of a second is cut off every Reset.',
    appliesTo: writesMoments('epoch-s', 'delta-s', 'http-date'),
    depart: cutOff,
  },
  {
    id: 'quotas-in-other-order',
    sentence: 'Where several quotas are shown, the last comes first.',
    appliesTo: ({ quotas }) => quotas.length > 1,
    depart: (before) => ({ shown: (ruling, call) => [...before.shown(ruling, call)].reverse() }),
  },
  {
    id: 'refusals-spend-the-other-quota',
    sentence: 'What one quota refuses is counted in the others all the same.',
    appliesTo: ({ quotas }) =>
      quotas.some((one) =>
        quotas.some(
          (other) =>
            other !== one &&
            other.requests.some((probe) => one.requests.includes(probe)) &&
            Object.keys(other.limit).some((credential) => one.limit[credential] !== undefined),
        ),
      ),
    depart: spendsOnRefusal,
  },
  {
    id: 'draft-11-with-parameters',
    sentence: 'The policies of draft 11 name their unit and their partition, and the field has spaces in it.',
    appliesTo: ({ headers }) => headers.some(({ is }) => is === 'draft-11' || is === 'draft-11-policy'),
    depart: (before, { contract }) => ({
      fields(all, call) {
        const written = before.fields(all, call)
        const with11 = contract.headers.flatMap(({ name, is }) => {
          const value = written[name]
          if (typeof value !== 'string' || !(is === 'draft-11' || is === 'draft-11-policy')) return []
          const unit = is === 'draft-11-policy' ? ';qu="requests"' : ''
          return [
            [
              name,
              value
                .split(', ')
                .map((each) => `${each}${unit};pk=:cGFydA==:`)
                .join(' ,  '),
            ],
          ]
        })
        return { ...written, ...Object.fromEntries(with11) }
      },
    }),
  },
  {
    id: 'policies-in-lines',
    sentence: 'A list of several policies comes in as many lines.',
    appliesTo: ({ headers, quotas }) => quotas.length > 1 && headers.some(({ is }) => lists.includes(is)),
    depart: (before, { contract }) => ({
      fields(all, call) {
        const written = before.fields(all, call)
        const listed = contract.headers.filter(({ is, name }) => lists.includes(is) && written[name] !== undefined)
        return {
          ...written,
          ...Object.fromEntries(listed.map(({ name }) => [name, String(written[name]).split(', ')])),
        }
      },
    }),
  },
  {
    id: 'retry-after-next-second',
    sentence: 'Retry-After goes up to the next second even from a whole one.',
    appliesTo: ({ retryAfter }) => retryAfter?.as[0] === 'seconds',
    depart: refusing((answer, { ruling }) =>
      withHeaders(answer, { 'Retry-After': String(Math.floor(ruling.retryAfterMs / 1000) + 1) }),
    ),
  },
  {
    id: 'retry-after-in-the-other-form',
    sentence: 'Retry-After has the last of the forms that are agreed.',
    appliesTo: ({ retryAfter }) => retryAfter !== null && retryAfter.as.length > 1,
    depart: (before, { contract }) => ({
      refusal: (call) => withHeaders(before.refusal(call), waitHeaders(contract.retryAfter?.as.at(-1), call)),
    }),
  },
  {
    id: 'refused-with-another-status',
    sentence: 'A refusal has the last of the statuses that are agreed.',
    appliesTo: ({ refusals }) => (refusals.find(({ is }) => is === 'quota')?.status.length ?? 0) > 1,
    depart: (before, { contract }) => ({
      refusal(call) {
        const answer = before.refusal(call)
        const status = contract.refusals.find(({ is }) => is === 'quota')?.status.at(-1) ?? answer.status
        return call.ruling.outcome === 'refused' ? { ...answer, status } : answer
      },
    }),
  },
  {
    id: 'refusal-without-body',
    sentence: 'A refusal has no body.',
    appliesTo: ({ refusals }) => refusals.every(({ body }) => body === undefined),
    depart: refusing((answer) => ({ ...withoutHeaders(answer, 'Content-Type'), body: '' })),
  },
  {
    id: 'refusal-closes',
    sentence: 'A refusal closes the connection.',
    appliesTo: always,
    depart: refusing((answer) => withHeaders(answer, { Connection: 'close' })),
  },
  {
    id: 'refusal-without-cache-control',
    sentence: 'A refusal says nothing about caches.',
    // What is no error may be stored unless it says otherwise.
    appliesTo: ({ refusals }) => refusals.every(({ status }) => status.every((each) => each >= 400)),
    depart: refusing((answer) => withoutHeaders(answer, 'Cache-Control')),
  },
  {
    id: 'header-names-in-lower-case',
    sentence: 'Header names are in lower case.',
    appliesTo: always,
    depart: finishing((answer) => withHeaderNames(answer, (name) => name.toLowerCase())),
  },
  {
    id: 'header-names-in-odd-case',
    sentence: 'Header names change case at every letter.',
    appliesTo: always,
    depart: finishing((answer) => withHeaderNames(answer, alternatingCase)),
  },
  {
    id: 'further-headers',
    sentence: 'Further headers have names and values that look like those of quotas.',
    appliesTo: always,
    depart: finishing((answer) =>
      withHeaders(answer, { 'X-Quota-Total': '1', 'X-Ratelimit-Remaining-Day': '0', 'X-Request-Cost': '9' }),
    ),
  },
  {
    id: 'undated',
    sentence: 'No answer has a Date.',
    appliesTo: always,
    depart: finishing((answer) => ({ ...answer, undated: true })),
  },
  {
    id: 'slow-answers',
    sentence: 'Each answer comes 10 to 40 ms late.',
    appliesTo: always,
    depart(_, { sleep }) {
      const random = seededRandom(40)
      return {
        async finish(answer) {
          await sleep(10 + random.float() * 30)
          return answer
        },
      }
    },
  },
  {
    id: 'every-answer-closes',
    sentence: 'Each answer closes the connection.',
    appliesTo: always,
    depart: finishing((answer) => withHeaders(answer, { Connection: 'close' })),
  },
  {
    id: 'chunked',
    sentence: 'Bodies come in chunks, without a Content-Length.',
    appliesTo: always,
    depart: finishing((answer) =>
      answer.body === '' ? answer : withHeaders(answer, { 'Transfer-Encoding': 'chunked' }),
    ),
  },
  {
    id: 'clock-ahead',
    sentence: 'The clock is 90 s ahead; Date and the moments of the fields agree.',
    appliesTo: always,
    depart: (before, { self }) => ({
      nowMs: () => before.nowMs() + 90_000,
      finish: (answer) => withHeaders(answer, { Date: new Date(self().nowMs()).toUTCString() }),
    }),
  },
]

const lists: readonly string[] = ['policy', 'draft-07-policy', 'draft-11-policy', 'draft-11']
