import { describe, expect, it } from 'vitest'
import { madeEvidence } from '../evidence/testing/made-evidence.js'
import type { ExchangePart } from '../evidence/testing/made-exchange.js'
import { madeLedger } from '../evidence/testing/made-ledger.js'
import { keyRecord } from './key-record.js'
import { isQuiet, spendsBeforeRefusal } from './other-users.js'

const clock = { from: 0, to: 0, told: false }
const shown = (remaining: number, part: ExchangePart = {}): ExchangePart => ({
  headers: { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': String(remaining) },
  ...part,
})
const ofWindow = (remaining: number, reset = 60): ExchangePart => ({
  headers: {
    'X-RateLimit-Limit': '60',
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(reset),
  },
})
const quiet = (...parts: readonly ExchangePart[]) => isQuiet(keyRecord(madeEvidence(parts), 'free', clock))
const row = (...remaining: readonly number[]) => quiet(...remaining.map((each) => shown(each)))

describe('a key is quiet', () => {
  it.each([
    ['where Remaining falls by one each', [59, 58, 57, 56]],
    ['where it stands still or rises: a refill', [59, 59, 60, 59]],
    ['where it starts again: a new window', [2, 1, 59, 58]],
    ['where every request counts twice: that is the limiter', [58, 56, 54, 52]],
    ['where they count twice from some moment on', [59, 58, 57, ...Array.from({ length: 12 }, (_, i) => 55 - 2 * i)]],
    ['where only one was left for the last of them', [7, 5, 3, 1, 0]],
    ['where nothing is shown', []],
  ])('%s', (_name, remaining) => {
    expect(row(...remaining)).toBe(true)
  })

  it('where only what went on at the same time can have fallen further', () => {
    const late = shown(59, { sentAt: 0, tookMs: 500 })
    expect(quiet(late, shown(57, { sentAt: 100 }))).toBe(true)
    expect(quiet(shown(59), shown(57, { tookMs: 250 }), shown(56, { sentAt: 200 }))).toBe(true)
    expect(quiet({ status: null, sentAt: 0 }, shown(59), shown(57))).toBe(true)
  })

  it('where more was admitted than what fell further had left: it showed too little', () => {
    const near = [5, 4, 2, 1, 0].map((each) => ofWindow(each))
    expect(quiet(...near, ofWindow(0))).toBe(true)
    expect(quiet(...near)).toBe(false)
    expect(quiet(...near, ofWindow(0, 120))).toBe(false)
  })

  it('where it only makes up for an answer that showed too much, and shows no more used than the run was served', () => {
    expect(quiet(...[59, 58, 58, 56].map((each) => ofWindow(each)))).toBe(true)
    expect(quiet(...[59, 58, 58, 55].map((each) => ofWindow(each)))).toBe(false)
    expect(quiet(ofWindow(59), ofWindow(58), ofWindow(58, 120), ofWindow(56, 120))).toBe(false)
  })

  it('where what fell further is not comparable', () => {
    expect(
      quiet(shown(59), { ...shown(990), headers: { 'X-RateLimit-Limit': '1000', 'X-RateLimit-Remaining': '40' } }),
    ).toBe(true)
    expect(quiet(shown(59), shown(50, { status: 429 }))).toBe(true)
    expect(quiet(shown(59), shown(50, { operation: 'updateInventory' }))).toBe(true)
  })
})

describe('a key is not quiet', () => {
  it.each([
    ['where Remaining once falls by more than one', [59, 58, 50, 49]],
    ['where it falls by different steps', [59, 57, 54, 50]],
    ['where two pairs are too few to blame the limiter', [58, 56, 54]],
    ['where a larger step sets in, and is not seen for long', [59, 58, 57, 55, 53, 51, 49]],
    ['where the last one fell further than those before', [59, 57, 55, 53, 0]],
  ])('%s', (_name, remaining) => {
    expect(row(...remaining)).toBe(false)
  })

  it.each<[string, number, readonly number[], boolean]>([
    ['three less than it was asked for', 56, [], false],
    ['as many as it was asked for', 59, [], true],
    ['one less, and another operation may have cost two', 57, [61_105], true],
    ['half of what it was asked for', 30, [], true],
  ])('where a load found, of a window that an answer before showed to hold 59, %s', (_, asked, others, expected) => {
    const rows = Array.from({ length: asked }, (_row, i) => ({
      ...{ sentMs: 61_100 + (i % 3), tookMs: 20 + i, limit: 60, reset: 120 },
      remaining: i === asked - 1 ? 0 : 58 - i,
    }))
    const beside = others.map((sentAt): ExchangePart => ({ sentAt, status: 404, operation: 'getPet' }))
    const parts = [{ ...ofWindow(59, 120), sentAt: 61_000 }, ...beside]
    expect(isQuiet(keyRecord(madeEvidence(parts, { ledgers: [madeLedger(rows)] }), 'free', clock))).toBe(expected)
  })

  it.each<[string, number, readonly number[], boolean]>([
    ['too little near its end', 0.4, [5, 4, 2, 1, 0, 0], true],
    ['less, and nothing more is served', 0.4, [5, 4, 2, 1, 0], false],
    ['less in the window before', 60, [5, 4, 2, 1, 0, 0], false],
  ])('where Reset is counted down, and its answers show %s', (_, laterS, remaining, expected) => {
    const record = keyRecord(madeEvidence(remaining.map((each) => ofWindow(each))), 'free', clock)
    const reset = record.reset.map((each, i) => each + 0.25 + (i < 3 ? 0 : laterS))
    expect(isQuiet({ ...record, reset })).toBe(expected)
  })

  it('where a load in a window whose end is counted down found three less than it was asked for', () => {
    const rows = Array.from({ length: 56 }, (_row, i) => ({
      ...{ sentMs: 61_100 + (i % 3), tookMs: 20 + i, limit: 60, reset: 120 },
      remaining: i === 55 ? 0 : 58 - i,
    }))
    const parts = [{ ...ofWindow(59, 120), sentAt: 61_000 }]
    const record = keyRecord(madeEvidence(parts, { ledgers: [madeLedger(rows)] }), 'free', clock)
    expect(isQuiet({ ...record, reset: record.reset.map((each, i) => each + 0.1 + (i % 7) / 10) })).toBe(false)
  })

  it('where a quota rises again in the window that it shows', () => {
    const rises = [9, 8, 0, 40].map((remaining, i) => ({ ...ofWindow(remaining, 120), sentAt: 61_000 + 100 * i }))
    expect(quiet(...rises.slice(0, 2), ...rises.slice(3))).toBe(true)
  })

  it('where the lines of a load show it as well', () => {
    const ledgers = [
      madeLedger([
        { sentMs: 0, limit: 60, remaining: 59 },
        { sentMs: 10, limit: 60, remaining: 40 },
      ]),
    ]
    expect(isQuiet(keyRecord(madeEvidence([], { ledgers }), 'free', clock))).toBe(false)
  })
})

it.each<[string, readonly ExchangePart[], boolean]>([
  ['Remaining falls by one each', [ofWindow(59), ofWindow(58), { ...ofWindow(0), status: 429 }], false],
  ['a window is refused in which it fell by more', [ofWindow(59), ofWindow(57), { ...ofWindow(0), status: 429 }], true],
  ['Reset shows that a later one is', [ofWindow(59), ofWindow(57), { ...ofWindow(0, 120), status: 429 }], false],
  ['no Reset shows which one is', [shown(59), shown(57), shown(0, { status: 429 })], true],
  ['none is for as long as it lasts', [shown(59), shown(57), shown(0, { status: 429, sentAt: 70_000 })], false],
])('somebody may have spent what was refused then where %s', (_, parts, expected) => {
  expect(spendsBeforeRefusal(keyRecord(madeEvidence(parts), 'free', clock), 60_000)).toBe(expected)
})
