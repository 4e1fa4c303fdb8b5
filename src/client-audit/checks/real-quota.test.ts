import { describe, expect, it } from 'vitest'
import type { Arrival, Audit } from '../../evidence/arrivals.js'
import { clientEvidence } from '../waits/story.js'
import { simulatedAudit } from '../waits/testing/simulated-audit.js'
import { banSetOff, quotaUse } from './quota-reasons.js'

const windowMs = 4_000

interface Sent {
  readonly at: number
  readonly left: number
  readonly window: number
  readonly status?: number
  readonly known?: Partial<Arrival>
}

const windowOf = (window: number, from: number, count: number, gapMs: number, left = 20): readonly Sent[] =>
  Array.from({ length: count }, (_, at) => ({ at: from + at * gapMs, left: Math.max(0, left - at - 1), window }))

/** An audit of one play: a real quota of 20 per 4 s, 30 requests asked for. */
const auditOf = (sent: readonly Sent[], lateMs = 0, workers = 1): Audit => {
  const audit = simulatedAudit([{ id: 'quota' }], () => undefined)
  const [like] = audit.arrivals
  const arrivals = sent.map(
    ({ at, left, window, status = 200, known }, index): Arrival => ({
      ...like,
      id: `a${index}`,
      at,
      notBefore: at,
      answeredAt: at + 1,
      status,
      remaining: String(left),
      reset: String(window),
      retryAfter: status === 429 ? '2' : null,
      ...known,
    }),
  )
  const quota = { requests: 20, windowMs, shared: false }
  const asked = { requests: 30, workers, operation: 'listInventory' }
  const plays = audit.plays.map((play) => ({ ...play, quota, asked, end: 'exit' as const }))
  const beats = Array.from({ length: 60 }, (_, at) => ({ type: 'beat' as const, at: at * 200, lateMs }))
  return { ...audit, arrivals, plays, beats }
}

const useOf = (...args: Parameters<typeof auditOf>) => quotaUse(clientEvidence(auditOf(...args)))

describe('a client with a real quota of its own', () => {
  const full = windowOf(1, 0, 20, 20)
  const rest = windowOf(2, 4_100, 10, 20)
  const refused = (at: number, window: number): Sent => ({ at, left: 0, window, status: 429 })

  it('keeps clear of its limit where it used a window up, and waited', () => {
    expect(useOf([...full, ...rest], 200).kind).toBe('kept-clear')
  })

  it('that was refused in the first window has sent too much in it, whatever the machine did', () => {
    expect(useOf([...full, refused(410, 1), ...rest], 200)).toMatchObject({ kind: 'refused', certain: true })
  })

  it.each([
    ['may have been the machine, where that stalled', 200, false],
    ['was the client, where that did not', 0, true],
  ] as const)('that was refused in a later window: it %s', (_name, lateMs, certain) => {
    const sent = [...windowOf(1, 0, 10, 300), ...windowOf(2, 4_100, 20, 20), refused(4_600, 2)]
    expect(useOf(sent, lateMs)).toMatchObject({ kind: 'refused', certain })
  })

  it('that never used a window up shows nothing on a slow machine', () => {
    const slow = [...windowOf(1, 0, 15, 260), ...windowOf(2, 4_100, 15, 260)]
    expect(useOf(slow, 100)).toMatchObject({ kind: 'not-pressed', left: 5 })
    expect(useOf(slow, 5).kind).toBe('kept-clear')
    expect(useOf(slow, 100, 8).kind).toBe('kept-clear')
  })
})

describe('a ban', () => {
  const banned = { banned: true }
  const refusals = (gapMs: number, known: Partial<Arrival> = {}): readonly Sent[] =>
    Array.from({ length: 5 }, (_, at) => ({ at: at * gapMs, left: 0, window: 1, status: 429, known }))
  const certainOf = (...sent: readonly Sent[]) => banSetOff(clientEvidence(auditOf(sent)))?.certain

  it('that was set off by who went on stands', () => {
    expect(certainOf(...refusals(300), { at: 1_800, left: 0, window: 1, status: 429, known: banned })).toBe(true)
  })

  it('that was set off by what was under way with the first refusal is open', () => {
    const others = { acceptedAt: -50, openedAfter: -55, connection: 2 }
    const last = { at: 60, left: 0, window: 1, status: 429, known: { ...others, ...banned } }
    expect(certainOf(...refusals(10, others).map((each, at) => (at === 0 ? { ...each, known: {} } : each)), last)).toBe(
      false,
    )
  })

  it('is none where nobody was banned', () => {
    expect(certainOf(...refusals(300))).toBeUndefined()
  })
})
