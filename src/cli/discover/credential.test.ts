import { describe, expect, it, test } from 'vitest'
import { conclude } from '../../discovery/conclude.js'
import type { Discovered } from '../../discovery/discovered.js'
import { UsageError } from '../../kit/usage-error.js'
import { atHand, givenCredential, namedCredentials } from './credential.js'
import { namedProbes, summaryOf } from './discover-api.js'

const target = 'https://api.acme.example'
const environment = { K: 's3cret-key', PAIR: 'user:s3cret', EMPTY: '' }
const read = (...texts: string[]) => namedCredentials(texts, target, environment)

describe('a credential, as init is told it', () => {
  it.each<[string, object]>([
    ['Authorization: Bearer $K', { spec: { scheme: 'bearer', env: 'K' }, secret: 's3cret-key' }],
    [`Authorization: Bearer $${'{K}'}`, { spec: { scheme: 'bearer', env: 'K' }, secret: 's3cret-key' }],
    ['Authorization: Basic $PAIR', { spec: { scheme: 'basic', env: 'PAIR' }, secret: 'user:s3cret' }],
    ['X-Api-Key: $K', { spec: { scheme: 'header', name: 'X-Api-Key', env: 'K' }, secret: 's3cret-key' }],
    ['Cookie: session=$K', { spec: { scheme: 'cookie', name: 'session', env: 'K' }, secret: 's3cret-key' }],
    ['X-Api-Key: $NOT_SET', { spec: { scheme: 'header', name: 'X-Api-Key', env: 'NOT_SET' }, secret: undefined }],
    ['Authorization: Basic $NOT_SET', { spec: { scheme: 'basic', env: 'NOT_SET' }, secret: undefined }],
    ['X-Api-Key: $EMPTY', { spec: { env: 'EMPTY' }, secret: undefined }],
    ['Authorization: Bearer typed-s3cret', { spec: { scheme: 'bearer', env: 'ACME_KEY' }, secret: 'typed-s3cret' }],
  ])('%s', (text, expected) => {
    expect(Object.fromEntries(read(text))).toMatchObject({ key: expected })
  })

  it.each(['none', ' None '])('%j is no credential', (text) => {
    expect(read(text)).toEqual(new Map())
  })

  it.each(['Authorization: token $K', 'Authorization: Basic $K', '$K', 'X-Api-Key $K'])(
    '%s is refused without the secret, for the variable would not hold what is sent',
    (text) => {
      expect(() => read(text)).toThrow(UsageError)
      expect(() => read(text)).not.toThrow(/s3cret/)
    },
  )
})

describe('two credentials', () => {
  it('are named one and other, each with its variable', () => {
    const [key, other] = ['s3cret-key', 'user:s3cret']
    expect(read('Authorization: Bearer $K', 'X-Api-Key: $PAIR')).toEqual(
      new Map([
        ['key', { spec: { scheme: 'bearer', env: 'K' }, secret: key }],
        ['other', { spec: { scheme: 'header', name: 'X-Api-Key', env: 'PAIR' }, secret: other }],
      ]),
    )
  })

  it('get two variables where neither names its own', () => {
    const envs = [...read('X-Key: s3cret-one', 'X-Key: s3cret-two').values()].map(({ spec }) => spec.env)
    expect(envs).toEqual(['ACME_KEY', 'ACME_KEY_2'])
  })

  it.each<[string[], RegExp]>([
    [['X-Key: $K', 'X-Key: $K'], /the same secret/],
    [['X-Key: s3cret-key', 'X-Key: $K'], /the same secret/],
    [['X-Key: $K', 'none'], /it cannot be combined/],
    [['X-Key: $K', 'X-Key: $PAIR', 'X-Key: $EMPTY'], /was given 3 times/],
  ])('%j are refused, and no secret is said', (texts, why) => {
    expect(() => read(...texts)).toThrow(UsageError)
    expect(() => read(...texts)).toThrow(why)
    expect(() => read(...texts)).not.toThrow(/s3cret/)
  })
})

describe('a credential that is asked with at once', () => {
  const given = (text: string, environment: Record<string, string>) =>
    atHand(namedCredentials([text], 'https://api.acme.com', environment))

  it('is that of the variable that the header names', () => {
    const held = given('Authorization: Bearer $ACME_KEY', { ACME_KEY: 's3cret-key' })
    expect(held).toEqual(new Map([['key', { spec: { scheme: 'bearer', env: 'ACME_KEY' }, secret: 's3cret-key' }]]))
  })

  it('is refused where that variable is not set, by its name', () => {
    expect(() => given('Authorization: Bearer $ACME_KEY', {})).toThrow(
      new UsageError('--header names the variable ACME_KEY, which is not set: export ACME_KEY=YOUR-KEY first'),
    )
  })

  it('is none where none is shown', () => {
    expect(given('none', {}).size).toBe(0)
  })
})

const api = 'https://api.acme-shop.example'
const basic = Buffer.from('user:pass word').toString('base64')

test.each<[string, object]>([
  ['Authorization: Bearer s3cret-key', { spec: { scheme: 'bearer', env: 'ACME_SHOP_KEY' }, secret: 's3cret-key' }],
  ['authorization:bearer s3cret-key', { spec: { scheme: 'bearer' }, secret: 's3cret-key' }],
  [`Authorization: Basic ${basic}`, { spec: { scheme: 'basic' }, secret: 'user:pass word' }],
  [
    'Authorization: token s3cret-key',
    { spec: { scheme: 'header', name: 'Authorization' }, secret: 'token s3cret-key' },
  ],
  ['X-Api-Key: s3cret-key', { spec: { scheme: 'header', name: 'X-Api-Key' }, secret: 's3cret-key' }],
  ['Cookie: session=s3cret-key', { spec: { scheme: 'cookie', name: 'session' }, secret: 's3cret-key' }],
])('--header %s', (text, expected) => {
  expect(givenCredential(text, api)).toMatchObject(expected)
})

test.each(['s3cret-key', ': s3cret-key', 'X Key: s3cret-key', 'X-Key:', 'X-Key: s3cret-keyä', 'X-Key: s3c'])(
  '--header %j is refused, and the secret stays unsaid',
  (text) => {
    expect(() => givenCredential(text, api)).toThrow(UsageError)
    expect(() => givenCredential(text, api)).not.toThrow(/s3c/)
  },
)

test.each([
  ['http://127.0.0.1:8080', 'API_KEY'],
  ['http://localhost:8080', 'API_KEY'],
  ['https://www.shop.example', 'SHOP_KEY'],
])('for %s the secret is in %s', (address, env) => {
  expect(givenCredential('X-Key: s3cret-key', address).spec.env).toBe(env)
})

test('paths are named by their last words', () => {
  const named = namedProbes(['/v1/items?limit=1', '/', '/v2/Items'])
  expect([...named]).toEqual([
    ['items', '/v1/items?limit=1'],
    ['root', '/'],
    ['items-3', '/v2/Items'],
  ])
})

test.each([[['items']], [['//host/items']], [['/items#a']], [['/items/{id}']], [['/a b']], [['/a', '/b', '/c', '/d']]])(
  'the paths %j are refused',
  (paths) => {
    expect(() => namedProbes(paths)).toThrow(UsageError)
  },
)

const key = { scheme: 'header', name: 'X-Api-Key', env: 'ACME_KEY' } as const
const served = { is: 'served', because: 'seen' } as const
const turnedAway = { is: 'turned away', because: 'seen' } as const

describe('what is said of a second credential', () => {
  const said = (credentials: Record<string, typeof key>, anonymous: Discovered['anonymous']) => {
    const asked = { target, credentials, requests: {}, asked: 6 }
    const found = { ...conclude([], 0, ['items']), anonymous }
    return summaryOf({ asked, found, ended: undefined })
  }

  it.each<[string, Parameters<typeof said>[0], Parameters<typeof said>[1]]>([
    ['where none was given', {}, undefined],
    ['where callers without one are served, which are the second', { key }, served],
    ['where there are two', { key, other: key }, turnedAway],
  ])('is nothing %s', (_, credentials, anonymous) => {
    expect(said(credentials, anonymous)).not.toContain('second ')
  })

  it.each([[undefined], [turnedAway]])('is what takes it, and how it is given, where %j else asks', (anonymous) => {
    expect(said({ key }, anonymous)).toMatch(/\nsecond {2}.*\(QUOTA-4\): give --header twice/)
  })
})
