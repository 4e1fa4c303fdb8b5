import { describe, expect, it } from 'vitest'
import { createSilence } from './run-end.js'

type Event = readonly [atS: number, what: 'ask' | 'answer' | 'fail']

/** A story of seconds, and for how many of them the target had been silent in the end. */
const lasted = (story: readonly Event[], nowS: number): number => {
  const silence = createSilence()
  for (const [at, what] of story) {
    if (what === 'ask') silence.asked(at)
    else if (what === 'answer') silence.answered(at)
    else silence.failed(at)
  }
  return silence.lastedMs(nowS)
}

const each = (ats: readonly number[], tookS: number): Event[] =>
  ats.flatMap((at): Event[] => [
    [at, 'ask'],
    [at + tookS, 'fail'],
  ])

describe('the silence of a target', () => {
  it.each<readonly [what: string, story: readonly Event[], nowS: number, lastedS: number]>([
    ['nothing was asked yet', [], 500, 0],
    [
      'nothing is open, however long ago the last answer was',
      [
        [0, 'ask'],
        [1, 'answer'],
      ],
      500,
      0,
    ],
    ['the first question is open', [[10, 'ask']], 40, 30],
    [
      'a question after a long wait is open',
      [
        [0, 'ask'],
        [1, 'answer'],
        [300, 'ask'],
      ],
      340,
      40,
    ],
    [
      'one of two was answered while the other is open',
      [
        [0, 'ask'],
        [5, 'ask'],
        [40, 'answer'],
      ],
      60,
      20,
    ],
    [
      'a slow target answers each in 40 s',
      [
        [0, 'ask'],
        [40, 'answer'],
        [40, 'ask'],
        [80, 'answer'],
        [80, 'ask'],
      ],
      119,
      39,
    ],
    [
      'several ask side by side, and one of them is answered',
      [
        [0, 'ask'],
        [0, 'ask'],
        [9, 'fail'],
        [10, 'answer'],
      ],
      90,
      0,
    ],
    [
      'one was lost, and nothing is asked since',
      [
        [0, 'ask'],
        [2, 'fail'],
      ],
      300,
      2,
    ],
    ['one was lost, and the next one, after a wait, is open', [...each([0], 2), [200, 'ask']], 205, 7],
    ['time-outs follow one another', each([0, 10, 20, 30, 40], 10), 50, 50],
    ['time-outs add up, without the waits between the first ones', each([0, 100, 200], 10), 210, 30],
    [
      'four were dropped at once, and the fifth is open after a wait',
      [...each([0, 1, 2, 3], 0.5), [200, 'ask']],
      200,
      2,
    ],
    ['five were dropped at once, the last of them after a wait', each([0, 1, 2, 3, 60], 0.5), 61, 59],
    [
      'a wait after five is open until the next one comes to nothing',
      [...each([0, 1, 2, 3, 4], 0.5), [300, 'ask']],
      301,
      4,
    ],
    ['an answer ends it', [...each([0, 10, 20], 10), [30, 'ask'], [39, 'answer']], 300, 0],
  ])('%s', (_what, story, nowS, lastedS) => {
    expect(lasted(story, nowS)).toBe(lastedS)
  })

  it('does not count what we did not hear ourselves', () => {
    const silence = createSilence()
    silence.deaf(30)
    silence.asked(0)
    silence.deaf(60)
    expect(silence.lastedMs(65)).toBe(5)
  })
})
