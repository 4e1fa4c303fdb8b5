import { describe, expect, it } from 'vitest'
import { type KeystoneRow, playKeystone } from '../src/cli/keystone.js'
import { playTrial } from '../src/cli/kill-matrix.js'

/** One fault of each kind, seen with every test; the whole catalogue is played by `npm run keystone`. */
const faults = [
  'headers-missing-on-401',
  'reset-in-milliseconds',
  'reset-as-delta',
  'limit-plus-one',
  'limit-minus-one',
  'check-then-increment',
  'retry-after-short',
  'error-status-mismatch',
  'bad-key-accepted',
  'string-quantity-accepted',
  'pet-id-rounded',
  'patch-answers-old-quantity',
]

const told = ({ id, failing }: KeystoneRow) => ({ id, failing: [...failing].sort() })
const wanted = ({ id, expected }: KeystoneRow) => ({ id, failing: [...expected].sort() })

describe('the keystone', { timeout: 150_000, concurrent: true }, () => {
  it('has every fault fail exactly the clauses that it breaks', async () => {
    const rows = await playKeystone({ timeScale: 10, seed: 20, atOnce: 6, ids: faults, watch: () => {} })
    expect(rows).toHaveLength(faults.length)
    expect(rows.map(told)).toEqual(rows.map(wanted))
  })

  it('has nothing fail, and nothing left open, without a fault', async () => {
    const { failing, open } = await playTrial({ server: {}, scenario: 'release-gate', timeScale: 10, seed: 21 })
    expect({ failing, open }).toEqual({ failing: [], open: [] })
  })
})
