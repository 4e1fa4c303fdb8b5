import { describe, expect, it } from 'vitest'
import type { ApiContract } from '../../contract/api-contract.js'
import { contractSecrets } from './contract-secrets.js'

const contract: ApiContract = {
  name: 'acme',
  credentials: {
    free: { scheme: 'bearer', env: 'ACME_FREE' },
    pro: { scheme: 'basic', env: 'ACME_PRO' },
    anon: { scheme: 'none' },
  },
  requests: {},
  headers: [],
  retryAfter: null,
  refusals: [],
  quotas: [],
}

describe('the secrets that the server of a contract lets in', () => {
  it('are those of the flags, and else those of the environment', () => {
    const environment = { ACME_FREE: 'from-environment', ACME_PRO: 'user:password' }
    expect(contractSecrets(contract, ['free=from=flag'], environment)).toEqual({
      secrets: { free: 'from=flag', pro: 'user:password' },
      hints: [],
    })
  })

  it('are made up where nobody said them, each with the line that sets it', () => {
    const { secrets, hints } = contractSecrets(contract, [], {})
    expect(Object.keys(secrets)).toEqual(['free', 'pro'])
    expect(secrets.pro).toMatch(/^pro:[0-9a-f]{24}$/)
    expect(hints).toEqual([`export ACME_FREE=${secrets.free}`, `export ACME_PRO=${secrets.pro}`])
    expect(contractSecrets(contract, [], {}).secrets.free).not.toBe(secrets.free)
  })

  it('belong to credentials of the contract', () => {
    expect(() => contractSecrets(contract, ['gold=abcdefgh'], {})).toThrow('the credentials free, pro, anon')
  })
})
