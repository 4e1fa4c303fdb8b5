import { expect, it } from 'vitest'
import { clientEvidence } from '../client-evidence.js'
import { dateAt, simulatedAudit } from '../testing/simulated-audit.js'
import { givesUpOn } from './given-up.js'
import { asksForDate } from './seconds-and-dates.js'

/** It comes back on seconds; on the date, 3 s ahead, it was silent until the time was up. */
const givenUpBy = (watchedMs: number, lateMs: number, end: 'exit' | 'watch' = 'watch') => {
  const cases = [
    { id: 'seconds', retryAfter: '2' },
    { id: 'date', retryAfter: (at: number) => dateAt(at + 3_000) },
  ]
  const audit = simulatedAudit(cases, ({ retryAfter, attempt }) =>
    retryAfter === '2' && attempt === 0 ? 2_005 : undefined,
  )
  const plays = audit.plays.map((each) =>
    each.case === 'date' ? { ...each, end, endedAt: each.startedAt + watchedMs } : each,
  )
  const beats = Array.from({ length: 100 }, (_, at) => ({ type: 'beat' as const, at: at * 200, lateMs }))
  return givesUpOn(clientEvidence({ ...audit, plays, beats }), asksForDate) !== undefined
}

it.each([
  ['has given up, where it has ended', 100, 900, 'exit', true],
  ['has given up, where it is silent two seconds after it', 6_500, 0, 'watch', true],
  ['may be late, where the machine was by as much', 6_500, 900, 'watch', false],
  ['has given up, where it is silent for longer than that', 9_500, 900, 'watch', true],
  ['may still come, just after it', 4_500, 0, 'watch', false],
] as const)('a client that was told a date %s', (_name, watchedMs, lateMs, end, expected) => {
  expect(givenUpBy(watchedMs, lateMs, end)).toBe(expected)
})
