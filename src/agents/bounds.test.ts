import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Schedule } from '../wire/load/schedule.js'
import { createRateGuard, mostInASecond } from './allowance.js'
import { openSlotJournal } from './slot-journal.js'

describe('the most that a load sends in a second', () => {
  it.each<[string, Schedule | null, number, number]>([
    ['all of it, where nothing holds it back', null, 90, 90],
    ['its rate', { kind: 'constant', perSecond: 20 }, 90, 20],
    ['less than its rate, where it is soon over', { kind: 'constant', perSecond: 20 }, 7, 7],
    ['its largest burst', { kind: 'batches', each: [{ atMs: 0, amount: 3 }, { atMs: 2_000, amount: 5 }] }, 8, 5], // biome-ignore format: one row
    ['two bursts that are close', { kind: 'batches', each: [{ atMs: 0, amount: 3 }, { atMs: 999, amount: 5 }] }, 8, 8], // biome-ignore format: one row
  ])('is %s', (_, schedule, amount, most) => {
    expect(mostInASecond({ schedule, amount })).toBe(most)
  })
})

it('the guard of a rate tells when a second has as many as it may', () => {
  const guard = createRateGuard(3)
  expect([0, 100, 200].map(guard)).toEqual([false, false, true])
  expect([1_000, 1_100, 1_200].map(guard)).toEqual([true, true, true])
  expect([2_300, 2_500].map(guard)).toEqual([false, false])
})

describe('the marks of slots', () => {
  it('stay on disk, so that a share is begun once, whoever has it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'quotaspec-slots-'))
    try {
      const marks = openSlotJournal(folder).begin('s-1')
      if ('marked' in marks) throw new Error('nobody has begun it')
      marks.mark()
      marks.mark()
      // Another process of that name, while the first one is still at it.
      expect(openSlotJournal(folder).begin('s-1')).toEqual({ marked: 2 })
      marks.close()
      openSlotJournal(folder).forget('s-1')
      expect('marked' in openSlotJournal(folder).begin('s-1')).toBe(false)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
