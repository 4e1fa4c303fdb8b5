import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { Departure } from '../behaviour/behaviour.js'
import type { Answer } from '../http/answer.js'
import { withHeaders } from '../http/header-edits.js'
import type { Variation } from './variation.js'

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
