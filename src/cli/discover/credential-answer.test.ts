import { describe, expect, it } from 'vitest'
import { UsageError } from '../../kit/usage-error.js'
import { credentialAnswer, credentialAtHand } from './credential-answer.js'

const target = 'https://api.acme.example'
const environment = { K: 's3cret-key', PAIR: 'user:s3cret', EMPTY: '' }
const read = (text: string) => credentialAnswer(text, target, environment)

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
    expect(read(text)).toMatchObject(expected)
  })

  it.each(['none', ' None '])('%j is no credential', (text) => {
    expect(read(text)).toBeUndefined()
  })

  it.each(['Authorization: token $K', 'Authorization: Basic $K', '$K', 'X-Api-Key $K'])(
    '%s is refused without the secret, for the variable would not hold what is sent',
    (text) => {
      expect(() => read(text)).toThrow(UsageError)
      expect(() => read(text)).not.toThrow(/s3cret/)
    },
  )
})

describe('a credential that is asked with at once', () => {
  it('is that of the variable that the header names', () => {
    const given = credentialAtHand('Authorization: Bearer $ACME_KEY', 'https://api.acme.com', {
      ACME_KEY: 's3cret-key',
    })
    expect(given).toEqual({ spec: { scheme: 'bearer', env: 'ACME_KEY' }, secret: 's3cret-key' })
  })

  it('is refused where that variable is not set, by its name', () => {
    expect(() => credentialAtHand('Authorization: Bearer $ACME_KEY', 'https://api.acme.com', {})).toThrow(
      new UsageError('--header names the variable ACME_KEY, which is not set: export ACME_KEY=YOUR-KEY first'),
    )
  })

  it('is none where none is shown', () => {
    expect(credentialAtHand('none', 'https://api.acme.com', {})).toBeUndefined()
  })
})
