import { expect, it } from 'vitest'
import { waitsInWords } from './in-words.js'
import type { ClientPlayRow } from './model.js'

type Row = ClientPlayRow['arrivals'][number]

interface Came {
  readonly waits: readonly number[]
  readonly like?: Partial<Row>
  readonly early?: number
  readonly connections?: readonly number[]
  readonly play?: Partial<ClientPlayRow>
}

const playOf = ({ waits, like = {}, early = 0, connections = [], play = {} }: Came): ClientPlayRow => {
  let at = 0
  const arrivals = [0, ...waits].map((wait, index): Row => {
    at += wait
    const connection = connections[index] ?? 1
    const known = { id: `a#1.${index}`, at, answeredAt: at, connection, early: index > 0 && index <= early }
    return { ...known, status: 429, retryAfter: null, allowedFrom: null, ...like }
  })
  return {
    ...{ id: 'a#1', case: 'a', title: 'a', timeZone: null, end: 'exit', exitCode: 0, signal: null, leftBehind: false },
    ...{ output: '', durationMs: 0, watchedMs: 0, workers: 1, withoutKey: 0, served: 0, notAsAsked: null },
    ...{ sent: arrivals.length, refused: arrivals.length, arrivals, arrivalsLeftOut: 0 },
    ...play,
  }
}

it.each<[string, Came, string]>([
  ['lists the waits of one that sends one at a time', { waits: [500, 1_000] }, '500 ms, 1.0 s'],
  ['says how many came too early', { waits: [20, 30], early: 2 }, '2 too early: 20 ms, 30 ms'],
  [
    'does not list what lies between requests of several workers',
    { waits: [1, 1, 1, 1, 2_100], connections: [1, 2, 3, 1, 2, 3] },
    'longest pause 2.1 s',
  ],
  [
    'says as a number what of those came early',
    { waits: [1, 1, 5], early: 3, play: { workers: 4 } },
    '3 too early: longest pause 5 ms',
  ],
  [
    'says that a case was not played as asked',
    { waits: [], play: { notAsAsked: 'nothing came: not tested' } },
    'nothing came: not tested',
  ],
  [
    'says that a wait of over a day is not judged by CLIENT-1',
    { waits: [20], like: { retryAfter: '86401' } },
    'over a day, not CLIENT-1: 20 ms',
  ],
  ['says nothing of the sort of a day', { waits: [20], like: { retryAfter: '86400' } }, '20 ms'],
  [
    'says that giving up on a 503 costs nothing',
    { waits: [], like: { status: 503 } },
    'does not try again (costs nothing)',
  ],
  ['says nothing of giving up on a 429', { waits: [] }, ''],
])('a line of the terminal %s', (_name, came, expected) => {
  expect(waitsInWords([playOf(came)])).toBe(expected)
})
