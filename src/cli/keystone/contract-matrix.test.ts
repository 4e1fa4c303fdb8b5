import { describe, expect, it } from 'vitest'
import { matrixOf, renderContractMatrix, renewContractMatrix } from './contract-matrix.js'
import type { KeystoneRow } from './keystone.js'

const row = (id: string, part: Partial<KeystoneRow> = {}): KeystoneRow => ({
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
const quiet = row('quiet', { kind: 'variation', failing: [], killers: [] })

const first = renderContractMatrix('', 'one', [row('limit-plus-one'), quiet])
const both = renderContractMatrix(first, 'two', [row('window-halved')])

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
    expect(renderContractMatrix(both, 'one', [row('limit-plus-one'), quiet])).toBe(both)
    expect(renewContractMatrix(both, 'one', [row('limit-plus-one')], ['limit-plus-one', 'quiet'])).toBe(both)
  })

  it('say what a variation leaves open, and name none that is accused', () => {
    const late = row('late', { kind: 'variation', failing: [], open: ['RATE-6'], exact: false })
    const accused = row('accused', { kind: 'variation', exact: false })
    const section = matrixOf(renderContractMatrix('', 'one', [quiet, late, accused]), 'one')
    expect(section).toContain('(2), on which nothing fails\n\n`quiet`, `late` (RATE-6 left open)\n')
    const renewed = renewContractMatrix(section, 'one', [quiet], ['quiet', 'late'])
    expect(matrixOf(renewed, 'one')).toContain('`quiet`, `late` (RATE-6 left open)\n')
  })

  it('have a few rows of one contract renewed, and those of the others kept', () => {
    const renewed = renewContractMatrix(both, 'two', [row('counts-lost')], ['counts-lost', 'window-halved'])
    expect(matrixOf(renewed, 'one')).toBe(matrixOf(both, 'one'))
    expect(matrixOf(renewed, 'two').match(/^\| `.*?`/gm)).toEqual(['| `counts-lost`', '| `window-halved`'])
  })
})
