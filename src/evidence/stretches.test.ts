import { describe, expect, it } from 'vitest'
import { outageMsOf, settledEvents, stretchesOf } from './stretches.js'
import { madeEvidence } from './testing/made-evidence.js'
import { type MadeRow, madeLedger } from './testing/made-ledger.js'

const event = (at: number, endedAt: number) =>
  ({ type: 'event', name: 'restart', ledger: 'burst-free', sent: 2, at, endedAt }) as const

const run = (rows: readonly MadeRow[], ...events: ReturnType<typeof event>[]) =>
  madeEvidence([{ sentAt: 0, tookMs: 2 }], { ledgers: [madeLedger(rows)], events })

const shown = (evidence: ReturnType<typeof run>) =>
  stretchesOf(evidence).map(({ exchanges, ledgers }) => [
    exchanges.length,
    ledgers.map(({ rows, firstRow }) => [firstRow, [...rows.status]]),
  ])

describe('the stretches of a run', () => {
  it('are the run itself where nothing happened', () => {
    const evidence = run([{ sentMs: 10 }])
    expect(stretchesOf(evidence)).toEqual([evidence])
  })

  it('part it at an event: what left before it, and what was under way meanwhile as of unknown outcome in both', () => {
    const evidence = run(
      [{ sentMs: 10 }, { sentMs: 99 }, { sentMs: 150, status: null }, { sentMs: 160, status: 503 }, { sentMs: 210 }],
      event(100, 200),
    )
    expect(shown(evidence)).toEqual([
      [1, [[0, [200, 0]]]],
      [0, [[2, [0, 0, 200]]]],
    ])
  })

  it('go on where the first answer comes to what left after the end of the command', () => {
    const evidence = run(
      [{ sentMs: 10 }, { sentMs: 210, status: 503 }, { sentMs: 240 }, { sentMs: 250 }],
      event(100, 200),
    )
    expect(settledEvents(evidence)[0].overAt).toBe(240)
    expect(shown(evidence)[1]).toEqual([0, [[1, [0, 200, 200]]]])
  })

  it('are three where two things happened', () => {
    const rows = [10, 110, 210].map((sentMs) => ({ sentMs }))
    expect(shown(run(rows, event(100, 105), event(200, 205))).map(([, ledgers]) => ledgers)).toEqual([
      [[0, [200]]],
      [[1, [200]]],
      [[2, [200]]],
    ])
  })
})

describe('an outage', () => {
  const outage = (rows: readonly MadeRow[]) => {
    const evidence = run(rows, event(100, 200))
    return outageMsOf(evidence, settledEvents(evidence)[0])
  }

  it('lasts from the first failure to the first good answer', () => {
    expect(
      outage([
        { sentMs: 120, status: null },
        { sentMs: 130, status: 502 },
        { sentMs: 300, tookMs: 5 },
      ]),
    ).toBe(185)
  })

  it('is none where all was answered', () => {
    expect(outage([{ sentMs: 120 }, { sentMs: 300 }])).toBeNull()
    expect(outage([{ sentMs: 120, plannedMs: 105 }, { sentMs: 300 }])).toBeNull()
  })

  it('ends with the answer of what it held up, and not with the command', () => {
    const held = { sentMs: 230, plannedMs: 110, tookMs: 5 }
    expect(outage([held, { sentMs: 900, tookMs: 5 }])).toBe(125)
  })

  it('is found among more rows than a call takes arguments', () => {
    const after = Array.from({ length: 200_000 }, (_, i) => ({ sentMs: 300 + i }))
    expect(outage([{ sentMs: 120, status: null }, ...after])).toBe(182)
  })
})
