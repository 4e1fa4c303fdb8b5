import { describe, expect, it } from 'vitest'
import type { LedgerHead } from '../evidence/ledger.js'
import { type EvidencePart, madeEvidence, madeKey } from '../evidence/testing/made-evidence.js'
import { type MadeRow, madeLedger } from '../evidence/testing/made-ledger.js'
import { judgedKeys } from './judged-keys.js'

/** A burst of 150 on a limit of 60: so many are admitted, the others refused. */
const burst = (admitted: number): MadeRow[] =>
  Array.from({ length: 150 }, (_, i) => ({
    sentMs: 1_000 + i,
    status: i < admitted ? 200 : 429,
    retryAfter: i < admitted ? undefined : 55,
  }))

/** Long silence lies between the key's first use and its burst: nothing from before can count. */
const evidenceOf = (rows: readonly MadeRow[], head: Partial<LedgerHead> = {}, part: EvidencePart = {}) =>
  madeEvidence([{ sentAt: -200_000 }], { ledgers: [madeLedger(rows, head)], ...part })

const judgementOf = (...args: Parameters<typeof evidenceOf>) => judgedKeys(evidenceOf(...args))[0].judgement

describe('the keys of a run, judged', () => {
  it('are all there, those without a load without a judgement', () => {
    const keys = judgedKeys(evidenceOf(burst(60), {}, { run: { keys: [madeKey('free'), madeKey('pro')] } }))
    expect(keys.map(({ name, judgement }) => [name, judgement?.verdict])).toEqual([
      ['free', 'pass'],
      ['pro', undefined],
    ])
  })

  it('are judged once for each run', () => {
    const evidence = evidenceOf(burst(60))
    expect(judgedKeys(evidence)).toBe(judgedKeys(evidence))
  })

  it.each([
    [60, 'pass', undefined],
    // A boundary in its middle lets twice the limit through.
    [120, 'pass', undefined],
    [121, 'fail', 'over-admission'],
    [40, 'fail', 'early-refusal'],
  ])('with %d of 60 admitted: %s', (admitted, verdict, side) => {
    const { judgement, diagnosis } = judgedKeys(evidenceOf(burst(admitted)))[0]
    expect(judgement).toMatchObject({ verdict, ...(side && { side }) })
    if (verdict === 'pass') expect(diagnosis).toBeNull()
  })

  /** Loads from places, each of which admits so many of 75; all of them at once, and again 2.5 windows later. */
  const fromPlaces = (admitted: readonly number[], again: boolean, targetOf: (place: number) => string) => {
    const ledgers = [1_000, ...(again ? [151_000] : [])].flatMap((fromMs) =>
      admitted.map((most, place) => {
        const rows = Array.from({ length: 75 }, (_, i) => ({
          sentMs: fromMs + i * admitted.length + place,
          status: i < most ? 200 : 429,
          retryAfter: i < most ? undefined : 55,
        }))
        const origin = {
          agent: `eu-${place}`,
          group: 'eu',
          target: targetOf(place),
          clockErrorMs: 0.2,
          isClockKept: true,
        }
        return madeLedger(rows, { id: `spread-${fromMs}-${place}`, probe: 'spread', origin })
      }),
    )
    return judgedKeys(madeEvidence([{ sentAt: -200_000 }], { ledgers }))[0]
  }
  const ownAddress = (place: number) => `http://${place}.example/v1`

  it('have what two windows that meet let through explained, where it came once', () => {
    expect(fromPlaces([60, 60], false, ownAddress).judgement?.verdict).toBe('pass')
  })

  it.each([
    ['two addresses', [60, 60], ownAddress, 2],
    ['three addresses', [60, 60, 60], ownAddress, 3],
    ['two agents at one address', [60, 60], () => 'http://one.example/v1', 2],
  ] as const)(
    'look like so many nodes as there are places that each count alone: %s',
    (_, admitted, targetOf, nodes) => {
      const { judgement, diagnosis } = fromPlaces(admitted, true, targetOf)
      expect(judgement).toMatchObject({ verdict: 'fail', side: 'over-admission' })
      expect(diagnosis).toMatchObject({ id: 'nodes-count-alone', facts: { nodes, limit: nodes * 60 } })
    },
  )

  it('of two places that share one count are right', () => {
    expect(fromPlaces([30, 30], true, ownAddress).judgement?.verdict).toBe('pass')
  })

  it('are not said to be of nodes, where both places together are a few too many', () => {
    const { judgement, diagnosis } = fromPlaces([35, 35], true, ownAddress)
    expect(judgement?.verdict).toBe('fail')
    expect(diagnosis?.id).not.toBe('nodes-count-alone')
  })

  it('measure windows at the time scale of the run', () => {
    const [key] = judgedKeys(evidenceOf(burst(60), {}, { run: { timeScale: 10 } }))
    expect(key.window).toMatchObject({ windowMs: 6_000, longer: { windowMs: 8_640_000 } })
  })

  it('are in doubt where too much of a load was lost, a generator was late, or a load ended early', () => {
    const lost = burst(60).map((row, i) =>
      i > 145 ? { sentMs: row.sentMs, status: null, flags: ['lost'] as const } : row,
    )
    expect(judgementOf(lost)).toMatchObject({ verdict: 'inconclusive', reason: 'answers-lost' })
    const few = burst(60).map((row, i) =>
      i > 148 ? { sentMs: row.sentMs, status: null, flags: ['lost'] as const } : row,
    )
    expect(judgementOf(few)).toMatchObject({ verdict: 'pass' })
    const later = burst(60).map((row) => ({ ...row, sentMs: row.sentMs + 200_000 }))
    const more = { ledgers: [madeLedger(lost), madeLedger(later)] }
    expect(judgementOf([], {}, more)).toMatchObject({ verdict: 'pass' })
    expect(judgementOf(burst(60), { scheduleErrorMs: { p50: 1, p99: 11, max: 20 } })).toMatchObject({
      reason: 'generator-late',
    })
    expect(judgementOf(burst(60), { scheduleErrorMs: { p50: 1, p99: 10, max: 90 } })).toMatchObject({ verdict: 'pass' })
    expect(judgementOf(burst(60), { problem: 'no connection' })).toMatchObject({ reason: 'load-ended-early' })
  })

  const sentBy = (clockErrorMs: number, isClockKept = true) => ({
    origin: { agent: 'eu-1', group: 'eu', target: 'http://target/v1', clockErrorMs, isClockKept },
  })

  it('are in doubt where the clock of an agent was not known to within 5 ms, or moved', () => {
    expect(judgementOf(burst(60), sentBy(5))).toMatchObject({ verdict: 'pass' })
    expect(judgementOf(burst(60), sentBy(5.1))).toMatchObject({ verdict: 'inconclusive', reason: 'clock-unsure' })
    expect(judgementOf(burst(60), sentBy(0.1, false))).toMatchObject({ reason: 'clock-unsure' })
    expect(judgementOf(burst(121), sentBy(20, false))).toMatchObject({ verdict: 'fail', side: 'over-admission' })
  })

  it('fail only where no moment within the error of an agent’s clock explains what was seen', () => {
    // 121 within a window, less 0.05 s: by a clock that may be off by more, the last one is in a third window.
    const rows = [...burst(120).slice(0, 120), { sentMs: 60_950 }]
    expect(judgementOf(rows)).toMatchObject({ verdict: 'fail' })
    expect(judgementOf(rows, sentBy(200))).toMatchObject({ verdict: 'inconclusive', reason: 'clock-unsure' })
  })

  it('fail in spite of a doubt where too much was admitted', () => {
    expect(judgementOf(burst(121), { problem: 'no connection' })).toMatchObject({
      verdict: 'fail',
      side: 'over-admission',
    })
  })

  it('are not said to be refused early while somebody else spends the key', () => {
    const shared = burst(40).map((row, i) => ({
      ...row,
      sentMs: 1_000 + i * 5,
      limit: 60,
      remaining: Math.max(0, 59 - i - (i > 5 ? 20 : 0)),
    }))
    expect(judgementOf(shared)).toMatchObject({ verdict: 'inconclusive', reason: 'key-not-quiet' })
  })
})
