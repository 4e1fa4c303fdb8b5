import { describe, expect, it } from 'vitest'
import { redisAddress } from './redis-wire.js'

describe('where Redis is', () => {
  it.each([
    ['a flag goes before the environment', 'redis://h:6379', { QUOTASPEC_REDIS: 'redis://other' }, 'redis://h:6379'],
    ['the environment will do', undefined, { QUOTASPEC_REDIS: 'redis://h:6379/2' }, 'redis://h:6379/2'],
    ['TLS is taken as it is', 'rediss://h:6380', {}, 'rediss://h:6380'],
  ])('%s', (_, flag, environment, url) => {
    expect(redisAddress(flag, environment).url).toBe(url)
  })

  it('is shown without user and password', () => {
    expect(redisAddress('rediss://me:s3cret@h:6380/1', {}).shown).toBe('rediss://h:6380/1')
  })

  it.each([
    [undefined, {}, /set QUOTASPEC_REDIS=redis:\/\/HOST:6379/],
    ['http://h', {}, /--redis must begin with redis:\/\//],
    ['me:s3cret@h', {}, /redis:\/\//],
    [undefined, { QUOTASPEC_REDIS: '::s3cret' }, /QUOTASPEC_REDIS is not an address/],
  ])('%s is refused without a word of a password', (flag, environment, why) => {
    expect(() => redisAddress(flag, environment)).toThrow(why)
    expect(() => redisAddress(flag, environment)).not.toThrow(/s3cret/)
  })
})
