import { describe, expect, it } from 'vitest'
import { answersOf, evidenceOf, exchangesOf, judgesAlike } from './evidence.js'
import type { Exchange } from './exchange.js'
import type { JournalRecord, RunHead } from './journal.js'

const head = { type: 'run', id: 'r1' } as RunHead

const asked = (id: string, sentAt: number, part: Partial<Exchange> = {}): JournalRecord & { type: 'exchange' } =>
  ({
    type: 'exchange',
    id,
    probe: 'hello',
    step: 'list',
    sentAt,
    endedAt: sentAt + 5,
    asksAgain: null,
    ...part,
  }) as never

const of = (...records: readonly JournalRecord[]) => evidenceOf({ records: [head, ...records], ledgers: [] })
const ids = (exchanges: readonly Exchange[]) => exchanges.map(({ id }) => id)

describe('the evidence of a saved run', () => {
  it('has its exchanges in order of sending, whatever the order of their ends', () => {
    expect(ids(of(asked('x1', 30), asked('x2', 10), asked('x3', 20)).exchanges)).toEqual(['x2', 'x3', 'x1'])
  })

  it('keeps notes and ends of probes apart', () => {
    const note = { type: 'note', at: 1, text: 'n' } as const
    const probe = { type: 'probe', probe: 'hello', key: 'free', at: 2, end: 'completed', reason: '' } as const
    expect(of(note, asked('x1', 1), probe)).toMatchObject({ run: head, notes: [note], probes: [probe] })
  })

  it('ends where the journal says', () => {
    expect(of(asked('x1', 10), { type: 'end', at: 99, interrupted: false })).toMatchObject({
      endedAt: 99,
      interrupted: false,
    })
    expect(of({ type: 'end', at: 99, interrupted: true })).toMatchObject({ interrupted: true })
    // Where it was taken up again and ended once more, the last word counts.
    const ends = [50, 99].map((at) => ({ type: 'end' as const, at, interrupted: at === 50 }))
    expect(of(...ends)).toMatchObject({ endedAt: 99, interrupted: false })
  })

  it('of a run that was gone on with ends as its last part did', () => {
    const ended = (probe: string, end: 'completed' | 'interrupted') =>
      ({ type: 'probe', probe, key: 'free', at: 2, end, reason: '' }) as const
    const first = [ended('hello', 'completed'), ended('daily', 'interrupted')]
    const stop = { type: 'end', at: 50, interrupted: true } as const
    const goesOn = { type: 'resumed', at: 90 } as const
    expect(of(...first, stop).resumed).toBe(false)
    const killed = of(...first, stop, goesOn, asked('x1', 95))
    expect(killed).toMatchObject({ resumed: true, endedAt: 100, interrupted: true, probes: [first[0]] })
    const done = of(...first, stop, goesOn, ended('daily', 'completed'), { ...stop, at: 99, interrupted: false })
    expect(done).toMatchObject({ endedAt: 99, interrupted: false, probes: [first[0], ended('daily', 'completed')] })
    expect(of(...first, goesOn, ended('daily', 'interrupted')).probes).toEqual(first)
  })

  it('of a run that was killed ends with the last answer, and counts as interrupted', () => {
    expect(of(asked('x1', 10), asked('x2', 2))).toMatchObject({ endedAt: 15, interrupted: true })
    expect(of()).toMatchObject({ endedAt: 0, interrupted: true })
  })

  it('knows what was touched and not put back, with the quantity that it had before', () => {
    const touched = (petId: string, quantity: string) => ({ type: 'touched', petId, quantity }) as const
    const restored = (petId: string) => ({ type: 'restored', petId }) as const
    expect(of(touched('1', '5'), touched('2', '6'), restored('1')).unrestored).toEqual([{ petId: '2', quantity: '6' }])
    expect(of(touched('1', '5'), restored('1'), touched('1', '7')).unrestored).toEqual([{ petId: '1', quantity: '7' }])
    expect(of(touched('1', '5'), restored('1')).unrestored).toEqual([])
  })

  it('needs to be told what the run was', () => {
    expect(() => evidenceOf({ records: [], ledgers: [] })).toThrow('does not begin with a run')
  })
})

describe('the exchanges of a probe', () => {
  const evidence = of(
    asked('x1', 1, { step: 'list' }),
    asked('x2', 2, { step: 'list', asksAgain: 'x1' }),
    asked('x3', 3, { step: 'list', asksAgain: 'x2' }),
    asked('x4', 4, { step: 'with-v1' }),
    asked('x5', 5, { probe: 'no-key', step: 'list' }),
  )

  it('are all of it, or of one step', () => {
    expect(ids(exchangesOf(evidence, 'hello'))).toEqual(['x1', 'x2', 'x3', 'x4'])
    expect(ids(exchangesOf(evidence, 'hello', 'list'))).toEqual(['x1', 'x2', 'x3'])
    expect(ids(exchangesOf(evidence, 'burst'))).toEqual([])
  })

  it('give as answers only the last of those that were asked again', () => {
    expect(ids(answersOf(evidence, 'hello'))).toEqual(['x3', 'x4'])
    expect(ids(answersOf(evidence, 'hello', 'list'))).toEqual(['x3'])
  })
})

describe('two moments of a run', () => {
  const probe = { type: 'probe', probe: 'hello', key: 'free', at: 2, end: 'completed', reason: '' } as const
  const event = { type: 'event', name: 'restart', at: 3, endedAt: 4 } as JournalRecord
  const look = { type: 'first-look', at: 1, obstacles: [] } as unknown as JournalRecord

  it('are judged alike if only notes, what was put back and the end came in between', () => {
    const restored = { type: 'restored', petId: '1' } as const
    const more = [{ type: 'note', at: 1, text: 'n' }, restored, { type: 'end', at: 99, interrupted: false }] as const
    expect(judgesAlike(of(asked('x1', 1), probe), of(asked('x1', 1), probe, ...more))).toBe(true)
  })

  it.each([asked('x2', 30), probe, event, look])('are not if this came: %o', (record) => {
    expect(judgesAlike(of(asked('x1', 1)), of(asked('x1', 1), record))).toBe(false)
  })

  it('are not if a load came', () => {
    const load = { rows: { sentUs: [1] } } as never
    expect(judgesAlike(of(asked('x1', 1)), evidenceOf({ records: [head, asked('x1', 1)], ledgers: [load] }))).toBe(
      false,
    )
  })
})
