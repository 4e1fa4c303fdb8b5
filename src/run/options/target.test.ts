import { describe, expect, it } from 'vitest'
import { UsageError } from '../../kit/usage-error.js'
import { isLoopback, parseTarget } from './target.js'

describe('--target', () => {
  it.each([
    ['http://127.0.0.1:8080/v1', 'http://127.0.0.1:8080/v1'],
    ['http://127.0.0.1:8080/v1/', 'http://127.0.0.1:8080/v1'],
    ['https://API.example:443/pets/v1//', 'https://api.example/pets/v1'],
    ['http://localhost', 'http://localhost'],
  ])('%s is %s', (text, baseUrl) => {
    expect(parseTarget(text)).toBe(baseUrl)
  })

  it.each<[string | undefined, RegExp]>([
    [undefined, /--target is missing: .*such as/],
    ['', /--target is missing/],
    ['127.0.0.1:8080', /must be an address|begin with http/],
    ['not an address', /must be an address such as/],
    ['ftp://host/v1', /must begin with http/],
    ['http://user@host/v1', /not contain a user name/],
    ['http://host/v1?api_key=s3cr3t', /not have a query/],
    ['http://host/v1#x', /not have a query or a fragment/],
  ])('%s is refused with what to type instead', (text, message) => {
    expect(() => parseTarget(text)).toThrow(UsageError)
    expect(() => parseTarget(text)).toThrow(message)
  })

  it.each(['http://user:s3cr3t@host/v1', 'ftp://user:s3cr3t@host/v1', 'http://host/v1?api_key=s3cr3t'])(
    'does not repeat what may be secret in %s',
    (text) => {
      expect(() => parseTarget(text)).toThrow(/^(?!.*s3cr3t)/)
    },
  )
})

describe('an address of this machine', () => {
  it.each([
    ['http://127.0.0.1:8080/v1', true],
    ['http://127.8.9.1/v1', true],
    ['http://127.1/v1', true],
    ['http://localhost:1/v1', true],
    ['http://[::1]:8080/v1', true],
    ['http://127.0.0.1.example.com/v1', false],
    ['http://localhost.example.com/v1', false],
    ['http://10.0.0.1/v1', false],
    ['http://0.0.0.0/v1', false],
    ['https://staging.example/v1', false],
  ])('%s: %s', (baseUrl, is) => {
    expect(isLoopback(baseUrl)).toBe(is)
  })
})
