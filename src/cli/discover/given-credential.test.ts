import { expect, test } from 'vitest'
import { UsageError } from '../../kit/usage-error.js'
import { namedProbes } from './ask-plan.js'
import { givenCredential } from './given-credential.js'

const target = 'https://api.acme-shop.example'
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
  expect(givenCredential(text, target)).toMatchObject(expected)
})

test.each(['s3cret-key', ': s3cret-key', 'X Key: s3cret-key', 'X-Key:', 'X-Key: s3cret-keyä', 'X-Key: s3c'])(
  '--header %j is refused, and the secret stays unsaid',
  (text) => {
    expect(() => givenCredential(text, target)).toThrow(UsageError)
    expect(() => givenCredential(text, target)).not.toThrow(/s3c/)
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
