import { describe, expect, it } from 'vitest'
import { madeEvidence } from '../evidence/testing/made-evidence.js'
import { type MadeRow, madeLedger } from '../evidence/testing/made-ledger.js'
import { outcomes } from '../readings/history.js'
import { recordedKeys } from './judged-keys.js'
import { withUnclearTold } from './unclear-told.js'

const reset = 1_768_478_460
const row = (status: number, remaining?: number, part: Partial<MadeRow> = {}): Partial<MadeRow> => ({
  status,
  ...(remaining !== undefined && { limit: 60, remaining, reset }),
  ...part,
})
const range = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, i) => row(200, from - i))
const refused = row(429, 0)
const gateway = row(502)

/** One after the other, each answered before the next. */
const inTurn = (rows: readonly Partial<MadeRow>[]) =>
  rows.map((each, i) => ({ sentMs: 1_000 + 10 * i, tookMs: 5, status: 200, ...each }))

const told = (rows: readonly Partial<MadeRow>[]) => {
  const [key] = recordedKeys(madeEvidence([], { ledgers: [madeLedger(inTurn(rows))] }))
  const { outcome, receivedMs } = withUnclearTold(key)
  const names = Object.entries(outcomes)
  const unclear = Array.from(key.record.status.keys()).filter(
    (i) => key.record.status[i] === 0 || key.record.status[i] === 502,
  )
  return unclear.map((i) => [names.find(([, code]) => code === outcome[i])?.[0], receivedMs[i]])
}

const unknown = ['unknown', Number.POSITIVE_INFINITY]

describe('a request that a gateway answered', () => {
  it('was not counted where the others took all of the quota', () => {
    expect(told([...range(59, 30), gateway, ...range(29, 0), refused]).map(([what]) => what)).toEqual(['excused'])
  })

  it('was counted where a Remaining is missing, before the least was shown', () => {
    expect(told([...range(59, 30), gateway, ...range(28, 0), refused])).toEqual([['admitted', 1_000 + 59 * 10 + 5]])
  })

  it('was not behind the last of the quota, whatever is missing before', () => {
    const rows = [...range(59, 30), gateway, ...range(28, 0), refused, gateway, refused]
    expect(told(rows).map(([what]) => what)).toEqual(['admitted', 'excused'])
  })

  it('is told of in a window that was not spent, if others were asked behind it', () => {
    expect(told([...range(59, 50), gateway, ...range(48, 40)]).map(([what]) => what)).toEqual(['admitted'])
    expect(told([...range(59, 50), gateway])).toEqual([unknown])
  })

  it('was counted before the next window, if that one shows all of its quota', () => {
    const next = (rows: readonly Partial<MadeRow>[]) => rows.map((each) => ({ ...each, reset: reset + 60 }))
    const unclear = [...range(59, 50), gateway]
    expect(told([...unclear, ...next(range(59, 50))])).toEqual([['unknown', 1_000 + 10 * 10 + 5]])
    expect(told([...unclear, ...next(range(58, 50))])).toEqual([unknown])
  })

  it('is told of beside answers to strangers, which show another quota', () => {
    const rows = [...range(59, 30), gateway, row(401, 40), ...range(28, 0), refused]
    expect(told(rows).map(([what]) => what)).toEqual(['admitted'])
  })

  it.each<[string, readonly Partial<MadeRow>[]]>([
    ['two answers show the same', [...range(59, 30), gateway, ...range(30, 0), refused]],
    ['the first of the window was not seen', [...range(58, 30), gateway, ...range(29, 0), refused]],
    ['more are missing than were lost', [...range(59, 30), gateway, ...range(27, 0), refused]],
    [
      'another was not answered at all',
      [...range(59, 40), { status: null }, ...range(38, 30), gateway, ...range(29, 0), refused],
    ],
    ['nothing shows what remains', Array.from({ length: 40 }, (_, i) => (i === 20 ? gateway : row(200)))],
  ])('stays unknown where %s', (_name, rows) => {
    expect(told(rows).every(([what]) => what === 'unknown')).toBe(true)
  })
})
