import { expect, it } from 'vitest'
import type { Arrival, CasePlay } from '../../evidence/arrivals.js'
import { amissByCase } from './early-arrivals.js'
import { storiesOf } from './story.js'
import { simulatedAudit } from './testing/simulated-audit.js'

interface Case {
  readonly id: string
  readonly asked?: Partial<CasePlay['asked']>
  readonly end?: CasePlay['end']
  /** The connections on which requests came, each after the answer to the one before. */
  readonly came: readonly number[]
  /** So long an answer takes: longer than 10 ms, and requests are under way together. */
  readonly answerMs?: number
  readonly method?: string
  readonly status?: number
}

const amissOf = (...cases: readonly Case[]) => {
  const audit = simulatedAudit(
    cases.map(({ id }) => ({ id })),
    () => undefined,
  )
  const plays = audit.plays.map((play, at) => ({
    ...play,
    end: cases[at].end ?? ('exit' as const),
    asked: { ...play.asked, ...cases[at].asked },
  }))
  const arrivals = plays.flatMap(({ id }, at): Arrival[] =>
    cases[at].came.map((connection, index) => {
      const { answerMs = 1, method = 'GET', status = 200 } = cases[at]
      const like = audit.arrivals[at]
      return {
        ...like,
        id: `${id}.${index}`,
        at: 10 * index,
        answeredAt: 10 * index + answerMs,
        connection,
        method,
        status,
      }
    }),
  )
  return Object.fromEntries(amissByCase(storiesOf({ ...audit, plays, arrivals })))
}

const patch = { operation: 'updateInventory' }
const four = { requests: 4, workers: 4 }

it.each<[string, readonly Case[], object]>([
  ['is played where one request was asked for and came', [{ id: 'a', came: [1] }], {}],
  [
    'of a PATCH is not on GETs',
    [{ id: 'a', asked: patch, came: [1, 1] }],
    { a: { kind: 'operation', asked: 'PATCH', came: 'GET' } },
  ],
  ['of a PATCH is on one', [{ id: 'a', asked: patch, came: [1], method: 'PATCH' }], {}],
  ['that asks for no write is played by any request', [{ id: 'a', came: [1], method: 'POST' }], {}],
  ['is not where nothing came', [{ id: 'a', came: [] }], { a: { kind: 'nothing', certain: true } }],
  ['may have been about to be', [{ id: 'a', came: [], end: 'watch' }], { a: { kind: 'nothing', certain: false } }],
  ['is nothing that an interrupted audit lacks', [{ id: 'a', came: [], end: 'interrupted' }], {}],
  [
    'of 4 requests is not with 3',
    [{ id: 'a', asked: { requests: 4 }, came: [1, 1, 1] }],
    { a: { kind: 'requests', asked: 4, came: 3 } },
  ],
  ['of 4 requests may be given up after 3', [{ id: 'a', asked: { requests: 4 }, came: [1, 1, 1], status: 429 }], {}],
  ['of 4 requests may be cut off after 3', [{ id: 'a', asked: { requests: 4 }, came: [1, 1, 1], end: 'watch' }], {}],
  [
    'of 4 workers is not with one',
    [{ id: 'a', asked: four, came: [1, 1, 1, 1] }],
    { a: { kind: 'workers', asked: 4 } },
  ],
  [
    'of 4 workers is not with one that opens a connection each time',
    [{ id: 'a', asked: four, came: [1, 2, 3, 4] }],
    { a: { kind: 'workers', asked: 4 } },
  ],
  ['of 4 workers is on connections in turn', [{ id: 'a', asked: four, came: [1, 2, 3, 1, 2, 3] }], {}],
  [
    'of 4 workers is not with one that lets two connections rest in turn, as fetch may',
    [{ id: 'a', asked: four, came: [1, 2, 1, 2] }],
    { a: { kind: 'workers', asked: 4 } },
  ],
  ['of 4 workers is with two requests under way', [{ id: 'a', asked: four, came: [1, 2, 3, 4], answerMs: 12 }], {}],
  [
    'of 4 workers may be played one by one by a client that had several in another',
    [
      { id: 'a', asked: four, came: [1, 1, 1, 1] },
      { id: 'b', asked: four, came: [1, 2, 3, 1, 2, 3] },
    ],
    {},
  ],
])('a case %s', (_name, cases, expected) => {
  expect(amissOf(...cases)).toEqual(expected)
})
