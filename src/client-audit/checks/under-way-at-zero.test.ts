import { expect, it } from 'vitest'
import type { Arrival } from '../../evidence/arrivals.js'
import { clientEvidence } from '../waits/story.js'
import { simulatedAudit } from '../waits/testing/simulated-audit.js'
import { underWayAtZero } from './quota-reasons.js'

interface Played {
  readonly workers: number
  /** The connections on which requests were refused once nothing was left. */
  readonly refusedOn: readonly number[]
  readonly lowest?: number
}

/** What is told of a real quota of 20, of which each play used a window up, and began the next one. */
const told = (...played: readonly Played[]) => {
  const audit = simulatedAudit(
    played.map((_, at) => ({ id: `quota-${at}` })),
    () => undefined,
  )
  const plays = audit.plays.map((play, at) => ({
    ...play,
    quota: { requests: 20, windowMs: 4_000, shared: false },
    asked: { requests: 30, workers: played[at].workers, operation: 'listInventory' },
  }))
  const arrivals = plays.flatMap((play, at) => {
    const { refusedOn, workers, lowest = 0 } = played[at]
    const like = audit.arrivals[at]
    const served = (left: number, index: number, reset: string): Arrival => ({
      ...like,
      id: `${play.id}.${reset}.${index}`,
      play: play.id,
      status: 200,
      at: index,
      answeredAt: index + 0.5,
      connection: 1 + (index % workers),
      remaining: String(left),
      reset,
    })
    const first = Array.from({ length: 20 }, (_, index) => served(lowest + 19 - index, index, '1'))
    const refused = refusedOn.map((connection, index) => ({ ...served(0, 20 + index, '1'), connection, status: 429 }))
    return [...first, ...refused, ...Array.from({ length: 10 }, (_, index) => served(19 - index, 100 + index, '2'))]
  })
  const evidence = clientEvidence({ ...audit, plays, arrivals })
  return underWayAtZero(
    evidence,
    evidence.stories.filter(({ refusals }) => refusals.length > 0),
  )
}

const one = { workers: 1, refusedOn: [] }

it.each<[string, readonly Played[], number | undefined]>([
  ['counts one for each worker but the one that was told', [one, { workers: 5, refusedOn: [1, 2, 3, 4] }], 4],
  [
    'is not told of who was refused with one worker too',
    [
      { workers: 1, refusedOn: [1] },
      { workers: 5, refusedOn: [1] },
    ],
    undefined,
  ],
  ['is not told of who was not seen with one worker', [{ workers: 5, refusedOn: [1, 2] }], undefined],
  [
    'is not told where one worker never came to 0',
    [
      { ...one, lowest: 3 },
      { workers: 5, refusedOn: [1] },
    ],
    undefined,
  ],
  ['can not be more than the other workers', [one, { workers: 5, refusedOn: [1, 2, 3, 4, 5] }], undefined],
  ['can not be two on one connection', [one, { workers: 5, refusedOn: [1, 2, 2] }], undefined],
  [
    'is not told of who was never told that nothing is left',
    [one, { workers: 5, refusedOn: [1], lowest: 1 }],
    undefined,
  ],
])('what was under way when Remaining got to 0 %s', (_name, played, expected) => {
  expect(told(...played)).toBe(expected)
})
