import { expect, it } from 'vitest'
import { judgeClient } from '../checks/judge-client.js'
import { asksForDate, givesUpOn } from './seconds-and-dates.js'
import { clientEvidence } from './story.js'
import { dateAt, simulatedAudit } from './testing/simulated-audit.js'

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

/** Two dates, so far ahead; the client gives up on the one in the west, and in the east it does not. */
const givenUpInTheWest = (eastMs: number, westMs: number) => {
  const cases = [
    { id: 'east', retryAfter: (at: number) => dateAt(at + eastMs) },
    { id: 'west', retryAfter: (at: number) => dateAt(at + westMs) },
  ]
  const audit = simulatedAudit(cases, ({ attempt }) => (attempt === 0 ? eastMs + 1_005 : undefined))
  const arrivals = audit.arrivals.filter(({ play, id }) => play === 'east#1' || id === 'west#1.1')
  const plays = audit.plays.map((each) => ({ ...each, end: 'exit' as const }))
  return givesUpOn(clientEvidence({ ...audit, plays, arrivals }), asksForDate)?.play.case
}

it.each([
  ['has given up, where that one is nearer than one that it keeps', 4_000, 2_000, 'west'],
  ['may find it too long, where that one is further ahead', 2_000, 4_000, undefined],
] as const)('a client that comes back on one date and not on another %s', (_name, east, west, expected) => {
  expect(givenUpInTheWest(east, west)).toBe(expected)
})

it.each([
  ['has given up, where it has ended', 100, 900, 'exit', true],
  ['has given up, where it is silent two seconds after it', 6_500, 0, 'watch', true],
  ['may be late, where the machine was by as much', 6_500, 900, 'watch', false],
  ['has given up, where it is silent for longer than that', 9_500, 900, 'watch', true],
  ['may still come, just after it', 4_500, 0, 'watch', false],
] as const)('a client that was told a date %s', (_name, watchedMs, lateMs, end, expected) => {
  expect(givenUpBy(watchedMs, lateMs, end)).toBe(expected)
})

it('a client that waits a minute after each refusal has not given up on a date, nor does it only know seconds', () => {
  const cases = [
    { id: 'seconds-61', retryAfter: '61', watchMs: 66_000 },
    { id: 'date', retryAfter: (at: number) => dateAt(at + 3_000), watchMs: 20_000 },
    { id: 'absent', plays: 10, watchMs: 60_000 },
    { id: 'crowd', retryAfter: '4', workers: 20, watchMs: 30_000 },
  ]
  const { checks, grade } = judgeClient(simulatedAudit(cases, () => 60_700))
  expect(checks.find(({ check }) => check.id === 'client.dates-kept')?.finding).toMatchObject({
    verdict: 'inconclusive',
    facts: { examined: 0 },
  })
  expect(grade.reasons.find(({ finding: { code } }) => code === 'only-seconds-or-cut-off')?.state).toBe('open')
})

it.each([
  ['west', 'America/Bogota', true],
  ['east', 'Asia/Tokyo', false],
] as const)('whether a date was read as local time is asked %s of Greenwich', (_name, timeZone, west) => {
  const cases = [
    { id: 'seconds', retryAfter: '2' },
    { id: 'date', retryAfter: (at: number) => dateAt(at + 3_000) },
  ]
  const audit = simulatedAudit(cases, ({ retryAfter, attempt }) =>
    retryAfter === '2' && attempt === 0 ? 2_005 : undefined,
  )
  const { checks } = judgeClient({ ...audit, plays: audit.plays.map((each) => ({ ...each, timeZone })) })
  const finding = checks.find(({ check }) => check.id === 'client.dates-kept')?.finding
  expect([finding?.code, finding?.facts.west]).toEqual(['gives-up-on-date', west])
})
