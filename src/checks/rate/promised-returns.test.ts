import { expect, it } from 'vitest'
import { madeEvidence, wallStartMs } from '../../evidence/testing/made-evidence.js'
import type { ExchangePart } from '../../evidence/testing/made-exchange.js'
import { type MadeRow, madeLedger } from '../../evidence/testing/made-ledger.js'
import { judgedKeys } from '../../oracle/judged-keys.js'
import { refusedWithRoom } from './reset-honest.js'

const startSeconds = wallStartMs / 1000

/** So many of the first answers of a window show another Reset than its end. */
const mostOdd = 5

/** 60 just before the end of a minute, and 75 just after it: 15 are refused. `odd` is shown by the first of those. */
const seen = (odd: number) => {
  const before = Array.from(
    { length: 60 },
    (_, i): MadeRow => ({
      sentMs: 50_000 + i * 3,
      limit: 60,
      remaining: 59 - i,
      reset: startSeconds + 60,
    }),
  )
  const after = Array.from(
    { length: 75 },
    (_, i): MadeRow => ({
      sentMs: 60_010 + i * 80,
      status: i < 60 ? 200 : 429,
      limit: 60,
      remaining: Math.max(0, 59 - i),
      reset: startSeconds + (i < mostOdd ? odd : 120),
    }),
  )
  // Its clock is known to a second: by the earliest of it the minute is not over yet.
  const date = new Date(wallStartMs).toUTCString()
  const exchanges: ExchangePart[] = [{ probe: 'hello', key: null, sentAt: 900, headers: { Date: date } }]
  return madeEvidence(exchanges, { ledgers: [madeLedger([...before, ...after])] })
}

it.each<[string, number, boolean]>([
  ['the end of its window', 120, false],
  ['the end of the one before, which may be still to come by its clock', 60, false],
  ['a moment at which nothing comes back', 62, true],
])('a refusal with room breaks a Reset that names %s', (_name, odd, isBroken) => {
  const [key] = judgedKeys(seen(odd))
  expect(refusedWithRoom(key) !== undefined).toBe(isBroken)
})
