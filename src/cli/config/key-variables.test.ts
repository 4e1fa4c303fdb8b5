import { describe, expect, it } from 'vitest'
import type { ApiContract } from '../../contract/api-contract.js'
import { missingInWords, refuseMissingKeys, takePlanKeys, withKeyVariables } from './key-variables.js'

const use = (keys: Readonly<Record<string, string>>) => ({ file: 'quotaspec.yaml', keys, remarks: [] })

describe('the variables of keys that a configuration names', () => {
  it('stand in for the usual ones of their plans, and of no other', () => {
    const environment = { ACME_FREE: 'acme-free', QUOTASPEC_KEY_FREE: 'usual-free', QUOTASPEC_KEY_PRO: 'usual-pro' }
    expect(takePlanKeys(environment, use({ free: 'ACME_FREE' }))).toEqual([])
    expect(environment).toMatchObject({ QUOTASPEC_KEY_FREE: 'acme-free', QUOTASPEC_KEY_PRO: 'usual-pro' })
  })

  it('leave a plan without a key where they are not set: that of another environment is not taken', () => {
    const environment: NodeJS.ProcessEnv = { QUOTASPEC_KEY_FREE: 'of-staging' }
    const [missing, ...others] = takePlanKeys(environment, use({ free: 'PROD_FREE' }))
    expect(others).toEqual([])
    expect(missing && missingInWords(missing)).toBe(
      'free has no key from the environment: PROD_FREE, which quotaspec.yaml names, is not set',
    )
    expect(environment).toEqual({})
  })

  it('refuse a run where one is not set, unless a flag gives that key', () => {
    const missing = takePlanKeys({ ACME_FREE: 'acme-free', ACME_PRO: '' }, use({ free: 'ACME_FREE', pro: 'ACME_PRO' }))
    expect(() => refuseMissingKeys(missing, { key: [] })).toThrow(
      'pro has no key from the environment: ACME_PRO, which quotaspec.yaml names, is not set: set it, or take it out of keys',
    )
    expect(() => refuseMissingKeys(missing, { key: ['free=x'] })).toThrow('ACME_PRO')
    expect(() => refuseMissingKeys(missing, { key: ['pro=secret'] })).not.toThrow()
    expect(() => refuseMissingKeys(missing, { key: [], 'key-file': 'keys' })).not.toThrow()
    expect(() => refuseMissingKeys([], { key: [] })).not.toThrow()
  })

  it('may be the usual ones in another order', () => {
    const environment = { QUOTASPEC_KEY_FREE: 'one', QUOTASPEC_KEY_PRO: 'two' }
    takePlanKeys(environment, use({ free: 'QUOTASPEC_KEY_PRO', pro: 'QUOTASPEC_KEY_FREE' }))
    expect(environment).toEqual({ QUOTASPEC_KEY_FREE: 'two', QUOTASPEC_KEY_PRO: 'one' })
  })

  it('go before those of a contract', () => {
    const contract: ApiContract = {
      name: 'acme',
      credentials: { user: { scheme: 'bearer', env: 'ACME_USER' }, anon: { scheme: 'none' } },
      probes: {},
      headers: [],
      retryAfter: null,
      refusals: [],
      quotas: [],
    }
    expect(withKeyVariables(contract, use({ user: 'STAGING_USER' })).credentials).toEqual({
      user: { scheme: 'bearer', env: 'STAGING_USER' },
      anon: { scheme: 'none' },
    })
    expect(() => withKeyVariables(contract, use({ usr: 'STAGING_USER' }))).toThrow(
      'quotaspec.yaml: keys.usr: the contract acme has no credential usr: did you mean user?',
    )
  })

  it('of a plan that there is not are refused', () => {
    expect(() => takePlanKeys({}, use({ fre: 'ACME_FREE' }))).toThrow(
      'quotaspec.yaml: keys.fre: there is no plan fre: did you mean free?',
    )
  })
})
