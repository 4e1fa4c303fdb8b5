import { describe, expect, it } from 'vitest'
import { storeFaults } from '../../reference-server/faults/quota-stores.js'
import { quotaFaults } from '../../reference-server/faults/quotas.js'
import { expectedDiagnoses, isDiagnosed } from './expected-diagnosis.js'

const nodes = (count: number, where = 'free minute') => ({
  where,
  looksLike: 'nodes-count-alone' as const,
  facts: { nodes: count, limit: count * 60 },
})
const oneMore = { where: 'free minute', looksLike: 'limit-higher-by-one' as const, facts: { limit: 61 } }

describe('what a fault has to be taken for', () => {
  it('is said of every fault of the quotas, and of no other', () => {
    expect(Object.keys(expectedDiagnoses).sort()).toEqual([...quotaFaults, ...storeFaults].map(({ id }) => id).sort())
  })

  it.each([
    ['is it, with the facts that count', 'nodes-count-alone', [nodes(4), nodes(4, 'pro minute')], true],
    ['has other facts', 'nodes-count-alone', [nodes(3)], false],
    ['differs on one plan', 'nodes-count-alone', [nodes(4), oneMore], false],
    ['fits nothing known', 'limit-plus-one', [{ ...oneMore, looksLike: null }], false],
    ['was never made', 'limit-plus-one', [], false],
    ['is that of a fault that breaks no quota', 'reset-as-delta', [oneMore], false],
    ['is rightly none', 'reset-as-delta', [], true],
  ])('a diagnosis that %s', (_, fault, diagnosed, holds) => {
    expect(isDiagnosed(fault, diagnosed)).toBe(holds)
  })
})
