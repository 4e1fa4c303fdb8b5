import { type HeaderField, waitName } from '../../src/contract/api-contract.js'
import { type ModelName, modelNames } from '../../src/contract/limiter-models.js'
import { seededRandom } from '../../src/kit/random.js'
import { type AnyDeparture, chargingWindows, finishingAll, refusing, rewriting } from '../behaviour.js'
import { waitHeaders } from '../contract-answers.js'
import { writesMoments } from '../faults/contract-answers.js'
import { contractVariation } from '../faults/fault.js'
import { type Answer, withHeaders, withoutHeaders } from '../http/answer.js'
import { algorithms, capacityOf } from '../limiters/algorithms.js'
import { isExceeded, joined, ruled, spendWhatIsLeft } from '../stores/ruling.js'

const countedBy = (limiter: ModelName) =>
  contractVariation(
    `Every quota is counted by ${limiter}.`,
    ({ quotas }) =>
      quotas.every(({ models }) => models.includes(limiter)) && quotas.some(({ models }) => models[0] !== limiter),
  ).by((before, { contract }) => ({
    chargesOf: chargingWindows(before, (each) => ({ burst: capacityOf(contract, each.name, limiter) })),
    openMeter: algorithms[limiter],
  }))

/** Delays each answer by a random time from `leastMs` to `mostMs`. */
export const late =
  (leastMs: number, mostMs: number): AnyDeparture =>
  (_, { sleep }) => {
    const random = seededRandom(mostMs)
    return {
      async finish(answer) {
        await sleep(leastMs + random.float() * (mostMs - leastMs))
        return answer
      },
    }
  }

/** Rounds moments down to whole seconds, unless they are written in milliseconds. */
const cutOff: AnyDeparture = (before) => ({
  momentText(unit, atMs, nowMs) {
    if (unit === 'delta-s') return String(Math.max(0, Math.floor((atMs - nowMs) / 1000)))
    const coarse = unit === 'epoch-s' || unit === 'http-date'
    return before.momentText(unit, coarse ? Math.floor(atMs / 1000) * 1000 : atMs, nowMs)
  },
})

/** Charges each quota in turn: a request that one refuses still counts in the others, which may then refuse too. */
const spendsOnRefusal: AnyDeparture = (before) => ({
  decide(charged, nowMs) {
    const ruling = before.decide(charged, nowMs)
    if (ruling instanceof Promise || ruling.outcome !== 'refused') return ruling
    const refusing = ruling.windows.map(({ refused }) => refused)
    charged.forEach((each, index) => {
      if (!refusing[index]) spendWhatIsLeft(each, nowMs)
    })
    return joined(
      charged.map((each, index) => {
        const outcome = refusing[index] || isExceeded(each, nowMs) ? 'refused' : 'admitted'
        return ruled(each.tally, nowMs, outcome, each.cost)
      }),
    )
  },
})

const isOfDraft11 = ({ is }: HeaderField): boolean => is === 'draft-11' || is === 'draft-11-policy'

const lists: readonly string[] = ['policy', 'draft-07-policy', 'draft-11-policy', 'draft-11']

const withHeaderNames = (answer: Answer, as: (name: string) => string): Answer => ({
  ...answer,
  headers: Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [as(name), value])),
})

/** A name whose letters change case: `rEtRy-aFtEr`. */
const alternatingCase = (name: string): string =>
  [...name].map((letter, index) => (index % 2 === 0 ? letter.toLowerCase() : letter.toUpperCase())).join('')

export const contractVariationRows = {
  ...Object.fromEntries(modelNames.map((name) => [`limiter-${name}`, countedBy(name)])),
  'resets-rounded-down': contractVariation(
    'Every Reset is truncated to a whole second.',
    writesMoments('epoch-s', 'delta-s', 'http-date'),
  ).by(cutOff),
  'quotas-in-other-order': contractVariation(
    'Where several quotas are shown, the last comes first.',
    ({ quotas }) => quotas.length > 1,
  ).by((before) => ({ shown: (ruling, call) => [...before.shown(ruling, call)].reverse() })),
  'refusals-spend-the-other-quota': contractVariation(
    'What one quota refuses still counts in the others.',
    ({ quotas }) =>
      quotas.some((one) =>
        quotas.some(
          (other) =>
            other !== one &&
            other.requests.some((probe) => one.requests.includes(probe)) &&
            Object.keys(other.limit).some((credential) => one.limit[credential] !== undefined),
        ),
      ),
  ).by(spendsOnRefusal),
  'draft-11-with-parameters': contractVariation(
    'The policies of draft 11 name their unit and their partition, and the field has spaces in it.',
    ({ headers }) => headers.some(isOfDraft11),
  ).by(
    rewriting(isOfDraft11, (value, { is }) => {
      const unit = is === 'draft-11-policy' ? ';qu="requests"' : ''
      const policies = String(value).split(', ')
      return policies.map((each) => `${each}${unit};pk=:cGFydA==:`).join(' ,  ')
    }),
  ),
  'draft-11-without-reset': contractVariation('The field of draft 11 leaves out the reset, as it may.', ({ headers }) =>
    headers.some(({ is }) => is === 'draft-11'),
  ).by(
    rewriting(
      ({ is }) => is === 'draft-11',
      (value) => String(value).replace(/;t=\d+/g, ''),
    ),
  ),
  'policies-in-lines': contractVariation(
    'A list of several policies comes in as many lines.',
    ({ headers, quotas }) => quotas.length > 1 && headers.some(({ is }) => lists.includes(is)),
  ).by(
    rewriting(
      ({ is }) => lists.includes(is),
      (value) => String(value).split(', '),
    ),
  ),
  'retry-after-next-second': contractVariation(
    'Retry-After is rounded up to the next second, even from a whole one.',
    ({ retryAfter }) => retryAfter?.as[0] === 'seconds',
  ).by(
    refusing((answer, { ruling }, contract) =>
      withHeaders(answer, { [waitName(contract)]: String(Math.floor(ruling.retryAfterMs / 1000) + 1) }),
    ),
  ),
  'retry-after-in-the-other-form': contractVariation(
    'Retry-After has the last of the forms that are agreed.',
    ({ retryAfter }) => retryAfter !== null && retryAfter.as.length > 1,
  ).by(
    refusing((answer, call, contract) =>
      withHeaders(answer, waitHeaders(contract, contract.retryAfter?.as.at(-1), call)),
    ),
  ),
  'refused-with-another-status': contractVariation(
    'A refusal has the last of the statuses that are agreed.',
    ({ refusals }) => (refusals.find(({ is }) => is === 'quota')?.status.length ?? 0) > 1,
  ).by(
    refusing((answer, { ruling }, { refusals }) => {
      const status = refusals.find(({ is }) => is === 'quota')?.status.at(-1) ?? answer.status
      return ruling.outcome === 'refused' ? { ...answer, status } : answer
    }),
  ),
  'refusal-without-body': contractVariation('A refusal has no body.', ({ refusals }) =>
    refusals.every(({ body }) => body === undefined),
  ).by(refusing((answer) => ({ ...withoutHeaders(answer, 'Content-Type'), body: '' }))),
  'refusal-closes': contractVariation('A refusal closes the connection.').by(
    refusing((answer) => withHeaders(answer, { Connection: 'close' })),
  ),
  // An answer that is no error may be cached unless it says otherwise.
  'refusal-without-cache-control': contractVariation('A refusal says nothing about caches.', ({ refusals }) =>
    refusals.every(({ status }) => status.every((each) => each >= 400)),
  ).by(refusing((answer) => withoutHeaders(answer, 'Cache-Control'))),
  'header-names-in-lower-case': contractVariation('Header names are in lower case.').by(
    finishingAll((answer) => withHeaderNames(answer, (name) => name.toLowerCase())),
  ),
  'header-names-in-odd-case': contractVariation('Header names change case at every letter.').by(
    finishingAll((answer) => withHeaderNames(answer, alternatingCase)),
  ),
  'further-headers': contractVariation('Further headers have names and values that look like those of quotas.').by(
    finishingAll((answer) =>
      withHeaders(answer, { 'X-Quota-Total': '1', 'X-Ratelimit-Remaining-Day': '0', 'X-Request-Cost': '9' }),
    ),
  ),
  undated: contractVariation('No answer has a Date.').by(finishingAll((answer) => ({ ...answer, undated: true }))),
  'slow-answers': contractVariation('Each answer comes 10 to 40 ms late.').by(late(10, 40)),
  'every-answer-closes': contractVariation('Each answer closes the connection.').by(
    finishingAll((answer) => withHeaders(answer, { Connection: 'close' })),
  ),
  chunked: contractVariation('Bodies come in chunks, without a Content-Length.').by(
    finishingAll((answer) => (answer.body === '' ? answer : withHeaders(answer, { 'Transfer-Encoding': 'chunked' }))),
  ),
  'clock-ahead': contractVariation('The clock is 90 s ahead; Date and the moments of the fields agree.').by(
    (before, { self }) => ({
      nowMs: () => before.nowMs() + 90_000,
      finish: (answer) => withHeaders(answer, { Date: new Date(self().nowMs()).toUTCString() }),
    }),
  ),
}
