import { describe, expect, it } from 'vitest'
import type { KeystoneRow } from './keystone.js'
import { renderKillMatrix, renewKillMatrix } from './kill-matrix.js'

const row = (id: string, part: Partial<KeystoneRow> = {}): KeystoneRow => ({
  kind: 'fault',
  id,
  scenario: 'smoke',
  expected: ['ERR-2'],
  failing: ['ERR-2'],
  open: [],
  killers: ['errors.status-agrees'],
  diagnosed: [],
  exact: true,
  seconds: 1,
  ...part,
})
const variation = (id: string, exact = true) => row(id, { kind: 'variation', failing: [], killers: [], exact })

const order = ['first', 'second', 'third', 'quiet', 'loud']
const page = renderKillMatrix([row('first'), row('third'), variation('quiet'), variation('loud')])

describe('a kill matrix of which a few rows are renewed', () => {
  it('is the same page where they came out as before', () => {
    expect(renewKillMatrix(page, [row('third'), variation('loud')], order)).toBe(page)
  })

  it('has a new row at its place, and another one changed', () => {
    const renewed = renewKillMatrix(page, [row('second'), row('third', { killers: ['errors.error-body'] })], order)
    expect(renewed).toContain('| fault (3) |')
    expect(renewed.indexOf('`second`')).toBeLessThan(renewed.indexOf('`third`'))
    expect(renewed).toContain('| `third` | ERR-2 | — | errors.error-body |')
  })

  it('names a variation no longer that was left open, and no row of a fault that is gone', () => {
    const renewed = renewKillMatrix(page, [variation('loud', false)], ['first', 'quiet', 'loud'])
    expect(renewed).not.toContain('`loud`')
    expect(renewed).not.toContain('`third`')
  })
})
