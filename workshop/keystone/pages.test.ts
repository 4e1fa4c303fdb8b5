import { describe, expect, it } from 'vitest'
import type { KeystoneRow } from '../../src/cli/keystone/keystone.js'
import { matrixOf, renderContractMatrix, renderKillMatrix, renewContractMatrix, renewKillMatrix } from './pages.js'

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

const contractRow = (id: string, part: Partial<KeystoneRow> = {}): KeystoneRow => ({
  kind: 'fault',
  id,
  scenario: 'release-gate',
  expected: ['QUOTA-1'],
  failing: ['QUOTA-1'],
  open: [],
  killers: ['quota.not-over-admitted:core'],
  diagnosed: [],
  exact: true,
  seconds: 1,
  ...part,
})
const quiet = contractRow('quiet', { kind: 'variation', failing: [], killers: [] })

const first = renderContractMatrix('', 'one', [contractRow('limit-plus-one'), quiet])
const both = renderContractMatrix(first, 'two', [contractRow('window-halved')])

describe('the kill matrices of contracts', () => {
  it('are one page, with a table for each', () => {
    expect(both.match(/^#+ .*/gm)).toEqual([
      '# The kill matrices of contracts',
      '## one',
      '### Conforming variations (1), on which nothing fails',
      '## two',
      '### Conforming variations (0), on which nothing fails',
    ])
    expect(matrixOf(both, 'one')).toContain('| `limit-plus-one` | QUOTA-1 | — | quota.not-over-admitted:core |')
    expect(matrixOf(both, 'three')).toBe('')
  })

  it('stay as they are where one is played again and comes out the same', () => {
    expect(renderContractMatrix(both, 'one', [contractRow('limit-plus-one'), quiet])).toBe(both)
    expect(renewContractMatrix(both, 'one', [contractRow('limit-plus-one')], ['limit-plus-one', 'quiet'])).toBe(both)
  })

  it('say what a variation leaves open, and name none that is accused', () => {
    const late = contractRow('late', { kind: 'variation', failing: [], open: ['RATE-6'], exact: false })
    const accused = contractRow('accused', { kind: 'variation', exact: false })
    const section = matrixOf(renderContractMatrix('', 'one', [quiet, late, accused]), 'one')
    expect(section).toContain('(2), on which nothing fails\n\n`quiet`, `late` (RATE-6 left open)\n')
    const renewed = renewContractMatrix(section, 'one', [quiet], ['quiet', 'late'])
    expect(matrixOf(renewed, 'one')).toContain('`quiet`, `late` (RATE-6 left open)\n')
  })

  it('have a few rows of one contract renewed, and those of the others kept', () => {
    const renewed = renewContractMatrix(both, 'two', [contractRow('counts-lost')], ['counts-lost', 'window-halved'])
    expect(matrixOf(renewed, 'one')).toBe(matrixOf(both, 'one'))
    expect(matrixOf(renewed, 'two').match(/^\| `.*?`/gm)).toEqual(['| `counts-lost`', '| `window-halved`'])
  })
})
