import { describe, it } from 'vitest'
import { quotaspec } from './cli/built-program.js'

/** One fault of each kind, seen with every test; the whole catalogue is played by `npm run keystone`. */
const faults = [
  'headers-missing-on-401',
  'reset-in-milliseconds',
  'reset-as-delta',
  'limit-plus-one',
  'limit-minus-one',
  'limit-only-shown',
  'check-then-increment',
  'retry-after-short',
  'error-status-mismatch',
  'bad-key-accepted',
  'string-quantity-accepted',
  'pet-id-rounded',
  'patch-answers-old-quantity',
]

/** What does not come out right among others is played again by itself. */
const patienceMs = 240_000

describe('the keystone', { timeout: patienceMs }, () => {
  it('has every fault fail exactly the clauses that it breaks', async ({ expect }) => {
    const ids = faults.flatMap((id) => ['--id', id])
    const { code, stdout } = await quotaspec(['faults', '--run', '--seed', '20', ...ids], { patienceMs })
    expect(stdout).toContain(`${faults.length} of ${faults.length} exact`)
    expect(code).toBe(0)
  })
})
