import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { QuotaSpec } from '../contract/api-contract.js'
import { petstore } from '../contract/petstore/petstore.js'
import type { HeaderLine } from '../evidence/exchange.js'
import { limitReader } from './answers.js'
import { type AnswerReading, numberOf } from './limit-values.js'
import { dialects, headersIn, madeContract, madeQuota } from './testing/made-contract.js'

const read = (fields: readonly string[], block: string, quota: Partial<QuotaSpec> = {}) =>
  limitReader(madeContract(fields), madeQuota(quota))(headersIn(block))

/** Limit, remaining, reset as a line: `60 9 30 now`; `-` where absent, `!` where malformed. */
const inShort = ({ limit, remaining, reset }: AnswerReading): string => {
  const signs = { absent: '-', malformed: '!' } as const
  const [l, r] = [limit, remaining].map((each) => (each.state === 'number' ? String(each.value) : signs[each.state]))
  return `${l} ${r} ${reset.state === 'number' ? `${reset.value} ${reset.from ?? 'epoch'}` : signs[reset.state]}`
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

describe('what real APIs show', () => {
  it.each<[string, readonly string[], string, Partial<QuotaSpec>, string]>([
    [
      'GitHub',
      [...dialects.epoch, 'x-ratelimit-used used'],
      `x-ratelimit-limit: 5000
       x-ratelimit-remaining: 4987
       x-ratelimit-reset: 1763812345
       x-ratelimit-used: 13
       x-ratelimit-resource: core`,
      { windowMs: hour },
      '5000 4987 1763812345 epoch',
    ],
    ['Shopify', ['X-Shopify-Shop-Api-Call-Limit used/limit'], 'X-Shopify-Shop-Api-Call-Limit: 32/40', {}, '40 8 -'],
    [
      'OpenAI',
      [
        'x-ratelimit-limit-requests limit',
        'x-ratelimit-remaining-requests remaining',
        'x-ratelimit-reset-requests reset duration',
      ],
      `x-ratelimit-limit-requests: 60
       x-ratelimit-limit-tokens: 150000
       x-ratelimit-remaining-requests: 59
       x-ratelimit-remaining-tokens: 149984
       x-ratelimit-reset-requests: 1s
       x-ratelimit-reset-tokens: 6m0s`,
      {},
      '60 59 1 now',
    ],
    [
      'Discord, whose Reset has fractions',
      dialects.epoch,
      `X-RateLimit-Limit: 5
       X-RateLimit-Remaining: 0
       X-RateLimit-Reset: 1470173023.123
       X-RateLimit-Reset-After: 64.57
       X-RateLimit-Bucket: abcd1234`,
      {},
      '5 0 1470173023.123 epoch',
    ],
    [
      'Discord, by Reset-After',
      ['X-RateLimit-Reset-After reset delta-s'],
      'X-RateLimit-Reset-After: 64.57',
      {},
      '- - 64.57 now',
    ],
    [
      'Jira',
      ['X-RateLimit-Limit limit', 'X-RateLimit-Remaining remaining', 'X-RateLimit-Reset reset iso-8601'],
      `X-RateLimit-Limit: 100
       X-RateLimit-Remaining: 0
       X-RateLimit-Reset: 2026-01-15T10:30Z
       Retry-After: 5`,
      { windowMs: 1000 },
      `100 0 ${Date.UTC(2026, 0, 15, 10, 30) / 1000} epoch`,
    ],
    [
      'Cloudflare',
      dialects.draft11,
      `ratelimit: "default";r=50;t=30
       ratelimit-policy: "default";q=1200;w=300`,
      { windowMs: 300_000 },
      '1200 50 30 now',
    ],
    [
      'express-rate-limit, draft-8',
      dialects.draft11,
      `RateLimit-Policy: "100-in-15min"; q=100; w=900; pk=:ZjUyOTI2ZjI2:
       RateLimit: "100-in-15min"; r=99; t=900`,
      { windowMs: 15 * minute },
      '100 99 900 now',
    ],
    [
      'express-rate-limit, draft-7',
      dialects.draft07,
      `RateLimit-Policy: 100;w=900
       RateLimit: limit=100, remaining=99, reset=900`,
      { windowMs: 15 * minute },
      '100 99 900 now',
    ],
    [
      'express-rate-limit, draft-6',
      dialects.draft03,
      `RateLimit-Policy: 100;w=900
       RateLimit-Limit: 100
       RateLimit-Remaining: 99
       RateLimit-Reset: 900`,
      { windowMs: 15 * minute },
      '100 99 900 now',
    ],
    ['Slack, which shows none', dialects.epoch, 'Retry-After: 30', {}, '- - -'],
    [
      'an API that counts milliseconds',
      ['X-Reset reset epoch-ms', 'X-Left remaining'],
      'X-Reset: 1763812345250\nX-Left: 3',
      {},
      '- 3 1763812345.25 epoch',
    ],
    ['one that counts them from now', ['X-Reset reset delta-ms'], 'X-Reset: 1500', {}, '- - 1.5 now'],
    [
      'one that names a date',
      ['X-Reset reset http-date'],
      'X-Reset: Sun, 06 Nov 1994 08:49:37 GMT',
      {},
      '- - 784111777 epoch',
    ],
    ['one that shows what is used', ['X-Limit limit', 'X-Used used'], 'X-Limit: 60\nX-Used: 45', {}, '60 15 -'],
    ['one that shows more used than allowed', ['X-Limit used/limit'], 'X-Limit: 41/40', {}, '40 -1 -'],
    ['what is used of no limit', ['X-Limit limit', 'X-Used used'], 'X-Used: 45', {}, '- - -'],
  ])('%s', (_, fields, block, quota, expected) => {
    expect(inShort(read(fields, block, quota))).toBe(expected)
  })
})

const two = 'RateLimit-Policy: "permin";q=50;w=60, "perday";q=1000;w=86400'

describe('of several policies the quota reads its own', () => {
  it.each<[string, readonly string[], string, Partial<QuotaSpec>, string]>([
    ['by its window', dialects.draft11, `${two}\nRateLimit: "permin";r=9;t=30, "perday";r=800;t=3`, {}, '50 9 30 now'],
    [
      'by its window, on several lines',
      dialects.draft11,
      `RateLimit-Policy: "permin";q=50;w=60
       RateLimit-Policy: "perday";q=1000;w=86400
       RateLimit: "permin";r=9;t=30
       RateLimit: "perday";r=800;t=3`,
      { windowMs: day },
      '1000 800 3 now',
    ],
    [
      'where only another is told of',
      dialects.draft11,
      `${two}\nRateLimit: "permin";r=9;t=30`,
      { windowMs: day },
      '1000 - -',
    ],
    [
      'by the name that it gives',
      dialects.draft11,
      `${two}\nRateLimit: "perday";r=8`,
      { policy: 'perday' },
      '1000 8 -',
    ],
    [
      'of a name that does not come',
      dialects.draft11,
      `${two}\nRateLimit: "permin";r=8`,
      { policy: 'hourly' },
      '- - -',
    ],
    ['where none has its window', dialects.draft11, `${two}\nRateLimit: "permin";r=9`, { windowMs: hour }, '- - -'],
    [
      'the only one, whatever its window',
      dialects.draft11,
      'RateLimit-Policy: "a";q=50;w=61\nRateLimit: "a";r=9',
      {},
      '50 9 -',
    ],
    ['the only one where no policy comes', dialects.draft11, 'RateLimit: "a";r=9;t=5', {}, '- 9 5 now'],
    ['none of two where no policy comes', dialects.draft11, 'RateLimit: "a";r=9, "b";r=5', {}, '- - -'],
    [
      'by its limit, where two have its window',
      dialects.draft11,
      'RateLimit-Policy: "a";q=10;w=60, "b";q=60;w=60\nRateLimit: "a";r=1, "b";r=2',
      {},
      '60 2 -',
    ],
    [
      'that counts requests, not bytes',
      dialects.draft11,
      'RateLimit-Policy: "a";q=60;w=60;qu="content-bytes", "b";q=60;w=60;qu="requests"\nRateLimit: "b";r=2, "a";r=1',
      {},
      '60 2 -',
    ],
    [
      'with names that are tokens (draft 08)',
      dialects.draft11,
      'RateLimit-Policy: a;q=10;w=1,b;q=60;w=60\nRateLimit: b;r=2;t=3',
      {},
      '60 2 3 now',
    ],
    [
      'of which two partitions say different things',
      dialects.draft11,
      'RateLimit-Policy: "a";q=60;w=60\nRateLimit: "a";r=2;pk=:YQ==:, "a";r=3;pk=:Yg==:',
      {},
      '60 - -',
    ],
    [
      'of draft 07, where the nearest is another',
      dialects.draft07,
      'RateLimit-Policy: 10;w=1, 60;w=60\nRateLimit: limit=10, remaining=9, reset=1',
      {},
      '60 - -',
    ],
    [
      'of draft 07, where it is the nearest',
      dialects.draft07,
      'RateLimit-Policy: 10;w=1, 60;w=60\nRateLimit: limit=60, remaining=2, reset=9',
      {},
      '60 2 9 now',
    ],
    [
      'of draft 03, behind the limit',
      dialects.draft03,
      'RateLimit-Limit: 10, 10;w=1, 60;w=60\nRateLimit-Remaining: 9\nRateLimit-Reset: 1',
      { windowMs: 1000 },
      '10 9 1 now',
    ],
    [
      'of draft 03, behind the limit of another',
      dialects.draft03,
      'RateLimit-Limit: 10, 10;w=1, 60;w=60\nRateLimit-Remaining: 9\nRateLimit-Reset: 1',
      {},
      '60 - -',
    ],
  ])('%s', (_, fields, block, quota, expected) => {
    expect(inShort(read(fields, block, quota))).toBe(expected)
  })
})

describe('what is not as it should be', () => {
  it.each<[string, readonly string[], string, string]>([
    ['a limit that lists policies, where no draft has it', ['X-Limit limit'], 'X-Limit: 100;w=60', '! - -'],
    ['two values', dialects.epoch, 'X-RateLimit-Limit: 60\nX-RateLimit-Limit: 61', '! - -'],
    ['a list of two values', dialects.epoch, 'X-RateLimit-Limit: 60, 61', '! - -'],
    ['used/limit without one side', ['X-Limit used/limit'], 'X-Limit: 32', '! ! -'],
    ['used/limit with three', ['X-Limit used/limit'], 'X-Limit: 1/2/3', '! ! -'],
    ['a number for a duration', ['X-Reset reset duration'], 'X-Reset: 5', '- - !'],
    ['a duration for a number', ['X-Reset reset delta-s'], 'X-Reset: 5s', '- - !'],
    ['an epoch for a date', ['X-Reset reset iso-8601'], 'X-Reset: 1763812345', '- - !'],
    ['draft 07 for draft 11', dialects.draft11, 'RateLimit: limit=100, remaining=9, reset=30', '- ! !'],
    ['draft 11 for draft 07', dialects.draft07, 'RateLimit: "a";r=9;t=30', '! ! !'],
    ['a policy that is none', dialects.draft11, 'RateLimit-Policy: 100;w=60\nRateLimit: "a";r=9', '! 9 -'],
    ['numbers of draft 11 that are texts', dialects.draft11, 'RateLimit: "a";r="9";t=1.5', '- ! !'],
    ['numbers of draft 07 that are none', dialects.draft07, 'RateLimit: limit=a, remaining=9, reset=1.5', '! 9 !'],
    ['an empty field', dialects.draft11, 'RateLimit:\nRateLimit-Policy:', '! ! !'],
    ['an inner list', dialects.draft11, 'RateLimit: ("a" "b");r=9', '- ! !'],
  ])('%s', (_, fields, block, expected) => {
    expect(inShort(read(fields, block))).toBe(expected)
  })

  it('shows 80 characters of it at most', () => {
    const { limit, reset } = read(dialects.epoch, `X-RateLimit-Limit: ${'9'.repeat(100)}\nX-RateLimit-Reset: soon`)
    expect(limit).toEqual({ state: 'malformed', text: '9'.repeat(80) })
    expect(reset).toEqual({ state: 'malformed', text: 'soon' })
  })
})

describe('a field', () => {
  it.each([
    ['X-RateLimit-Limit: 60', true],
    ['X-RATELIMIT-limit:  60 ', true],
    ['X-RateLimit-Limit: 60.0', false],
    ['X-RateLimit-Limit: 60\nx-ratelimit-limit: 60', false],
    ['X-RateLimit-Limit: 60, 60', false],
  ])('%j is 60, plain: %s', (block, plain) => {
    expect(read(dialects.epoch, block).limit).toMatchObject({ state: 'number', value: 60, plain })
  })

  it.each([
    ['delta-s', '30', true],
    ['delta-s', '30.0', false],
    ['duration', '30s', true],
    ['duration', '30s, 30s', false],
  ])('that is a reset in %s, %j, is plain: %s', (unit, text, plain) => {
    expect(read([`X-Reset reset ${unit}`], `X-Reset: ${text}`).reset).toMatchObject({ value: 30, plain, from: 'now' })
  })

  it('with two meanings is read by the one that fits', () => {
    const both = [...dialects.draft07, ...dialects.draft11]
    expect(inShort(read(both, 'RateLimit-Policy: "a";q=60;w=60\nRateLimit: "a";r=9;t=30'))).toBe('60 9 30 now')
    expect(inShort(read(both, 'RateLimit-Policy: 60;w=60\nRateLimit: limit=60, remaining=9, reset=30'))).toBe(
      '60 9 30 now',
    )
  })

  it('that the contract lists first decides, malformed or not', () => {
    const fields = ['X-A remaining', 'X-B remaining']
    expect(inShort(read(fields, 'X-B: 5\nX-A: 4'))).toBe('- 4 -')
    expect(inShort(read(fields, 'X-B: 5\nX-A: soon'))).toBe('- ! -')
    expect(inShort(read(fields, 'X-B: 5'))).toBe('- 5 -')
  })
})

it('is read as of the interface, whatever the text, but for lists', () => {
  const texts = fc.oneof(
    fc.nat().map(String),
    fc.string().map((text) => text.replaceAll(',', '')),
    fc.constantFrom('60.0', '-1', '+1', ''),
  )
  fc.assert(
    fc.property(fc.array(texts, { maxLength: 3 }), (values) => {
      const headers = values.map((value): HeaderLine => ['X-RateLimit-Limit', value])
      expect(limitReader(madeContract(dialects.epoch), madeQuota())(headers).limit).toEqual(
        limitReader(petstore, petstore.quotas[0])(headers).limit,
      )
    }),
  )
})

it('reads every limit, remaining and reset that draft 11 can write', () => {
  const count = fc.nat(999_999_999)
  fc.assert(
    fc.property(count, count, count, fc.integer({ min: 1, max: 10 ** 9 }), (limit, remaining, reset, window) => {
      const block = `RateLimit-Policy: "p";q=${limit};w=${window}\nRateLimit: "p";r=${remaining};t=${reset}`
      const reading = read(dialects.draft11, block, { windowMs: window * 1000 })
      expect([numberOf(reading.limit), numberOf(reading.remaining)]).toEqual([limit, remaining])
      expect(reading.reset).toMatchObject({ value: reset, plain: true, from: 'now' })
    }),
  )
})
