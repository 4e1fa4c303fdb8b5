import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Evidence } from '../../evidence/evidence.js'
import { evidenceOfOneMoment } from './evidence-of-one-moment.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quotaspec-moment-'))
  mkdirSync(join(folder, 'ledgers'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Reads so many times while a load ends; gives how often it was read. */
const readWhile = (loads: number): number => {
  let times = 0
  evidenceOfOneMoment(folder, () => {
    times += 1
    if (times <= loads) writeFileSync(join(folder, 'ledgers', `burst-${times}.ledger`), '')
    return {} as Evidence
  })
  return times
}

it.each([
  [0, 1],
  [1, 2],
  [3, 4],
])('what is read while %d loads end is read %d times', (loads, expected) => {
  expect(readWhile(loads)).toBe(expected)
})

it('is not taken where a load ends each time', () => {
  expect(() => readWhile(100)).toThrow('changes faster')
})
