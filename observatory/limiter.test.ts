import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { loadContract } from '../src/contract/file/load-contract.js'
import { columnIds, promisesOf, readLimiter, readLimiters } from './limiter.js'

const folder = fileURLToPath(new URL('limiters', import.meta.url))

describe('limiters of the observatory', () => {
  const limiters = readLimiters(folder)

  it.each(limiters.map(({ id }) => id))('%s has a contract that can be read, of a quota called window', async (id) => {
    const { contract } = await loadContract(join(folder, id, 'contract.yaml'))
    expect(contract.quotas.map((quota) => quota.id)).toEqual(['window'])
  })

  it.each(limiters.map((limiter) => [limiter.id, limiter] as const))(
    '%s promises each column by its docs',
    (_, limiter) => {
      const promised = columnIds.filter((column) => promisesOf(limiter, column).length > 0)
      expect(promised).not.toEqual([])
      for (const { source } of limiter.promises) expect(source).not.toBe('')
    },
  )

  it.each(limiters)('$id has an adapter of at most 40 lines', ({ start, folder: own }) => {
    const file = start.find((each) => /^adapter\.\w+$/.test(each))
    const lines = file === undefined ? [] : readFileSync(join(own, file), 'utf8').trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(40)
  })

  it('refuses a folder without a limiter in it', () => {
    expect(() => readLimiter(folder, 'nothing')).toThrow("nothing: its limiter.json can't be read")
  })
})
