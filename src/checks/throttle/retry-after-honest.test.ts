import { describe, expect, it } from 'vitest'
import { retryAfterHonest } from './retry-after-honest.js'

const facts = {
  plan: 'free',
  promisedMs: 2_000,
  waitedMs: 2_031,
  status: 429,
  resetLaterMs: null,
  shortMs: 31,
  longMs: 0,
}

const told = (
  waits: readonly { plan: string; tried: number; tooShort: number }[],
  resetLaterMs: number | null = null,
  nextWaitMs: number | null = null,
) =>
  retryAfterHonest.sentences?.['refused-after-waiting']?.({
    ...facts,
    resetLaterMs,
    nextWaitMs,
    waits: [...waits],
  } as never) ?? ''

describe('the sentence of a wait that was too short', () => {
  it('tells the margin in milliseconds', () => {
    expect(told([{ plan: 'free', tried: 1, tooShort: 1 }])).toContain(
      'it came 2,031 ms after a refusal with a Retry-After of 2,000 ms, so 31 ms later than asked',
    )
  })

  it.each([
    [0, 'asks for 0 s more: seconds that are rounded down, or to the nearest, look like this.'],
    [2_000, 'The second refusal asks for 2.0 s more. '],
    [null, 'with nothing sent in between. Too short'],
  ])('tells what the second refusal asks for, where that is %s', (nextWaitMs, expected) => {
    expect(told([{ plan: 'free', tried: 1, tooShort: 1 }], null, nextWaitMs)).toContain(expected)
  })

  it.each([
    [[{ plan: 'free', tried: 1, tooShort: 1 }], 'Too short was 1 of 1 wait on Free'],
    [
      [
        { plan: 'free', tried: 4, tooShort: 1 },
        { plan: 'pro', tried: 2, tooShort: 0 },
        { plan: 'business', tried: 4, tooShort: 0 },
      ],
      'Too short was 1 of 4 waits on Free; on Pro and Business 0 of 6',
    ],
    [
      [
        { plan: 'free', tried: 6, tooShort: 3 },
        { plan: 'pro', tried: 5, tooShort: 2 },
      ],
      'Too short were 3 of 6 waits on Free and 2 of 5 on Pro',
    ],
  ])('tells on which plans how many of how many were', (waits, end) => {
    expect(told(waits).endsWith(end)).toBe(true)
  })

  it('says so where Reset in the same answer names a later moment', () => {
    expect(told([{ plan: 'free', tried: 1, tooShort: 1 }], 1_000)).toContain(
      'Reset in the same answer names a moment 1.0 s later than Retry-After.',
    )
  })
})
