import { expect, it } from 'vitest'
import { ledgerRow } from '../../evidence/ledger.js'
import { type MadeRow, madeLedger } from '../../evidence/testing/made-ledger.js'
import { stopperOf, stopRule } from './stop-rule.js'

type StopRule = Parameters<typeof stopperOf>[0]

const limits = { minute: 60, day: 1_000, minuteMs: 60_000, longestWaitMs: 62_000 }
const seen = { admitted: 5, refused: 7, refusedInRow: 0, ofDayInRow: 0, shownLeft: null, unservedMs: null }

const row = (status: number, part: Partial<MadeRow> = {}): MadeRow => ({ sentMs: 0, status, ...part })
const times = (count: number, each: MadeRow): MadeRow[] => Array(count).fill(each)

/** The answer, from 1 on, with which a load ends; undefined where it does not. */
const endsWith = (rule: StopRule, rows: readonly MadeRow[]): number | undefined => {
  const isOver = stopperOf(stopRule.parse(JSON.parse(JSON.stringify(rule))))
  const at = rows.findIndex((each) => isOver(ledgerRow(madeLedger([each]).rows, 0)))
  return at < 0 ? undefined : at + 1
}

it.each<[string, StopRule, MadeRow[], number | undefined]>([
  ['a status that was named', { kind: 'status', is: [429] }, [row(200), row(500), row(429)], 3],
  ['no status that was named', { kind: 'status', is: [429] }, [row(200), row(500)], undefined],
  ['any other status', { kind: 'other-status', than: [200] }, [row(200), row(500)], 2],
  ['another status than a limiter’s', { kind: 'change', putOffMs: 1_500 }, [row(429), row(200), row(403)], 3],
  ['a wait that was put off', { kind: 'change', putOffMs: 1_500 }, [row(429, { retryAfter: 5 }), row(429, { retryAfter: 7 })], 2], // biome-ignore format: one row a case
  ['no wait that stays', { kind: 'change', putOffMs: 1_500 }, [row(429, { retryAfter: 5 }), row(429, { retryAfter: 6 })], undefined], // biome-ignore format: one row a case
  ['what comes back behind a refusal', { kind: 'back' }, [row(200), row(429), row(429), row(200)], 4],
  ['the last one that was to be served', { kind: 'served', times: 2 }, [row(200), row(429), row(200)], 3],
  ['an answer that is neither', { kind: 'served', times: 2 }, [row(403)], 1],
  ['so few that are left of the day', { kind: 'day', limits, seen, downTo: 40 }, [row(200, { limit: 1_000, remaining: 41 }), row(200, { limit: 1_000, remaining: 40 })], 2], // biome-ignore format: one row a case
  ['so many more refusals', { kind: 'day', limits, seen, refusals: 3 }, times(5, row(429)), 3],
  ['a day that is spent', { kind: 'day', limits, seen }, times(30, row(429, { retryAfter: 3_600 })), 20],
])('a load ends with %s', (_, rule, rows, at) => {
  expect(endsWith(rule, rows)).toBe(at)
})

it('is no rule where it says anything else', () => {
  expect(stopRule.safeParse({ kind: 'status', is: [429], run: 'rm' }).success).toBe(false)
  expect(stopRule.safeParse({ kind: 'never' }).success).toBe(false)
})
