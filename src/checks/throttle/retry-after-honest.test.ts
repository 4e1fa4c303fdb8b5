import { describe, expect, it } from 'vitest'
import { limiters } from '../../certificate/limiters.js'
import { playedRun, rowsOf } from '../../certificate/testing/played-run.js'
import { madeEvidence } from '../../evidence/testing/made-evidence.js'
import { madeLedger } from '../../evidence/testing/made-ledger.js'
import { seededRandom } from '../../kit/random.js'
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
    [0, 'asks for 0 s more: this looks like seconds that are rounded down or to the nearest.'],
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

describe('waits that others overtook', () => {
  const window = { limit: 60, windowMs: 60_000 }
  const make = () => limiters['sliding-log']({ ...window, epochOffsetMs: 0, random: seededRandom(7) })
  const rows = rowsOf(playedRun(make, window)).toSorted((a, b) => a.sentMs - b.sentMs)
  /** The first refusals of stretches of these that last longer than a second. */
  const firsts = rows.flatMap(({ status, sentMs }, i) => {
    const end = rows.findIndex((row, j) => j > i && row.status !== 429)
    const isFirst = status === 429 && rows[i - 1]?.status !== 429
    return isFirst && (rows[end - 1]?.sentMs ?? 0) > sentMs + 1_500 ? [i] : []
  })

  it.each([
    [1, 'inconclusive', 'wait-overtaken'],
    [2, 'fail', 'refused-after-overtaken-waits'],
  ])('break the promise where refusals do not count and %i windows show one: %s', (windows, verdict, code) => {
    const named = firsts.slice(0, windows)
    const evidence = madeEvidence([], {
      ledgers: [madeLedger(rows.map((row, i) => ({ ...row, retryAfter: named.includes(i) ? 1 : undefined })))],
    })
    expect(retryAfterHonest.judge(evidence)).toMatchObject({ verdict, code })
  })
})
