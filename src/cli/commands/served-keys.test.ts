import { describe, expect, it } from 'vitest'
import type { ApiContract } from '../../contract/api-contract.js'
import { contractSecrets, howToUse, petstoreKeys } from './serve.js'

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
    expect(() => contractSecrets(contract, ['gold=abcdefgh'], {})).toThrow(
      "the contract's credentials are free, pro, anon",
    )
  })
})

const enterprise = { minute: 300, day: 5_000 }
const served = { url: 'http://127.0.0.1:8080/v1', timeScale: 10, enterprise, program: 'npx quotaspec', isShared: false }

describe('the keys of a server of petstore', () => {
  it('are those that were given, and no others', () => {
    const free = { plan: 'free', secret: 'a-key-of-mine' }
    expect(petstoreKeys(['free=a-key-of-mine'], {}, enterprise)).toEqual({ keys: [free], isMadeUp: false })
    const environment = { QUOTASPEC_KEY_FREE: 'a-key-of-mine' }
    expect(petstoreKeys([], environment, enterprise)).toEqual({ keys: [free], isMadeUp: false })
  })

  it('are made up for each plan where none was given, anew each time', () => {
    const { keys, isMadeUp } = petstoreKeys([], {}, enterprise)
    expect(isMadeUp).toBe(true)
    expect(keys.map(({ plan }) => plan)).toEqual(['free', 'pro', 'business', 'enterprise'])
    for (const { plan, secret } of keys) expect(secret).toMatch(new RegExp(`^${plan}-[0-9a-f]{24}$`))
    expect(petstoreKeys([], {}, enterprise).keys[0].secret).not.toBe(keys[0].secret)
  })

  it('that were made up are told with what to type', () => {
    const keys = [{ plan: 'free', secret: 'free-0123' } as const]
    expect(howToUse(keys, served)).toEqual([
      'No key was given, so one was made up for each plan. To use them:',
      '  export QUOTASPEC_KEY_FREE=free-0123',
      '  npx quotaspec run smoke --target http://127.0.0.1:8080/v1 --time-scale 10 --quota enterprise=minute:300,day:5000',
    ])
    expect(howToUse(keys, { ...served, isShared: true }).at(-1)).toContain('the same keys: --key PLAN=SECRET')
  })
})
