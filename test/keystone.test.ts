import { fileURLToPath } from 'node:url'
import { describe, it } from 'vitest'
import { quotaspec } from './cli/built-program.js'

/**
 * The way from a fault to its row, played where a quota takes few requests: a load, and a wait after it. Single requests are
 * in `model-walk.test.ts`. Every fault is judged from its recording (`test/corpus`); all are played by `npm run keystone`.
 */
const contract = fileURLToPath(new URL('contracts/blocking.yaml', import.meta.url))
const faults = ['retry-after-short']

describe('the keystone', () => {
  it('has every fault fail exactly the clauses that it breaks', async ({ expect }) => {
    const ids = faults.flatMap((id) => ['--id', id])
    const { code, stdout } = await quotaspec(['faults', '--run', '--contract', contract, '--seed', '20', ...ids])
    expect(stdout).toContain(`${faults.length} of ${faults.length} exact`)
    expect(code).toBe(0)
  })
})
