import { expect, it } from 'vitest'
import type { CredentialSpec, QuotaSpec } from '../contract/api-contract.js'
import { addressHeaders } from '../contract/request-spellings.js'
import { dialects, madeContract, madeQuota } from '../readings/testing/made-contract.js'
import { mostSpellings } from './moves/refused-key.js'
import { subjectsOf } from './subject.js'

const proxies = 'other headers of proxies'
const addresses = ['X-Forwarded-For', 'X-Real-IP', 'Forwarded', proxies]
const paths = ['a trailing slash', 'a doubled slash', 'a percent-encoded letter', 'a capital letter']
const negotiated = ['another Accept', 'another Accept-Encoding', 'X-HTTP-Method-Override']
const claims = ['another User-Agent', ...negotiated, 'headers of a session', 'a query string', ...paths]
const cases = ['scheme in lower case', 'scheme in upper case']
const keyCase = 'the key in other letter case'
const atHand = { name: 'free', letterCase: 'plain' } as const

const subjectWith = (quota: Partial<QuotaSpec>, scheme: CredentialSpec['scheme'] = 'bearer') => {
  const credentials = { free: { scheme, env: 'ACME_KEY', name: 'X-Key' } }
  const keys = [scheme === 'none' ? { name: 'free' } : atHand]
  const [subject] = subjectsOf(madeContract([], { credentials, quotas: [madeQuota(quota)] }), keys)
  return subject
}

it.each([
  ['that counts by credential', {}, 'bearer', [...cases, keyCase, ...addresses, ...claims]],
  ['that counts by address', { by: 'address' }, 'bearer', [...cases, keyCase, ...addresses, ...claims]],
  ['whose callers use Basic', {}, 'basic', [...cases, keyCase, ...addresses, ...claims]],
  ['whose callers have no scheme', {}, 'header', [keyCase, ...addresses, ...claims]],
  ['whose callers have it in the query', {}, 'query', [keyCase, ...addresses, ...claims]],
  ['that believes every header of proxies', { by: 'address', trusts: addressHeaders }, 'none', claims],
  [
    'that believes a proxy which the run goes out from',
    { by: 'address', trusts: ['X-Forwarded-For', 'Forwarded'] },
    'none',
    ['X-Real-IP', proxies, ...claims],
  ],
] as const)('a quota %s is asked for in these other ways', (_, quota, scheme, expected) => {
  const subject = subjectWith(quota as Partial<QuotaSpec>, scheme)
  expect(Object.keys(subject.spellingsOf(subject.keys[0]))).toEqual(expected)
})

it('is asked for in each of them however many requests it has', () => {
  const requests = Array.from({ length: 30 }, (_, i) => `items-${i}`)
  const { items } = madeContract([]).requests
  const given = {
    requests: Object.fromEntries(requests.map((name) => [name, items])),
    quotas: [madeQuota({ requests })],
  }
  const [subject] = subjectsOf(madeContract([], given), [atHand])
  const names = Object.keys(subject.spellingsOf(subject.keys[0]))
  expect(names).toHaveLength(mostSpellings)
  expect(names.slice(-17)).toEqual([...cases, keyCase, ...addresses, ...claims])
})

it.each<[string, readonly string[], Partial<QuotaSpec>, unknown]>([
  ['eight of them where what is left is shown', dialects.epoch, {}, [{ credential: 'user', requests: 8 }]],
  [
    'as many as it has where those are fewer',
    dialects.epoch,
    { limit: { user: 5 } },
    [{ credential: 'user', requests: 5 }],
  ],
  ['as many as spend the quota where nothing is shown', [], {}, [{ credential: 'user', requests: 22 }]],
  ['none where it cannot send as many', [], { limit: { user: 21 } }, undefined],
  ['none where it shares a quota with this one', [], { limit: { user: 40, anon: 40 } }, undefined],
  ['none where it has no limit', [], { requests: ['orders'] }, undefined],
])('sets beside a key those who ask for the same in other quotas: %s', (_name, fields, given, expected) => {
  const quotas = [
    madeQuota({ id: 'address', by: 'address', limit: { anon: 20 } }),
    madeQuota({ limit: { user: 40 }, ...given }),
  ]
  const [{ keys }] = subjectsOf(madeContract(fields, { quotas }), [{ name: 'anon' }, { name: 'user' }])
  expect(keys[0].otherCallers).toEqual(expected)
})

it.each([
  ['/items', '/items?_=1'],
  ['/items?limit=1', '/items?limit=1&_=1'],
])('asks for %s with a parameter more as %s', (path, asked) => {
  const requests = { items: { method: 'GET' as const, path, headers: {}, expect: [200] } }
  const [subject] = subjectsOf(madeContract([], { requests }), [atHand])
  expect(subject.spellingsOf(subject.keys[0])['a query string']).toEqual({ path: asked })
})

it('asks in other letter case with the credential of the key, where its secret has letters', () => {
  const credentials = { free: madeContract([]).credentials.free, pro: madeContract([]).credentials.free }
  const quotas = [madeQuota({ limit: { free: 60, pro: 60 } })]
  const [subject] = subjectsOf(madeContract([], { credentials, quotas }), [
    { name: 'free' },
    { ...atHand, name: 'pro' },
  ])
  expect(subject.keys.map((key) => subject.spellingsOf(key)[keyCase])).toEqual([undefined, { as: 'key-in-other-case' }])
})

it('asks for the path of the request in other spellings', () => {
  const requests = { items: { method: 'POST' as const, path: '/v1/items?limit=1', headers: {}, expect: [200] } }
  const [subject] = subjectsOf(madeContract([], { requests }), [atHand])
  const [key] = subject.keys
  const sent = subject.asked(key, { step: 'spelling', ...subject.spellingsOf(key)['a capital letter'] })
  expect(sent).toMatchObject({ operation: 'items', method: 'POST', path: '/v1/Items?limit=1' })
})

it.each([
  ['cookie', 'X-Key', 'Cookie'],
  ['header', 'X-Device-Id', 'X-Device-Id'],
] as const)('sends no other %s than the credential is sent in', (scheme, name, header) => {
  const [subject] = subjectsOf(madeContract([], { credentials: { free: { scheme, name, env: 'ACME_KEY' } } }), [atHand])
  const { headers = [] } = subject.spellingsOf(subject.keys[0])['headers of a session']
  expect(headers.map(([field]) => field)).not.toContain(header)
  expect(headers).toHaveLength(7)
})

it('sends the credential in the form that is asked for, and as agreed where none is', () => {
  const subject = subjectWith({})
  const sent = (as?: 'lower-case-scheme' | 'none') => subject.asked(subject.keys[0], { step: 'any', as }).credential
  expect([sent(), sent('lower-case-scheme'), sent('none')]).toEqual([
    { form: 'agreed', key: 'free' },
    { form: 'lower-case-scheme', key: 'free' },
    { form: 'none' },
  ])
})
