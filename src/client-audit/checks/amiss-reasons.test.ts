import { describe, expect, it } from 'vitest'
import type { Audit } from '../../evidence/arrivals.js'
import { simulatedAudit } from '../waits/testing/simulated-audit.js'
import { amissSentences } from './grade.js'
import { judgeClient } from './judge-client.js'

/** A client that keeps seconds; a case of a PATCH, on which its requests come so long after a refusal that says 2. */
const audit = (method: string, patchMs = 2_010): Audit => {
  const whole = simulatedAudit(
    [
      { id: 'seconds', retryAfter: '2' },
      { id: 'patch', retryAfter: '2' },
    ].map((each) => ({ ...each, watchMs: 9_000 })),
    ({ attempt }) => (attempt < 3 ? 2_010 : undefined),
  )
  const firstAt = whole.arrivals.find(({ play }) => play === 'patch#1')?.at ?? 0
  return {
    ...whole,
    plays: whole.plays.map((play) =>
      play.case === 'patch' ? { ...play, asked: { ...play.asked, operation: 'updateInventory' } } : play,
    ),
    arrivals: whole.arrivals.map((each) => {
      if (each.play !== 'patch#1') return each
      const shiftMs = ((each.at - firstAt) / 2_011) * (patchMs - 2_010)
      return { ...each, method, at: each.at + shiftMs, answeredAt: (each.answeredAt ?? 0) + shiftMs }
    }),
  }
}

const told = (of: Audit) => {
  const { grade, clauses, checks } = judgeClient(of)
  const reason = grade.reasons.find(({ finding }) => finding.code === 'other-operation')
  return {
    reason:
      reason && `${reason.atBest} ${reason.state}: ${amissSentences['other-operation'](reason.finding.facts as never)}`,
    verdict: clauses[0].verdict,
    examined: checks[0].finding.facts.examined,
  }
}

describe('a case of a PATCH', () => {
  it('counts where it was played', () => {
    expect(told(audit('PATCH'))).toEqual({ reason: undefined, verdict: 'pass', examined: 6 })
  })

  it('is not tested on GETs: it costs the A, and no wait of it counts', () => {
    const reason = 'B stands: asked for PATCH, got GET: not tested (patch)'
    expect(told(audit('GET'))).toEqual({ reason, verdict: 'pass', examined: 3 })
  })

  it('fails on GETs too where they come early', () => {
    expect(told(audit('GET', 900)).verdict).toBe('fail')
  })

  it('shows nothing alone, where it was not played', () => {
    const whole = audit('GET')
    const only = (id: string) => id === 'patch' || id === 'patch#1'
    const alone = {
      ...whole,
      plays: whole.plays.filter((play) => only(play.id)),
      arrivals: whole.arrivals.filter(({ play }) => only(play)),
    }
    expect(judgeClient(alone).clauses[0].verdict).toBe('not-tested')
  })
})

it('cases of which the same is to be said are told together', () => {
  const whole = simulatedAudit([{ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' }], ({ attempt }) =>
    attempt < 2 ? 500 : undefined,
  )
  const workers: Readonly<Record<string, number>> = { a: 20, b: 20, c: 4, d: 1 }
  const plays = whole.plays.map((play) => {
    const asked = { ...play.asked, requests: workers[play.case] ?? 1, workers: workers[play.case] ?? 1 }
    return { ...play, asked }
  })
  const { reasons } = judgeClient({ ...whole, plays }).grade
  const reason = reasons.find(({ finding }) => finding.code === 'one-worker')
  expect(amissSentences['one-worker'](reason?.finding.facts as never)).toBe(
    'asked for 20 workers, got one: not tested (a, b); asked for 4 workers, got one: not tested (c)',
  )
})
