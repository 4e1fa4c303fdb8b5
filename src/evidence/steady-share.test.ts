import { expect, test } from 'vitest'
import { middleOf, steadyShare } from './steady-share.js'
import { madeLedger } from './testing/made-ledger.js'

/** A round: 60 admitted and 30 refused answers, which took so long, on a machine that stood still for so long. */
const round = (admittedMs: number, refusedMs: number, stoodStillMs: number) =>
  madeLedger(
    Array.from({ length: 90 }, (_, i) => ({
      sentMs: i,
      status: i < 60 ? 200 : 429,
      tookMs: i < 60 ? admittedMs : refusedMs,
    })),
    { stoodStillMs },
  )

const shareOf = (...rounds: ReturnType<typeof round>[]) =>
  steadyShare(
    middleOf(rounds, (status) => status === 429),
    middleOf(rounds, (status) => status === 200),
  )

test.each([
  ['nothing stood still', [round(60, 30, 0), round(60, 30, 0)], 0.5],
  ['a standstill was shorter than one that is seen for certain', [round(60, 30, 19)], 0.5],
  ['answers were shorter than any standstill', [round(4, 1, 400)], 0.25],
  ['one round of three stood still', [round(60, 30, 0), round(90, 60, 300), round(60, 30, 0)], 0.5],
  ['a standstill is far shorter than the answers', [round(3_000, 1_500, 30)], 0.5],
  ['each round stood still for as long as answers took', [round(60, 30, 25), round(60, 30, 25)], null],
  ['a standstill may have made the admitted longer, and them alone', [round(60, 6, 40)], null],
])('a share where %s', (_, rounds, share) => {
  expect(shareOf(...rounds)).toBe(share)
})
