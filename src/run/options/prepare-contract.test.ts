import { describe, expect, it } from 'vitest'
import type { ApiContract, QuotaSpec } from '../../contract/api-contract.js'
import { formatDuration } from '../../kit/words.js'
import { findProbe } from '../registry.js'
import { keysAtHand, knownSecrets, typedKeys } from './keys.js'
import { leftOutByContract, scheduledFor } from './prepare-run.js'

const quota = (id: string, windowMs: number): QuotaSpec => ({
  id,
  by: 'credential',
  limit: { free: 60, anon: 10 },
  windowMs,
  requests: ['items'],
  models: ['fixed-window'],
  exact: { over: 0, early: 0 },
  cost: {},
  level: 'must',
})

const contract = (part: Partial<ApiContract> = {}): ApiContract => ({
  name: 'acme',
  credentials: { free: { scheme: 'bearer', env: 'ACME_FREE' }, pro: { scheme: 'bearer', env: 'ACME_PRO' } },
  requests: { items: { method: 'GET', path: '/items', headers: {}, expect: [] } },
  headers: [],
  retryAfter: null,
  refusals: [],
  quotas: [quota('minute', 60_000), quota('hour', 3_600_000)],
  ...part,
})

const usual = { timeScale: 1, longWindows: false }

describe('the credentials of a contract', () => {
  const names = (flags: readonly string[], environment: Record<string, string>, of = contract()) =>
    keysAtHand(of, typedKeys(flags), environment, undefined).map(({ name, secret }) => `${name} ${secret}`)

  it('come from the variables that it names, and from --key before them', () => {
    expect(names([], { ACME_FREE: 'free-secret' })).toEqual(['free free-secret'])
    expect(names(['free=other-secret'], { ACME_FREE: 'free-secret' })).toEqual(['free other-secret'])
  })

  it('are kept out of all that the process says', () => {
    names([], { ACME_PRO: 'pro-Secret-Kq83Wz' })
    expect(knownSecrets()).toContain('pro-Secret-Kq83Wz')
  })

  it('need no secret where nothing is shown', () => {
    expect(names([], {}, contract({ credentials: { anon: { scheme: 'none' } } }))).toEqual(['anon '])
  })

  it.each([
    [[], {}, 'no credential of acme was given: set ACME_FREE, ACME_PRO in the environment'],
    [['nobody=a-secret'], {}, "--key takes CREDENTIAL=SECRET; the contract's credentials are free, pro"],
    [[], { ACME_FREE: 'abc' }, 'ACME_FREE: the secret of free is shorter than 5 characters'],
    [
      [],
      { ACME_FREE: 'secret\nsecret' },
      'ACME_FREE: the secret of free contains a control character or a non-ASCII character',
    ],
  ])('given as %j and %j are refused in a sentence', (flags, environment, message) => {
    expect(() => names(flags, environment)).toThrow(message)
  })
})

it('what is not at hand, and what takes too long, is said before anything is sent', () => {
  const keys = keysAtHand(contract(), [], { ACME_FREE: 'free-secret' }, undefined)
  expect(leftOutByContract(contract(), keys, usual)).toEqual([
    'the credential pro is left out: ACME_PRO is not set',
    `the quota hour is not tested: its window is ${formatDuration(3_600_000)} long (--long-windows tests it)`,
  ])
  expect(leftOutByContract(contract(), keys, { ...usual, longWindows: true })).toHaveLength(1)
})

describe('the probes of a scenario', () => {
  const scheduled = ['hello', 'read-write-read', 'burst'].flatMap((id) => {
    const probe = findProbe(id)
    return probe ? [{ probe, settings: {} }] : []
  })
  const played = (longWindows: boolean) =>
    scheduledFor(contract(), scheduled, { ...usual, longWindows }).map(({ probe, quota: id }) => `${id} ${probe.id}`)

  it('are played for each quota, but for those that know the bundled interface, and loads on long windows', () => {
    expect(played(false)).toEqual(['minute hello', 'minute burst', 'minute other-requests', 'hour hello'])
  })

  it('put loads on long windows where that is asked for', () => {
    expect(played(true)).toEqual(
      ['minute', 'hour'].flatMap((id) => [`${id} hello`, `${id} burst`, `${id} other-requests`]),
    )
  })
})
