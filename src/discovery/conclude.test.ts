import { describe, expect, it } from 'vitest'
import type { HeaderLine } from '../evidence/exchange.js'
import { headersIn } from '../readings/testing/made-contract.js'
import { conclude } from './conclude.js'
import type { Discovered } from './discovered.js'
import type { SeenAnswer } from './seen-fields.js'

/** Not on a grid of minutes. */
const wallStartMs = Date.UTC(2026, 0, 15, 10, 30, 23)
const nowS = wallStartMs / 1000

type Answering = (at: {
  readonly nth: number
  readonly ms: number
  readonly probe: string
  readonly credential: string | null
}) => {
  readonly status?: number
  readonly headers: string
}

/** Who asks for what, half a second after the one before; `-` waits two seconds. */
const played = (asked: string, answering: Answering): SeenAnswer[] => {
  let ms = 0
  let nth = 0
  return asked.split(' ').flatMap((each): SeenAnswer[] => {
    ms += each === '-' ? 2000 : 500
    if (each === '-') return []
    const [probe, caller = 'key'] = each.split('/')
    const credential = caller === 'anon' ? null : caller
    const { status = 200, headers } = answering({ nth: nth++, ms, probe, credential })
    return [{ probe, credential, sentAt: ms - 10, receivedAt: ms, status, headers: headersIn(headers) as HeaderLine[] }]
  })
}

const six = 'items items items items items items'
const concluded = (asked: string, answering: Answering): Discovered =>
  conclude(
    played(asked, answering),
    wallStartMs,
    [...new Set(asked.split(' ').map((each) => each.split('/')[0]))].filter((each) => each !== '-'),
  )

/** Preset or fields, limit, window in seconds: in a line. */
const inShort = ({ preset, fields, quotas }: Discovered): string[] => [
  preset ?? fields.map(({ field }) => `${field.name} ${field.is} ${field.as ?? ''}`.trim()).join(', '),
  ...quotas.map(
    ({ id, limit, windowMs }) =>
      `${id}: ${Object.values(limit?.is ?? {}).join()} in ${(windowMs?.is ?? Number.NaN) / 1000} s`,
  ),
]

const epochAt = (s: number) => Math.ceil(nowS + s)

describe('from a few answers', () => {
  it.each<[string, Answering, string[]]>([
    [
      'GitHub: an hour from the first request',
      ({ nth }) => ({
        headers: `x-ratelimit-limit: 5000
          x-ratelimit-remaining: ${4999 - nth}
          x-ratelimit-reset: ${epochAt(3600.5)}
          x-ratelimit-used: ${nth + 1}
          x-ratelimit-resource: core`,
      }),
      [
        'x-ratelimit-limit limit, x-ratelimit-remaining remaining, x-ratelimit-reset reset epoch-s, x-ratelimit-used used',
        'core: 5000 in 3600 s',
      ],
    ],
    [
      'X: a quarter of an hour, used before',
      ({ nth }) => ({
        headers: `x-rate-limit-limit: 900\nx-rate-limit-remaining: ${500 - nth}\nx-rate-limit-reset: ${Math.ceil(nowS / 900) * 900}`,
      }),
      [
        'x-rate-limit-limit limit, x-rate-limit-remaining remaining, x-rate-limit-reset reset epoch-s',
        'core: 900 in 900 s',
      ],
    ],
    [
      "an epoch of the clock's minute",
      ({ nth }) => ({
        headers: `X-RateLimit-Limit: 60\nX-RateLimit-Remaining: ${59 - nth}\nX-RateLimit-Reset: ${Math.ceil(nowS / 60) * 60}`,
      }),
      ['x-ratelimit-epoch', 'core: 60 in 60 s'],
    ],
    [
      'an epoch in milliseconds',
      ({ nth }) => ({
        headers: `X-RateLimit-Limit: 60\nX-RateLimit-Remaining: ${59 - nth}\nX-RateLimit-Reset: ${wallStartMs + 60_480}`,
      }),
      ['x-ratelimit-epoch-ms', 'core: 60 in 60 s'],
    ],
    [
      'Fastify: seconds from now',
      ({ nth, ms }) => ({
        headers: `x-ratelimit-limit: 60\nx-ratelimit-remaining: ${59 - nth}\nx-ratelimit-reset: ${Math.ceil(60.5 - ms / 1000)}`,
      }),
      ['x-ratelimit-delta', 'core: 60 in 60 s'],
    ],
    [
      'milliseconds from now',
      ({ nth, ms }) => ({
        headers: `x-ratelimit-limit: 60\nx-ratelimit-remaining: ${59 - nth}\nx-ratelimit-reset: ${60_500 - ms}`,
      }),
      ['x-ratelimit-delta-ms', 'core: 60 in 60 s'],
    ],
    [
      'Jira: ISO 8601, a second',
      ({ ms }) => ({
        headers: `X-RateLimit-Limit: 100\nX-RateLimit-Remaining: 99\nX-RateLimit-Reset: ${new Date(wallStartMs + ms + 1000).toISOString()}`,
      }),
      ['x-ratelimit-iso-8601', 'core: 100 in NaN s'],
    ],
    [
      'OpenAI: the time until a bucket is full',
      ({ nth }) => ({
        headers: `x-ratelimit-limit-requests: 60
          x-ratelimit-limit-tokens: 150000
          x-ratelimit-remaining-requests: ${59 - nth}
          x-ratelimit-remaining-tokens: ${149984 - 20 * nth}
          x-ratelimit-reset-requests: ${nth + 1}s
          x-ratelimit-reset-tokens: 6ms`,
      }),
      [
        'x-ratelimit-limit-requests limit, x-ratelimit-remaining-requests remaining, x-ratelimit-reset-requests reset duration',
        'core: 60 in 60 s',
      ],
    ],
    [
      'Shopify: how much is used, and no reset',
      ({ nth }) => ({ headers: `X-Shopify-Shop-Api-Call-Limit: ${nth + 1}/40` }),
      ['X-Shopify-Shop-Api-Call-Limit used/limit', 'core: 40 in NaN s'],
    ],
    [
      'Cloudflare: draft 11',
      ({ nth }) => ({ headers: `ratelimit: "default";r=${50 - nth};t=30\nratelimit-policy: "default";q=1200;w=300` }),
      ['draft-11', 'default: 1200 in 300 s'],
    ],
    [
      'two policies in draft 11',
      ({ nth }) => ({
        headers: `RateLimit-Policy: "permin";q=50;w=60, "perday";q=1000;w=86400
          RateLimit: "permin";r=${49 - nth};t=30, "perday";r=${800 - nth};t=400`,
      }),
      ['draft-11', 'permin: 50 in 60 s', 'perday: 1000 in 86400 s'],
    ],
    [
      'express-rate-limit, draft-7',
      ({ nth }) => ({ headers: `RateLimit-Policy: 100;w=900\nRateLimit: limit=100, remaining=${99 - nth}, reset=900` }),
      ['draft-07', 'core: 100 in 900 s'],
    ],
    [
      'express-rate-limit, draft-6',
      ({ nth, ms }) => ({
        headers: `RateLimit-Policy: 100;w=900
          RateLimit-Limit: 100
          RateLimit-Remaining: ${99 - nth}
          RateLimit-Reset: ${Math.ceil(900 - ms / 1000)}`,
      }),
      ['draft-06', 'core: 100 in 900 s'],
    ],
    [
      'the same in two dialects',
      ({ nth }) => ({
        headers: `RateLimit-Policy: 100;w=900
          RateLimit: limit=100, remaining=${99 - nth}, reset=900
          X-RateLimit-Limit: 100
          X-RateLimit-Remaining: ${99 - nth}`,
      }),
      [
        'RateLimit-Policy draft-07-policy, RateLimit draft-07, X-RateLimit-Limit limit, X-RateLimit-Remaining remaining',
        'core: 100 in 900 s',
      ],
    ],
    [
      'Kong: the window in the names',
      ({ nth }) => ({
        headers: `X-RateLimit-Limit-Minute: 60\nX-RateLimit-Remaining-Minute: ${59 - nth}`,
      }),
      ['X-RateLimit-Limit-Minute limit, X-RateLimit-Remaining-Minute remaining', 'core: 60 in 60 s'],
    ],
    ['Slack: nothing', () => ({ headers: 'Content-Type: application/json' }), ['none', 'core:  in NaN s']],
  ])('%s', (_, answering, expected) => {
    expect(inShort(concluded(six, answering))).toEqual(expected)
  })

  it('half a minute before its end, a window on the clock is not taken for one of half a minute', () => {
    const { quotas } = concluded(`- - - ${six}`, ({ nth }) => ({
      headers: `X-RateLimit-Limit: 60\nX-RateLimit-Remaining: ${59 - nth}\nX-RateLimit-Reset: ${Math.ceil(nowS / 60) * 60}`,
    }))
    expect(quotas[0].windowMs?.is).toBe(60_000)
  })

  it('a countdown is watched for each caller alone', () => {
    const begun = new Map<string | null, number>()
    const asked = 'items items items items items items/anon items/anon items'
    const { fields } = concluded(asked, ({ ms, credential }) => {
      const since = begun.get(credential) ?? ms
      begun.set(credential, since)
      return { headers: `X-RateLimit-Limit: 60\nX-RateLimit-Reset: ${Math.ceil(60 - (ms - since) / 1000)}` }
    })
    expect(fields[1]).toMatchObject({ field: { as: 'delta-s' }, because: 'it fell by 3 in 3.5 s: seconds from now' })
  })

  it('says what each conclusion rests on', () => {
    const { fields, quotas } = concluded(six, ({ nth }) => ({
      headers: `X-RateLimit-Limit: 60\nX-RateLimit-Remaining: ${59 - nth}\nX-RateLimit-Reset: ${Math.ceil(nowS / 60) * 60}`,
    }))
    expect(fields[2].because).toBe(`${Math.ceil(nowS / 60) * 60} is 37 s ahead of your clock: seconds since the epoch`)
    expect(quotas[0].windowMs?.because).toMatch(/multiple of 1m on the clock/)
    expect(quotas[0].limit?.because).toBe('answers to key showed a limit of 60')
  })
})

/** A fixed window of a minute from the first request, for each partition. */
const counting = (
  limit: number,
  partition: (at: Parameters<Answering>[0]) => string,
  cost = (_: string) => 1,
): Answering => {
  const used = new Map<string, number>()
  const begun = new Map<string, number>()
  return (at) => {
    const name = partition(at)
    const since = begun.get(name) ?? at.ms / 1000
    begun.set(name, since)
    used.set(name, (used.get(name) ?? 0) + cost(at.probe))
    return {
      headers: `X-RateLimit-Limit: ${limit}\nX-RateLimit-Remaining: ${limit - (used.get(name) ?? 0)}\nX-RateLimit-Reset: ${epochAt(since + 60)}`,
    }
  }
}
const both = 'items items items search search search items items items/anon items/anon items'

describe('what is counted together', () => {
  it.each<[string, Answering, string, string[]]>([
    [
      'probes of a credential',
      counting(60, ({ credential }) => `${credential}`),
      'credential',
      ['core: items, search'],
    ],
    ['all that come from an address', counting(60, () => ''), 'address', ['core: items, search']],
    [
      'each probe alone',
      counting(60, ({ credential, probe }) => `${credential} ${probe}`),
      'credential+request',
      ['core: items, search'],
    ],
  ])('%s', (_, answering, by, expected) => {
    const { quotas } = concluded(both, answering)
    expect(quotas.map(({ id, requests }) => `${id}: ${requests.is.join(', ')}`)).toEqual(expected)
    expect(quotas[0].by.is).toBe(by)
  })

  it('is told apart where a probe costs more', () => {
    const { quotas } = concluded(
      both,
      counting(
        600,
        ({ credential }) => `${credential}`,
        (probe) => (probe === 'search' ? 5 : 1),
      ),
    )
    expect(quotas).toMatchObject([{ requests: { is: ['items', 'search'] }, cost: { is: { search: 5 } } }])
  })

  it('is a quota of its own where its limit is another', () => {
    const items = counting(60, ({ credential }) => `${credential}`)
    const search = counting(10, ({ credential }) => `${credential}`)
    const { quotas } = concluded(both, (at) => (at.probe === 'items' ? items : search)(at))
    expect(quotas.map(({ id, limit, requests }) => [id, limit?.is.key, requests.is])).toEqual([
      ['core', 60, ['items']],
      ['core-search', 10, ['search']],
    ])
  })
})

describe('a refusal', () => {
  const refusedAt =
    (nth: number, status: number, headers: string): Answering =>
    (at) =>
      at.nth === nth ? { status, headers } : { headers: `X-RateLimit-Limit: 60\nX-RateLimit-Remaining: ${59 - at.nth}` }

  it.each<[string, number, string, object, object | null]>([
    ['a 429 with a wait', 429, 'Retry-After: 5', { status: [429], when: {} }, { as: ['seconds'] }],
    ['a 429 with a date', 429, 'Retry-After: Sun, 06 Nov 1994 08:49:37 GMT', { status: [429] }, { as: ['http-date'] }],
    ['a 429 without a wait', 429, '', { status: [429] }, null],
    [
      'a 403 with nothing left',
      403,
      'X-RateLimit-Limit: 60\nX-RateLimit-Remaining: 0',
      { status: [403], when: { 'x-ratelimit-remaining': '0' } },
      null,
    ],
  ])('%s', (_, status, headers, rule, wait) => {
    const { refusals, retryAfter } = concluded(six, refusedAt(5, status, headers))
    expect(refusals.is).toMatchObject([rule])
    if (wait === null) expect(retryAfter.is).toBeNull()
    else expect(retryAfter.is).toMatchObject(wait)
  })

  it('that was not seen is the usual one, and it says so', () => {
    const { refusals, retryAfter, unknown } = concluded(six, refusedAt(99, 429, ''))
    expect(retryAfter.is?.level).toBe('observe')
    expect(refusals).toMatchObject({
      is: [{ status: [429] }],
      because: expect.stringMatching(/no request was refused/),
    })
    expect(unknown).toContain('what a refusal looks like, and whether it names a wait: nothing was refused')
  })
})

describe('what stays open is said', () => {
  it.each<[string, string, Answering, RegExp]>([
    [
      'a window without a reset',
      six,
      ({ nth }) => ({ headers: `X-Limit-RateLimit: ${nth}/40` }),
      /the window of core: no answer says/,
    ],
    [
      'a window of which the reset tells too little',
      six,
      ({ nth }) => ({
        headers: `X-RateLimit-Limit: 60\nX-RateLimit-Remaining: ${40 - nth}\nX-RateLimit-Reset: ${epochAt(41)}`,
      }),
      /the window of core: Reset was .* the window is about that long, or longer/,
    ],
    ['a limit that is not shown', six, () => ({ headers: '' }), /the limit of core/],
    ['a count that does not fall', six, () => ({ headers: 'X-RateLimit-Remaining: 5' }), /Remaining did not fall/],
    [
      'tokens',
      six,
      ({ nth }) => ({ headers: `X-RateLimit-Limit: 6\nX-RateLimit-Limit-Tokens: ${9 - nth}` }),
      /Tokens show: .* not in this file/,
    ],
    [
      'a field that is unclear',
      six,
      () => ({ headers: 'X-RateLimit-Remaining: lots' }),
      /what this field says: X-RateLimit-Remaining: lots/,
    ],
    ['one credential', six, ({ nth }) => ({ headers: `X-RateLimit-Remaining: ${9 - nth}` }), /only one was used/],
    ['probes that show nothing', both, () => ({ headers: '' }), /whether search counts against the same quota/],
  ])('%s', (_, asked, answering, sentence) => {
    expect(concluded(asked, answering).unknown.join('\n')).toMatch(sentence)
  })

  it("that a reset so near is a bucket's next token, not a window", () => {
    const { quotas } = concluded(`${six} - items items - items items`, ({ nth, ms }) => ({
      headers: `X-RateLimit-Limit: 60\nX-RateLimit-Remaining: ${59 - nth}\nX-RateLimit-Reset: ${epochAt(ms / 1000 + 1)}`,
    }))
    expect(quotas[0].windowMs).toBeUndefined()
  })

  it('a second credential with a count and a limit of its own', () => {
    const [small, large] = [60, 300].map((limit) => counting(limit, ({ credential }) => `${credential}`))
    const asked = `${six} items/other items/other items`
    const { quotas } = concluded(asked, (at) => (at.credential === 'key' ? small : large)(at))
    expect(quotas[0]).toMatchObject({ limit: { is: { key: 60, other: 300 } }, by: { is: 'credential' } })
    expect(quotas[0].by.because).toMatch(/the credential other had shown 298, .*: they are counted separately/)
  })

  it('two credentials in one count, and that they may be of one caller', () => {
    const { quotas, unknown } = concluded(
      `${six} items/other items/other items`,
      counting(60, () => 'all'),
    )
    expect(quotas[0].by.is).toBe('address')
    expect(unknown.join()).toContain('whether the credentials belong to one caller')
  })

  it('that a request without the credential is turned away', () => {
    const { anonymous, quotas } = concluded('items items items/anon items', ({ nth, credential }) =>
      credential === null
        ? { status: 401, headers: '' }
        : { headers: `X-RateLimit-Limit: 60\nX-RateLimit-Remaining: ${59 - nth}` },
    )
    expect(anonymous).toEqual({ is: 'turned away', because: 'a request without the credential was answered 401' })
    expect(quotas[0].limit?.is).toEqual({ key: 60 })
  })
})
