import { describe, expect, it } from 'vitest'
import type { Arrival } from '../../evidence/arrivals.js'
import { earlyArrivals } from './early-arrivals.js'
import { noiseOf } from './noise.js'
import { storiesOf } from './story.js'
import { simulatedAudit } from './testing/simulated-audit.js'

const quiet = noiseOf([])

/** Arrivals by time, connection and answer: `429:2` names two seconds. Each is answered after 1 ms. */
const storyOf = (...told: readonly (readonly [number, number, string])[]) => {
  const audit = simulatedAudit([{ id: 'case' }], () => undefined)
  const [like] = audit.arrivals
  const arrivals = told.map(([at, connection, answer], index): Arrival => {
    const [status, seconds] = answer.split(':')
    return {
      ...like,
      id: `a${index}`,
      at,
      answeredAt: at + 1,
      connection,
      status: Number(status),
      retryAfter: seconds ?? null,
    }
  })
  return storiesOf({ ...audit, arrivals })[0]
}

const earlyIn = (story: ReturnType<typeof storyOf>, noise = quiet) =>
  earlyArrivals(story, ({ named }) => named.kind === 'seconds', noise).map(({ arrival, certain }) =>
    certain ? arrival.id : `perhaps ${arrival.id}`,
  )

describe('an arrival before the time of a 429 is over', () => {
  it.each([
    ['at once', 10, 1, ['a1']],
    ['10 ms before the moment', 1991, 1, ['a1']],
    ['2 ms before the moment', 1999, 1, []],
    ['after it', 2050, 1, []],
    ['within 100 ms on another connection: it was under way', 90, 2, []],
    ['after 150 ms on another connection', 151, 2, ['a1']],
  ] as const)('%s', (_name, at, connection, early) => {
    expect(earlyIn(storyOf([0, 1, '429:2'], [at, connection, '429:2']))).toEqual(early)
  })

  it('is judged anew after each wait that was kept', () => {
    const story = storyOf([0, 1, '429:1'], [1_005, 1, '429:1'], [1_500, 1, '429:1'], [2_600, 1, '200'])
    expect(earlyIn(story)).toEqual(['a2'])
  })

  it('may be as early as the first of those that were refused together', () => {
    const story = storyOf(
      [0, 1, '429:2'],
      [20, 2, '429:2'],
      [2_003, 1, '429:2'],
      [2_006, 2, '429:2'],
      [4_010, 1, '200'],
    )
    expect(earlyIn(story)).toEqual([])
  })

  it('is early for other workers too, when the wait was told to one', () => {
    const story = storyOf([0, 1, '200'], [1, 2, '429:2'], [400, 1, '429:2'], [700, 3, '200'])
    expect(earlyIn(story)).toEqual(['a2', 'a3'])
  })

  describe('where the machine stalled just then', () => {
    const stalled = noiseOf([{ type: 'beat', at: 160, lateMs: 150 }])

    it('was under way for as much longer, and perhaps for more', () => {
      expect(earlyIn(storyOf([0, 1, '429:2'], [240, 2, '429:2']), stalled)).toEqual([])
      expect(earlyIn(storyOf([0, 1, '429:2'], [540, 2, '429:2']), stalled)).toEqual(['perhaps a1'])
      expect(earlyIn(storyOf([0, 1, '429:2'], [560, 2, '429:2']), stalled)).toEqual(['a1'])
    })

    it('was not, where its connection had an answer since', () => {
      const story = storyOf([0, 1, '429:2'], [-20, 2, '200'], [300, 2, '200'])
      const slow = {
        ...story,
        arrivals: story.arrivals.map((each) => (each.at < 0 ? { ...each, answeredAt: 200 } : each)),
      }
      const inOrder = { ...slow, arrivals: slow.arrivals.toSorted((a, b) => a.at - b.at) }
      expect(earlyIn(inOrder, stalled)).toEqual(['a2'])
    })

    it('was not, on the connection that was refused', () => {
      expect(earlyIn(storyOf([0, 1, '429:2'], [30, 1, '429:2']), stalled)).toEqual(['a1'])
    })
  })
})
