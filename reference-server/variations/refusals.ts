import { tooManyRequests } from '@hapi/boom'
import { refusing } from '../behaviour/departing.js'
import { withHeaders, withoutHeaders } from '../http/answer.js'
import type { Variation } from './variation.js'

/** How a request over the limit, or under a ban, is answered. */
export const refusalVariations: readonly Variation[] = [
  {
    id: 'retry-after-as-date',
    sentence: 'Retry-After is an HTTP-date.',
    depart: refusing((answer, { nowMs, ruling }) => {
      const secondMs = Math.ceil((nowMs + ruling.retryAfterMs) / 1000) * 1000
      return withHeaders(answer, { 'Retry-After': new Date(secondMs).toUTCString() })
    }),
  },
  {
    id: 'retry-after-next-second',
    sentence: 'Retry-After goes up to the next second even from a whole one.',
    depart: refusing((answer, { ruling }) =>
      withHeaders(answer, { 'Retry-After': String(Math.floor(ruling.retryAfterMs / 1000) + 1) }),
    ),
  },
  {
    id: 'refusal-without-body',
    sentence: 'A 429 has no body.',
    depart: refusing((answer) => ({ ...withoutHeaders(answer, 'Content-Type'), body: '' })),
  },
  {
    id: 'refusal-as-text',
    sentence: 'The body of a 429 is text.',
    depart: refusing((answer) => ({
      ...withHeaders(answer, { 'Content-Type': 'text/plain' }),
      body: 'Too many requests, please try again later.',
    })),
  },
  {
    id: 'refusal-closes',
    sentence: 'A 429 closes the connection.',
    depart: refusing((answer) => withHeaders(answer, { Connection: 'close' })),
  },
  {
    id: 'refusal-without-cache-control',
    sentence: 'A 429 says nothing about caches.',
    depart: refusing((answer) => withoutHeaders(answer, 'Cache-Control')),
  },
  {
    id: 'ban-as-429',
    sentence: 'A banned key gets 429.',
    depart: (before, { self }) => ({
      refusal(call) {
        const { headers } = before.refusal(call)
        if (call.ruling.outcome !== 'banned') return before.refusal(call)
        return withHeaders(self().errorAnswer(tooManyRequests('the key is banned for a while')), headers)
      },
    }),
  },
]
