import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { seededRandom } from '../../src/kit/random.js'
import type { Departure } from '../behaviour/behaviour.js'
import { showing } from '../behaviour/departing.js'
import { shared, type Variation } from '../faults/fault.js'
import { type Answer, withHeaders } from '../http/answer.js'
import { contractVariations } from './contract-variations.js'

const compress = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync } as const
type Coding = keyof typeof compress

const coded = (answer: Answer, coding: Coding): Answer => ({
  ...withHeaders(answer, { 'Content-Encoding': coding, Vary: 'Accept-Encoding' }),
  body: compress[coding](answer.body),
})

/** Whether an Accept-Encoding names a coding, or all that it does not name, and not with a weight of 0. */
const admits = (accepted: string, coding: string): boolean => {
  const weights = new Map(
    accepted.split(',').map((each) => {
      const [name, weight = 'q=1'] = each.toLowerCase().split(';')
      return [name.trim(), Number(weight.trim().replace('q=', ''))]
    }),
  )
  return (weights.get(coding) ?? weights.get('*') ?? 0) > 0
}

/** Codes bodies by what the request says that it accepts; undefined where it says nothing. */
const codes =
  (codingFor: (accepted: string | undefined) => Coding | undefined): Departure =>
  () => ({
    finish(answer, { request }) {
      const accepted = request.headers['accept-encoding']
      const coding = codingFor(accepted === undefined ? undefined : String(accepted))
      return coding === undefined || answer.body.length === 0 ? answer : coded(answer, coding)
    },
  })

/** How bodies are coded, as RFC 9110 §12.5.3 allows. */
export const codingVariations: readonly Variation[] = [
  {
    id: 'gzip-unless-ruled-out',
    sentence: 'Bodies are compressed for all who accept gzip, and for those who do not say what they accept.',
    depart: codes((accepted) => (accepted === undefined || admits(accepted, 'gzip') ? 'gzip' : undefined)),
  },
  {
    id: 'another-coding-than-gzip',
    sentence: 'Bodies come in Brotli or deflate for clients that accept one of them.',
    depart: codes((accepted = '') => (['br', 'deflate'] as const).find((coding) => admits(accepted, coding))),
  },
]

/** How answers travel. */
export const transportVariations: readonly Variation[] = [
  ...shared(contractVariations, 'header-names-in-odd-case', 'header-names-in-lower-case'),
  {
    id: 'charset-parameter',
    sentence: 'Content-Type names the charset.',
    depart: () => ({
      finish: (answer) =>
        answer.headers['Content-Type'] === undefined
          ? answer
          : withHeaders(answer, { 'Content-Type': 'Application/JSON ; Charset="UTF-8"' }),
    }),
  },
  {
    id: 'slow-answers',
    sentence: 'Each answer comes up to 80 ms late.',
    depart(_, { sleep }) {
      const random = seededRandom(80)
      return {
        async finish(answer) {
          await sleep(random.float() * 80)
          return answer
        },
      }
    },
  },
  {
    id: 'keep-alive-of-a-second',
    sentence: 'An idle connection is closed after a second.',
    depart: () => ({ keepAliveMs: 1_000 }),
  },
  ...shared(contractVariations, 'every-answer-closes', 'undated'),
  {
    id: 'odd-reason-phrases',
    sentence: 'Reason phrases are not the usual ones.',
    depart: () => ({ finish: (answer) => ({ ...answer, reason: answer.status < 400 ? 'Here you are' : 'So sorry' }) }),
  },
  {
    id: 'no-reason-phrases',
    sentence: 'Reason phrases are empty.',
    depart: () => ({ finish: (answer) => ({ ...answer, reason: '' }) }),
  },
  {
    id: 'chunked',
    sentence: 'Bodies come in chunks, without a Content-Length.',
    depart: () => ({ finish: (answer) => withHeaders(answer, { 'Transfer-Encoding': 'chunked' }) }),
  },
  {
    id: 'gzip',
    sentence: 'Bodies are compressed for clients that ask for it.',
    depart: () => ({
      finish: (answer, { request }) =>
        /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
          ? {
              ...withHeaders(answer, { 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' }),
              body: gzipSync(answer.body),
            }
          : answer,
    }),
  },
  {
    id: 'draft-headers-too',
    sentence: 'The headers of the IETF draft come beside the three.',
    depart: showing(({ window, remaining, resetMs }, { nowMs }) => ({
      RateLimit: `"${window.name}";r=${remaining};t=${Math.ceil((resetMs - nowMs) / 1000)}`,
      'RateLimit-Policy': `"${window.name}";q=${window.limit};w=${Math.ceil(window.lengthMs / 1000)}`,
    })),
  },
]
