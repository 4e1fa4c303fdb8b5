import { describe, expect, it } from 'vitest'
import { madeEvidence, madeKey } from '../../evidence/testing/made-evidence.js'
import { madeLedger } from '../../evidence/testing/made-ledger.js'
import { findProbe } from '../registry.js'
import type { ScheduledProbe } from './budget.js'
import { againAtMost, daysLast, playedAgain } from './play-again.js'

/** A burst of 90 on a limit of 60: as many as `admitted` are, the others are refused. */
const burst = (admitted: number, count = 90) =>
  madeLedger(
    Array.from({ length: count }, (_, i) => ({
      sentMs: 1_000 + i,
      status: i < admitted ? 200 : 429,
      retryAfter: i < admitted ? undefined : 59,
    })),
  )

const spelt = (spelling: string, status: number) => ({
  probe: 'burst',
  step: 'spelling',
  sentAt: 2_000,
  status,
  intent: { spelling },
  headers: { 'Retry-After': '58' },
})

const scheduled = (id: string): ScheduledProbe => {
  const probe = findProbe(id)
  if (!probe) throw new Error(`no probe ${id}`)
  return { probe, settings: probe.settings.parse({}) }
}

const namesOf = (each: readonly ScheduledProbe[]) => each.map(({ probe }) => probe.id)

describe('what is played again', () => {
  it('asks with the spellings that were not refused yet, and for what else the same probe serves', () => {
    const seen = madeEvidence([spelt('X-Real-IP', 429), spelt('Forwarded', 200)], {
      run: { skip: ['QUOTA-1', 'QUOTA-2'] },
      ledgers: [burst(60)],
    })
    expect(playedAgain(seen)).toEqual([
      expect.objectContaining({ settings: { spellings: ['Forwarded'], writes: true, moments: ['wait', 'reset'] } }),
    ])
    expect(namesOf(playedAgain(seen))).toEqual(['while-refused'])
  })

  it('is a smaller burst and the ends of two windows, on the plans whose limit was not reached', () => {
    const seen = madeEvidence([], {
      run: { keys: [madeKey('free')], only: ['QUOTA-1', 'QUOTA-2'] },
      ledgers: [burst(50, 50)],
    })
    const again = playedAgain(seen)
    expect(namesOf(again).toSorted()).toEqual(['burst', 'split'])
    for (const { settings } of again) expect(settings).toMatchObject({ plans: ['free'] })
  })

  it('is both, on the plans on which another limit and window could hide', () => {
    const seen = madeEvidence([], {
      run: { keys: [madeKey('free'), madeKey('pro')], only: ['QUOTA-1', 'QUOTA-2'] },
      ledgers: [burst(60)],
    })
    const again = playedAgain(seen)
    expect(namesOf(again).toSorted()).toEqual(['burst', 'split'])
    for (const { settings } of again) expect(settings).toMatchObject({ plans: ['free'] })
  })

  it('is nothing where the user left the check out', () => {
    const seen = madeEvidence([], { run: { skip: ['quota', 'rate', 'throttle', 'INV'] }, ledgers: [burst(50, 50)] })
    expect(playedAgain(seen)).toEqual([])
  })

  it('is nothing where the scenario never asked', () => {
    expect(playedAgain(madeEvidence([{ probe: 'hello' }]))).toEqual([])
  })
})

describe('the rest of a day', () => {
  const asked = [scheduled('daily'), scheduled('burst')]

  it('waits for what else is played again, and is spent behind it at the latest', () => {
    expect(namesOf(daysLast(asked, false))).toEqual(['burst'])
    expect(namesOf(daysLast(asked.slice(0, 1), false))).toEqual(['daily'])
    expect(namesOf(daysLast(asked, true))).toEqual(['burst', 'daily'])
  })
})

describe('the plan', () => {
  const nothingLeftOut = { only: [], skip: [] }
  const keysOf = (...limits: readonly number[]) => limits.map((limit) => ({ quota: { limit } }))

  it('counts twice what may be played again', () => {
    const again = namesOf(againAtMost([scheduled('burst'), scheduled('isolation')], nothingLeftOut, keysOf(60)))
    expect(again.toSorted()).toEqual([
      ...['burst', 'burst', 'daily', 'daily', 'header-row', 'header-row', 'isolation', 'isolation'],
      ...['split', 'split', 'while-refused', 'while-refused'],
    ])
  })

  it('counts more loads where three would show too few counts that are lost', () => {
    const ofLimits = (...limits: readonly number[]) =>
      namesOf(againAtMost([scheduled('burst')], nothingLeftOut, keysOf(...limits))).filter((name) => name === 'burst')
    expect(ofLimits(20, 300)).toHaveLength(2)
    expect(ofLimits(10)).toHaveLength(4)
    expect(ofLimits(5, 60)).toHaveLength(8)
    expect(ofLimits(1)).toHaveLength(8)
  })

  it('counts no load where none is played: a window of a day is not spent', () => {
    const again = againAtMost([scheduled('hello'), scheduled('header-row')], nothingLeftOut, keysOf(300))
    expect(namesOf(again)).toEqual(['header-row', 'header-row'])
  })

  it('counts nothing for a scenario without loads', () => {
    expect(namesOf(againAtMost([scheduled('hello'), scheduled('no-key')], nothingLeftOut, keysOf(60)))).toEqual([])
  })
})
