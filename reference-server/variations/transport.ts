import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { seededRandom } from '../../src/kit/random.js'
import { type Departure, finishingAll, showing } from '../behaviour.js'
import { shared, variation } from '../faults/fault.js'
import { type Answer, withHeaders } from '../http/answer.js'
import type { Charge } from '../stores/ruling.js'
import type { LimiterStore } from '../stores/store.js'
import { contractVariationRows, late } from './contract-variations.js'

const compress = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync } as const
type Coding = keyof typeof compress

const coded = (answer: Answer, coding: Coding): Answer => ({
  ...withHeaders(answer, { 'Content-Encoding': coding, Vary: 'Accept-Encoding' }),
  body: compress[coding](answer.body),
})

/** Whether an Accept-Encoding accepts a coding, by name or by `*`, with a weight above 0. */
const admits = (accepted: string, coding: string): boolean => {
  const weights = new Map(
    accepted.split(',').map((each) => {
      const [name, weight = 'q=1'] = each.toLowerCase().split(';')
      return [name.trim(), Number(weight.trim().replace('q=', ''))]
    }),
  )
  return (weights.get(coding) ?? weights.get('*') ?? 0) > 0
}

/** Encodes bodies by the request's Accept-Encoding, which may be undefined. */
const codes = (codingFor: (accepted: string | undefined) => Coding | undefined): Departure =>
  finishingAll((answer, { request }) => {
    const accepted = request.headers['accept-encoding']
    const coding = codingFor(accepted === undefined ? undefined : String(accepted))
    return coding === undefined || answer.body.length === 0 ? answer : coded(answer, coding)
  })

/** Variations of content coding that RFC 9110 §12.5.3 allows. */
export const codingVariations = {
  'gzip-unless-ruled-out': variation('Bodies are compressed unless the client rules gzip out.').by(
    codes((accepted) => (accepted === undefined || admits(accepted, 'gzip') ? 'gzip' : undefined)),
  ),
  'another-coding-than-gzip': variation('Bodies come in Brotli or deflate for clients that accept one of them.').by(
    codes((accepted = '') => (['br', 'deflate'] as const).find((coding) => admits(accepted, coding))),
  ),
}

export const transportVariations = {
  ...shared(contractVariationRows, 'header-names-in-odd-case', 'header-names-in-lower-case'),
  'charset-parameter': variation('Content-Type names the charset.').by(
    finishingAll((answer) =>
      answer.headers['Content-Type'] === undefined
        ? answer
        : withHeaders(answer, { 'Content-Type': 'Application/JSON ; Charset="UTF-8"' }),
    ),
  ),
  'slow-answers': variation('Each answer is up to 80 ms late.').by(late(0, 80)),
  'keep-alive-of-a-second': variation('An idle connection is closed after a second.').by(() => ({
    keepAliveMs: 1_000,
  })),
  ...shared(contractVariationRows, 'every-answer-closes', 'undated'),
  'odd-reason-phrases': variation('Reason phrases are not the usual ones.').by(
    finishingAll((answer) => ({ ...answer, reason: answer.status < 400 ? 'Here you are' : 'So sorry' })),
  ),
  'no-reason-phrases': variation('Reason phrases are empty.').by(finishingAll((answer) => ({ ...answer, reason: '' }))),
  ...shared(contractVariationRows, 'chunked'),
  gzip: variation('Bodies are compressed for clients that ask for it.').by(
    finishingAll((answer, { request }) =>
      /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? '')) ? coded(answer, 'gzip') : answer,
    ),
  ),
  'draft-headers-too': variation('The headers of the IETF draft come beside the three.').by(
    showing(({ window, remaining, resetMs }, { nowMs }) => ({
      RateLimit: `"${window.name}";r=${remaining};t=${Math.ceil((resetMs - nowMs) / 1000)}`,
      'RateLimit-Policy': `"${window.name}";q=${window.limit};w=${Math.ceil(window.windowMs / 1000)}`,
    })),
  ),
}

const hourMs = 3_600_000

const begin = new Date(0).toUTCString()

/** Answers with another Date. The clock of windows and Resets stays right. */
const dates =
  (as: (answer: Answer, nowMs: number) => Answer): Departure =>
  (_, { self }) => ({ finish: (answer) => as(answer, self().nowMs()) })

/** The longest that a request waits for its decision. */
const latestMs = 120

/** Spends half a minute's quota in each of five earlier minutes, and a quarter in the current one. */
const spendBefore = (store: LimiterStore, charges: readonly Charge[], nowMs: number): void => {
  const [{ limit, windowMs }] = charges[0].subject.windows
  const spend = (requests: number, minutesAgo: number) => {
    for (let sent = 0; sent < requests; sent += 1) void store.take(charges, nowMs - minutesAgo * windowMs)
  }
  for (let minutesAgo = 5.4; minutesAgo > 1; minutesAgo -= 1) spend(Math.floor(limit / 2), minutesAgo)
  spend(Math.floor(limit / 4), 0.4)
}

/** Variations of when requests are judged, and of earlier use. */
export const meteringVariations = {
  'judged-late': variation('A request is decided up to 120 ms after it arrived, perhaps after a later one.').by(
    (before, { sleep, self }) => {
      const random = seededRandom(latestMs)
      return {
        async meter(store, arrival, charges) {
          await sleep(random.float() * latestMs)
          return before.meter(store, { ...arrival, nowMs: self().nowMs() }, charges)
        },
      }
    },
  ),
  'key-used-before': variation('A Free key has been in use for some minutes when the run starts.').by((before) => {
    const seen = new Set<string>()
    return {
      meter(store, arrival, charges) {
        const [{ subject }] = charges
        if (subject.plan === 'free' && !seen.has(subject.id)) {
          seen.add(subject.id)
          spendBefore(store, charges, arrival.nowMs)
        }
        return before.meter(store, arrival, charges)
      },
    }
  }),
}

/** Variations of the Date header, about which the interface says nothing. */
export const dateVariations = {
  'date-of-1970': variation('The Date of each answer is the beginning of 1970.').by(
    dates((answer) => withHeaders(answer, { Date: begin })),
  ),
  'date-jumping': variation('The Date jumps by up to two hours, back and forth.').byEach(() => {
    const random = seededRandom(2)
    const jumped = (nowMs: number) => new Date(nowMs + (random.float() * 4 - 2) * hourMs).toUTCString()
    return dates((answer, nowMs) => withHeaders(answer, { Date: jumped(nowMs) }))
  }),
  'date-of-no-use': variation('The Date is missing, malformed and of 1970, in turn.').byEach(() => {
    let answers = 0
    return dates((answer) => {
      answers += 1
      if (answers % 3 === 0) return { ...answer, undated: true }
      return withHeaders(answer, { Date: answers % 3 === 1 ? 'today' : begin })
    })
  }),
}
