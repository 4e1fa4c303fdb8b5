import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { keystoneContracts } from '../../reference-server/testing/keystone-contracts.js'
import { loadContract } from '../../src/contract/file/load-contract.js'

describe('the contracts of the keystone', () => {
  it.each(keystoneContracts.map((contract) => [contract.name, contract] as const))(
    '%s is what its file says',
    async (name, contract) => {
      const file = fileURLToPath(new URL(`./${name}.yaml`, import.meta.url))
      expect((await loadContract(file)).contract).toEqual(contract)
    },
  )
})
