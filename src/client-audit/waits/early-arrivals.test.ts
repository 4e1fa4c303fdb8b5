import { describe, expect, it } from 'vitest'
import type { Arrival } from '../../evidence/arrivals.js'
import { waitsKept } from './early-arrivals.js'
import { noiseOf, storiesOf } from './story.js'
import { simulatedAudit } from './testing/simulated-audit.js'

const quiet = noiseOf([])

/** At, connection, answer (`429:2` names two seconds), and what else is to be known of it. Answered after 1 ms. */
type Told = readonly [number, number, string, Partial<Arrival>?]

/** By that arrival its only thread had waited so long for a processor. */
const starvedFor = (ms: number): Partial<Arrival> => ({ starved: { 1: ms }, starvedByAnswer: { 1: ms } })

/** Unless it says otherwise, every connection was there from the beginning, and nobody was starved. */
const storyOf = (...told: readonly Told[]) => {
  const audit = simulatedAudit([{ id: 'case' }], () => undefined)
  const [like] = audit.arrivals
  const arrivals = told.map(([at, connection, answer, known], index): Arrival => {
    const [status, seconds] = answer.split(':')
    return {
      ...like,
      id: `a${index}`,
      at,
      notBefore: at,
      acceptedAt: -50,
      openedAfter: -55,
      answeredAt: at + 1,
      connection,
      status: Number(status),
      retryAfter: seconds ?? null,
      ...known,
    }
  })
  return storiesOf({ ...audit, arrivals })[0]
}

const onSeconds = (story: ReturnType<typeof storyOf>, noise = quiet) =>
  waitsKept(story, ({ named }) => named.kind === 'seconds', noise)
const earlyIn = (story: ReturnType<typeof storyOf>, noise = quiet) =>
  onSeconds(story, noise).early.map(({ arrival, certain }) => (certain ? arrival.id : `perhaps ${arrival.id}`))

const openedAt = (at: number): Partial<Arrival> => ({ acceptedAt: at, openedAfter: at - 0.5 })

describe('an arrival before the time of a 429 is over', () => {
  it.each<[string, Told, readonly string[]]>([
    ['at once', [10, 1, '429:2'], ['a1']],
    ['10 ms before the moment', [1991, 1, '429:2'], ['a1']],
    ['2 ms before the moment', [1999, 1, '429:2'], []],
    ['after it', [2050, 1, '429:2'], []],
    ['within 100 ms on a connection that was there: it was under way', [90, 2, '429:2'], []],
    ['within 100 ms on one that was opened for it, with nothing else under way', [5, 2, '429:2', openedAt(4)], ['a1']],
    [
      'within 100 ms on one that may have been opened before',
      [5, 2, '429:2', { acceptedAt: 4, openedAfter: 0 }],
      ['perhaps a1'],
    ],
    ['after 150 ms on another connection', [151, 2, '429:2'], ['a1']],
    ['48 ms before the moment, on a connection of its own', [1_953, 2, '429:2', openedAt(1_952)], ['a1']],
  ])('%s', (_name, second, early) => {
    expect(earlyIn(storyOf([0, 1, '429:2'], second))).toEqual(early)
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

  it.each([
    [1_990, ['a2']],
    [2_100, []],
  ])('is judged by the least that was told to those that were refused together: %i ms after the first', (at, early) => {
    expect(earlyIn(storyOf([0, 1, '429:3'], [20, 2, '429:2'], [at, 1, '200']))).toEqual(early)
  })

  it('is early for other workers too, when the wait was told to one', () => {
    const story = storyOf([0, 1, '200'], [1, 2, '429:2'], [400, 1, '429:2'], [700, 3, '200'])
    expect(earlyIn(story)).toEqual(['a2', 'a3'])
  })

  it.each<[string, number, Partial<Arrival>, readonly string[]]>([
    ['opened before anybody can have reacted', 6, openedAt(5), []],
    ['perhaps opened before the answer, and soon after it', 6, { acceptedAt: 5, openedAfter: 0 }, []],
    ['perhaps opened before the answer, and too late to tell', 30, { acceptedAt: 29, openedAfter: 0 }, ['perhaps a2']],
    ['opened later', 30, openedAt(29), ['a2']],
  ])('of a worker that was served in the same moment, on a connection %s', (_name, at, opened, early) => {
    expect(earlyIn(storyOf([0, 1, '200'], [0.5, 2, '429:2'], [at, 3, '200', opened]))).toEqual(early)
  })

  it('is a breach each time where a client opens a connection for each of five tries at once', () => {
    const tries = [4, 8, 12, 16].map((at, index): Told => [at, index + 2, '429:2', openedAt(at - 0.5)])
    expect(earlyIn(storyOf([0, 1, '429:2'], ...tries))).toEqual(['a1', 'a2', 'a3', 'a4'])
  })

  it('is one too where five came at first, on a connection each, and then five more', () => {
    const five = [0, 1, 2, 3, 4].map((at): Told => [at, at + 1, '429:2', { answeredAt: 101 + at / 10 }])
    const more = [108, 109, 110].map((at, index): Told => [at, index + 6, '429:2', openedAt(at - 0.4)])
    expect(earlyIn(storyOf(...five, ...more))).toEqual(['a5', 'a6', 'a7'])
  })
})

describe('where the machine stalled just then', () => {
  const stalled = noiseOf([{ type: 'beat', at: 160, lateMs: 150 }])
  const unknown = { starved: null, starvedByAnswer: null }

  it('a late arrival may have been under way, by what held the controls up', () => {
    const after = (at: number) => earlyIn(storyOf([0, 1, '429:2', unknown], [at, 2, '429:2', unknown]), stalled)
    expect(after(90)).toEqual([])
    expect(after(540)).toEqual(['perhaps a1'])
    expect(after(560)).toEqual(['a1'])
  })

  it('a late arrival may have been under way, by what its own threads waited for a processor', () => {
    // As it was with ten workers that keep one pause: another one came 689 ms after the 429.
    const served: Told = [-20, 2, '200', { answeredAt: 600 }]
    const after = (starvedMs: number) =>
      earlyIn(storyOf(served, [0, 1, '429:2'], [689, 2, '200', starvedFor(starvedMs)]))
    expect(after(0)).toEqual(['a2'])
    expect(after(600)).toEqual(['perhaps a2'])
  })

  it('a late arrival may have been under way, where the server had not looked', () => {
    const after = (notBefore: number) => earlyIn(storyOf([0, 1, '429:2'], [400, 2, '429:2', { notBefore }]))
    expect(after(300)).toEqual(['a1'])
    expect(after(60)).toEqual(['perhaps a1'])
  })

  it('a worker that was refused too late for the first of them shares its moment all the same', () => {
    // Sent at once, and starved: it came when the wait of the others was over, and the next came soon after.
    const late: Told = [1_500, 7, '429:1', { acceptedAt: 800, openedAfter: 700, ...starvedFor(1_600) }]
    const story = storyOf([0, 1, '429:1'], late, [2_000, 7, '429:1', starvedFor(1_600)])
    expect(earlyIn(story)).toEqual(['perhaps a2'])
  })

  it('who comes on the connection that was refused has read it', () => {
    expect(earlyIn(storyOf([0, 1, '429:2'], [30, 1, '429:2']), stalled)).toEqual(['a1'])
  })

  it('a wait that was kept does not tell whether its client meant to come early', () => {
    const conceals = (lateMs: number, known: Partial<Arrival>) =>
      onSeconds(storyOf([0, 1, '429:1'], [1_001 + lateMs, 1, '200', known])).kept.map(({ concealedMs }) => concealedMs)
    expect(conceals(2, {})).toEqual([0])
    expect(conceals(2, starvedFor(50))).toEqual([48])
    expect(conceals(2, { notBefore: 943 })).toEqual([58])
    expect(conceals(200, starvedFor(50))).toEqual([0])
  })
})
