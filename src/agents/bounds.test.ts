import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRateGuard } from './agent.js'
import { openSlotJournal } from './agent-setup.js'

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
