import { describe, expect, it } from 'vitest'
import type { Audit } from '../../evidence/arrivals.js'
import { decisiveCases, type Policy, type SimulatedCase, simulatedAudit } from '../waits/testing/simulated-audit.js'
import { judgeClient } from './judge-client.js'

/** Every process of the machine was late by so much, all the time. */
const lateBy = (lateMs: number): Audit['beats'] =>
  Array.from({ length: 700 }, (_, at) => ({ type: 'beat' as const, at: at * 200, lateMs }))

const quiet = lateBy(0)

/** The reasons that are about anything but clauses, and their states. */
const reasonsOf = (audit: Audit) => {
  const { reasons } = judgeClient(audit).grade
  return Object.fromEntries(reasons.map(({ finding, state }) => [finding.code, state]))
}
const reasonsOn = (cases: readonly SimulatedCase[], policy: Policy, beats = quiet) =>
  reasonsOf({ ...simulatedAudit(cases, policy), beats })

const doubling: Policy = ({ attempt }) => (attempt > 4 ? undefined : 500 * 2 ** attempt)

describe('one attempt that comes at once', () => {
  const absent: SimulatedCase = { id: 'absent', plays: 10 }
  const secondAfter =
    (ms: number): Policy =>
    (seen) =>
      seen.attempt === 1 ? ms : doubling(seen)

  it('stands against a client that does one thing at a time', () => {
    expect(reasonsOn([absent], secondAfter(50))).toMatchObject({ 'immediate-attempt': 'stands' })
    expect(reasonsOn([absent], secondAfter(130))).not.toHaveProperty('immediate-attempt-or-late')
  })

  it('is open where the machine may have made a wait of it', () => {
    expect(reasonsOn([absent], secondAfter(130), lateBy(60))).toMatchObject({ 'immediate-attempt-or-late': 'open' })
  })

  it('is open where another worker, unasked, may have sent it', () => {
    const reasons = reasonsOn([{ ...absent, workers: 3 }], secondAfter(50))
    expect(reasons).toMatchObject({ 'immediate-attempt-or-late': 'open' })
    expect(reasons).not.toHaveProperty('immediate-attempt')
  })

  it('is open where only other plays show that there are such workers', () => {
    const elsewhere: SimulatedCase = { id: 'seconds', retryAfter: '2', workers: 3 }
    const reasons = reasonsOn([absent, elsewhere], secondAfter(50))
    expect(reasons).toMatchObject({ 'immediate-attempt-or-late': 'open' })
  })
})

it('who hammers by guess, and has several workers elsewhere, is left open', () => {
  const hammering: Policy = ({ attempt }) => (attempt > 6 ? undefined : 20)
  const elsewhere: SimulatedCase = { id: 'seconds', retryAfter: '2', workers: 3 }
  expect(reasonsOn([{ id: 'absent', plays: 10 }], hammering)).toMatchObject({ hammers: 'stands' })
  expect(reasonsOn([{ id: 'absent', plays: 10 }, elsewhere], hammering)).toMatchObject({ 'hammers-or-late': 'open' })
})

describe('Retry-After: 0, taken as now twelve times', () => {
  const zero: SimulatedCase = { id: 'zero', retryAfter: '0', watchMs: 10_000 }
  const every =
    (ms: number): Policy =>
    ({ attempt }) =>
      attempt < 12 ? ms : undefined

  it.each([
    ['stands', 1, 1, 0, { 'zero-taken-as-now': 'stands' }],
    ['is open where the machine was late', 180, 1, 120, { 'zero-taken-as-now-or-late': 'open' }],
    ['is open where several workers came', 1, 3, 0, { 'zero-taken-as-now-or-late': 'open' }],
    ['is nothing where it waited', 180, 1, 0, {}],
  ] as const)('%s', (_name, waitMs, workers, lateMs, expected) => {
    const reasons = reasonsOn([{ ...zero, workers }], every(waitMs), lateBy(lateMs))
    expect(Object.fromEntries(Object.entries(reasons).filter(([code]) => code.startsWith('zero')))).toEqual(expected)
  })
})

describe('who tries again on seconds only', () => {
  const onSeconds: Policy = ({ retryAfter, attempt }) =>
    retryAfter === '2' && attempt < 3 ? 2_005 : retryAfter === '61' && attempt < 2 ? 61_005 : undefined
  const audit = simulatedAudit(decisiveCases, onSeconds)
  /** Its plays elsewhere were cut off, so long after their last answer. */
  const watchedFor = (ms: number): Audit => ({
    ...audit,
    plays: audit.plays.map((each) =>
      /^(date|absent)/.test(each.case) ? { ...each, end: 'watch' as const, endedAt: each.startedAt + ms } : each,
    ),
  })

  it.each([
    ['stands, where it ended', audit, { 'only-seconds': 'stands' }],
    ['stands, where it was watched for long', watchedFor(20_000), { 'only-seconds': 'stands' }],
    ['is open, where it was cut off', watchedFor(5_000), { 'only-seconds-or-cut-off': 'open' }],
  ] as const)('%s', (_name, played, expected) => {
    expect(reasonsOf(played)).toMatchObject(expected)
  })
})

describe('a wait of more than a day', () => {
  const huge: SimulatedCase = { id: 'huge', retryAfter: '3000000' }
  const tries = { id: 'seconds', retryAfter: '2' }
  const policy =
    (onHugeMs: number | undefined): Policy =>
    ({ retryAfter, attempt }) =>
      attempt > 1 ? undefined : retryAfter === '2' ? 2_005 : onHugeMs

  it('is not come back on by workers that were under way, however few of them were at one time', () => {
    const audit = simulatedAudit([tries, { ...huge, workers: 10 }], policy(undefined))
    const arrivals = audit.arrivals.map((each) => ({ ...each, acceptedAt: 900, openedAfter: 890 }))
    const reasons = reasonsOf({ ...audit, arrivals })
    expect(Object.keys(reasons).filter((code) => code.startsWith('comes-back'))).toEqual([])
  })

  it('stands where its client came back on the same connection', () => {
    expect(reasonsOn([tries, huge], policy(900))).toMatchObject({ 'comes-back-on-huge': 'stands' })
  })

  it('is open where another connection came while the machine stalled', () => {
    const audit = simulatedAudit([tries, huge], policy(150))
    const second = audit.arrivals.find(({ id }) => id === 'huge#1.2')
    const arrivals = audit.arrivals
      .filter(({ id }) => id !== 'huge#1.3')
      .map((each) => (each === second ? { ...each, connection: 2, starved: null } : each))
    const stalled = { ...audit, arrivals, beats: lateBy(120) }
    expect(reasonsOf(stalled)).toMatchObject({ 'comes-back-on-huge-or-under-way': 'open' })
  })
})

describe('a date in an obsolete form', () => {
  const dates: SimulatedCase = { id: 'date', retryAfter: () => 'Thursday, 01-Jan-26 00:00:10 GMT' }

  it('costs the A only perhaps, where nobody saw whether it is kept', () => {
    const tries = { id: 'seconds', retryAfter: '2' }
    const policy: Policy = ({ retryAfter, attempt }) =>
      attempt > 1 ? undefined : retryAfter === '2' ? 2_005 : undefined
    const audit = simulatedAudit([tries, { ...dates, watchMs: 900 }], policy)
    const plays = audit.plays.map((each) =>
      each.case === 'date' ? { ...each, end: 'watch' as const, endedAt: each.startedAt + 900 } : each,
    )
    expect(reasonsOf({ ...audit, plays })).toMatchObject({ 'obsolete-dates-not-told': 'open' })
  })
})
