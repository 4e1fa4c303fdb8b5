import { describe, expect, it } from 'vitest'
import { UsageError } from '../../kit/usage-error.js'
import { givenKeys, letterCaseOf, parseEnterpriseQuota, typedKeys } from './keys.js'

const agreed = { minute: 300, day: 5_000 }
const messageOf = (act: () => unknown): string => {
  try {
    act()
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError)
    return (error as Error).message
  }
  throw new Error('nothing was thrown')
}

describe('the keys of a run', () => {
  it('come from flags and from the environment, a flag before the environment', () => {
    const environment = {
      QUOTASPEC_KEY_FREE: 'from-environment',
      QUOTASPEC_KEY_PRO: 'pro-secret',
      QUOTASPEC_KEY_BUSINESS: '',
      OTHER: 'x',
    }
    expect(givenKeys(typedKeys(['free=from-flag']), environment, undefined)).toEqual([
      { name: 'free', plan: 'free', quota: { limit: 60, longer: 1_000 }, secret: 'from-flag', variable: null },
      {
        name: 'pro',
        plan: 'pro',
        quota: { limit: 300, longer: 10_000 },
        secret: 'pro-secret',
        variable: 'QUOTASPEC_KEY_PRO',
      },
    ])
    expect(givenKeys([], {}, undefined)).toEqual([])
    const both = givenKeys(typedKeys(['free=from-flag', 'pro=pro-flag']), environment, undefined)
    expect(both.map(({ secret }) => secret)).toEqual(['from-flag', 'pro-flag'])
  })

  it('are numbered where a plan has several', () => {
    const names = givenKeys(typedKeys(['free=one-key', 'pro=two-key', 'free=three-key']), {}, undefined).map(
      ({ name }) => name,
    )
    expect(names).toEqual(['free', 'pro', 'free-2'])
  })

  it.each([
    ['k3yW1thB0th', 'mixed'],
    ['Free-Key_0001aB', 'mixed'],
    ['Free-Key_0001', 'plain'],
    ['sk_live_DEADBEEF', 'plain'],
    ['9f86d081', 'plain'],
    ['12345-678', undefined],
  ])('tell of %s that its letters are %s', (secret, letterCase) => {
    expect(letterCaseOf(secret)).toBe(letterCase)
  })

  it('may hold an equals sign', () => {
    expect(givenKeys(typedKeys(['free=a=b=c=']), {}, undefined)[0].secret).toBe('a=b=c=')
  })

  it('of the Enterprise plan have the numbers that were agreed', () => {
    expect(givenKeys(typedKeys(['enterprise=big-key']), {}, agreed)[0].quota).toEqual({ limit: 300, longer: 5_000 })
    expect(messageOf(() => givenKeys(typedKeys(['enterprise=big-key']), {}, undefined))).toContain(
      '--quota enterprise=minute:300,day:5000',
    )
  })

  it.each<[string, readonly string[], RegExp]>([
    ['no plan', ['s3cr3t-key'], /PLAN=SECRET/],
    ['an unknown plan', ['gold=s3cr3t-key'], /free, pro, business, enterprise/],
    ['a plan in another case', ['Free=s3cr3t-key'], /PLAN=SECRET/],
    ['no secret', ['free='], /free key is shorter than 5/],
    ['a short secret', ['free=abcd'], /free key is shorter than 5/],
    ['a secret that is short once its escapes are undone', ['free=%41%42%43'], /shorter than 5/],
    ['a blank', ['free=s3cr3t key'], /space, a control character or a non-ASCII/],
    ['a line break', ['free=s3cr3t\n'], /check its quotes/],
    ['no ASCII', ['free=s3cr3té'], /non-ASCII/],
    ['one key twice', ['free=s3cr3t-key', 'pro=s3cr3t-key'], /given twice, the second time for pro/],
  ])('with %s are refused, and no message holds a secret', (_name, flags, message) => {
    const told = messageOf(() => givenKeys(typedKeys(flags), {}, agreed))
    expect(told).toMatch(message)
    expect(told).not.toMatch(/s3cr3t/)
  })
})

describe('--quota', () => {
  it('gives the agreed numbers, the last ones where it comes twice', () => {
    expect(parseEnterpriseQuota([])).toBeUndefined()
    expect(parseEnterpriseQuota(['enterprise=minute:1,day:1'])).toEqual({ minute: 1, day: 1 })
    expect(parseEnterpriseQuota(['enterprise=minute:300,day:5000'])).toEqual(agreed)
    expect(parseEnterpriseQuota(['enterprise=minute:1,day:2', 'enterprise=minute:300,day:5000'])).toEqual(agreed)
  })

  it.each([
    ['enterprise=300', /as in enterprise=minute:300,day:5000/],
    ['enterprise=minute:300', /as in enterprise=minute:300,day:5000/],
    ['enterprise=minute:-1,day:5', /as in enterprise=/],
    ['enterprise=minute:1.5,day:5', /as in enterprise=/],
    ['free=minute:1,day:2', /only Enterprise has agreed limits/],
    ['enterprise=minute:0,day:5', /at least 1/],
    ['enterprise=minute:5,day:0', /at least 1/],
  ])('does not take %s', (text, message) => {
    expect(messageOf(() => parseEnterpriseQuota([text]))).toMatch(message)
  })
})
