import { describe, expect, it } from 'vitest'
import { madeEvidence } from '../../evidence/testing/made-evidence.js'
import type { ExchangePart } from '../../evidence/testing/made-exchange.js'
import { sentenceOf } from '../../run/judge.js'
import { retryAfterHonest } from './retry-after-honest.js'
import { roundingOf } from './waits.js'

describe('what rounding fits', () => {
  it.each([
    [31, 0, null],
    [600, 0, null],
    [601, 0, 'down'],
    [1_100, 0, 'down'],
    [1_101, 0, 'neither'],
    [31, 100, null],
    [31, 101, 'nearest'],
    [600, 600, 'nearest'],
    [601, 101, 'neither'],
    [31, 601, 'neither'],
  ])('waits %i ms too short and %i ms too long: %s', (shortMs, longMs, rounding) => {
    expect(roundingOf({ shortMs, longMs })).toBe(rounding)
  })
})

type Rounds = (seconds: number) => number

/** A key that is refused until a moment, by a target that rounds so what is left, asked then; and admitted at last. */
const story = (untilMs: number, rounds: Rounds, ...moments: readonly number[]): ExchangePart[] => [
  ...moments.map((sentAt) => ({
    status: 429,
    sentAt,
    headers: { 'Retry-After': `${rounds((untilMs - sentAt) / 1_000)}` },
  })),
  { sentAt: untilMs + 10 },
]

const judged = (exchanges: readonly ExchangePart[]) => {
  const finding = retryAfterHonest.judge(madeEvidence(exchanges))
  return { finding, sentence: sentenceOf(retryAfterHonest, finding) }
}

describe('the second refusal asks for 0 s more', () => {
  const parts = [0, 250, 500, 750]
  const down = [...parts, 29_760, 30_010, 30_260, 30_510]
  const nearest = [...parts, 1_000, 30_010, 30_260]

  it.each<[string, ExchangePart[], string]>([
    [
      'and a wait was short by more than half a second',
      story(30_600, Math.floor, ...down),
      ': this looks like seconds that are rounded down (a wait of this run was at least 758 ms too short;',
    ],
    [
      'and another was too long',
      story(30_400, Math.round, ...nearest),
      ': this looks like seconds that are rounded to the nearest (a wait of this run was at least 258 ms too short, and one at least 338 ms too long,',
    ],
    [
      'and nothing tells them apart',
      story(30_400, Math.round, 1_000, 30_010, 30_260),
      ': this looks like seconds that are rounded down or to the nearest.',
    ],
    [
      'and neither of them would be so far off both ways',
      story(30_600, (seconds) => (seconds === 30.6 ? Math.ceil(seconds) : Math.floor(seconds)), ...down),
      '.',
    ],
    [
      'and a second was named where less was left, as many servers do',
      story(30_600, (seconds) => (seconds > 0.2 && seconds < 0.5 ? 1 : Math.floor(seconds)), ...down),
      ': this looks like seconds that are rounded down (a wait of this run was at least 758 ms too short;',
    ],
  ])('%s', (_, exchanges, said) => {
    const { finding, sentence } = judged(exchanges)
    expect(finding).toMatchObject({ verdict: 'fail', code: 'refused-after-waiting' })
    expect(sentence).toContain(`The second refusal asks for 0 s more${said}`)
  })

  it('and dates tell nothing of rounded seconds', () => {
    const exchanges = story(30_400, Math.round, ...nearest).map((each, at) =>
      at < 4
        ? {
            ...each,
            headers: { Date: 'Thu, 15 Jan 2026 12:00:00 GMT', 'Retry-After': 'Thu, 15 Jan 2026 12:00:33 GMT' },
          }
        : each,
    )
    expect(judged(exchanges).finding).toMatchObject({ facts: { longMs: 0 } })
  })

  it('and who is refused once something was admitted waits for another moment', () => {
    const again = { status: 429, sentAt: 45_000, headers: { 'Retry-After': '10' } }
    const exchanges = [...story(30_400, Math.round, 1_000, 30_010, 30_260), again, { sentAt: 55_100 }]
    expect(judged(exchanges).finding).toMatchObject({ facts: { shortMs: 258 } })
  })
})

describe('a wait in fractions of a second', () => {
  const exactly: Rounds = (seconds) => Number(seconds.toFixed(3))
  it('is not rounded, so that one tells', () => {
    expect(judged(story(30_400, exactly, 0)).finding).toMatchObject({ verdict: 'pass' })
  })

  it('asks for more cases where it is in whole seconds', () => {
    expect(judged(story(30_400, Math.ceil, 0)).finding).toMatchObject({ verdict: 'inconclusive' })
  })

  it('is held to its word', () => {
    const cut = (seconds: number) => Number((seconds - 0.25).toFixed(3))
    expect(judged([...story(30_400, cut, 0, 250, 30_380), { status: 429, sentAt: 30_395 }]).finding.verdict).not.toBe(
      'pass',
    )
  })
})
