import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CredentialSpec } from '../../contract/api-contract.js'
import { type CredentialForm, credentialForms } from '../../evidence/credential-forms.js'
import { createRedactor } from '../../evidence/redaction.js'
import { seededRandom } from '../../kit/random.js'
import { createCredentials } from './credentials.js'

const secret = 'pk_Live-0123'

const free = { scheme: 'bearer', env: 'ACME_FREE' } as const

const make = (key = secret, agreed: Readonly<Record<string, CredentialSpec>> = { free }) => {
  const redactor = createRedactor()
  const secrets = new Map([
    ['free', key],
    ['pro', 'another-key'],
  ])
  return { redactor, credentials: createCredentials(secrets, redactor, seededRandom(1), agreed) }
}

describe('a credential', () => {
  it.each([
    ['bearer', `Bearer ${secret}`],
    ['lower-case-scheme', `bearer ${secret}`],
    ['upper-case-scheme', `BEARER ${secret}`],
    ['empty-bearer', 'Bearer '],
    ['basic', `Basic ${Buffer.from(`${secret}:`).toString('base64')}`],
    ['basic-scheme-with-key', `Basic ${secret}`],
    ['bearer-twice', `Bearer Bearer ${secret}`],
    ['bare-key', secret],
    ['key-cut-by-one', 'Bearer pk_Live-012'],
    ['key-extended', `Bearer ${secret}x`],
    ['key-last-changed', 'Bearer pk_Live-012F'],
    ['key-middle-changed', 'Bearer pk_Liv7-0123'],
    ['key-percent-encoded', 'Bearer %70%6b%5f%4c%69%76%65%2d%30%31%32%33'],
    ['null-as-key', 'Bearer null'],
    ['property-as-key', 'Bearer constructor'],
    ['another-scheme', `Token ${secret}`],
    ['key-in-other-case', 'Bearer PK_lIVE-0123'],
    ['key-cut-at-front', `Bearer ${secret.slice(1)}`],
    ['key-and-more', `Bearer ${secret} more`],
    ['key-and-comma', `Bearer ${secret},more`],
    ['trailing-blanks', `Bearer ${secret}  `],
    ['tab-after-scheme', `Bearer\t${secret}`],
    ['blanks-after-scheme', `Bearer   ${secret}`],
  ] as const)('in the form %s is the header %j', (form, value) => {
    const rendered = make().credentials.render({ form, key: 'free' })
    expect(rendered).toEqual({ headers: [['Authorization', value]], query: '' })
  })

  it.each([
    [
      { scheme: 'bearer', env: 'ACME_FREE' },
      ['Authorization', `bearer ${secret}`],
      ['Authorization', `BEARER ${secret}`],
    ],
    [
      { scheme: 'basic', env: 'ACME_FREE' },
      ['Authorization', `basic ${Buffer.from(secret).toString('base64')}`],
      ['Authorization', `BASIC ${Buffer.from(secret).toString('base64')}`],
    ],
    [{ scheme: 'header', name: 'X-Key', env: 'ACME_FREE' }, ['X-Key', secret], ['X-Key', secret]],
  ] as const)('of a contract, %j, has its scheme in other letter case as %j and %j', (spec, lower, upper) => {
    const { credentials } = make(secret, { free: spec })
    const sent = (form: CredentialForm) => credentials.render({ form, key: 'free' }).headers
    expect([sent('lower-case-scheme'), sent('upper-case-scheme')]).toEqual([[lower], [upper]])
  })

  it.each([
    ['key-10', ['key-1', 'key-2'], 'key-', 'key-10x'],
    ['key-a', ['key-', 'key-ax'], 'key', 'key-axx'],
    ['12345', [], '1234', '12345x'],
    ['key-2024', [], 'key-202', 'key-2024x'],
    ['secret', [], 'secre', 'secretx'],
  ])('of %s beside the keys %j is cut short, and extended, to what is no key', (key, others, cut, longer) => {
    const secrets = new Map([key, ...others].map((each, i) => [`plan${i}`, each]))
    const credentials = createCredentials(secrets, createRedactor(), seededRandom(1))
    const sent = (form: 'key-cut-by-one' | 'key-extended') => credentials.render({ form, key: 'plan0' }).headers[0][1]
    expect([sent('key-cut-by-one'), sent('key-extended')]).toEqual([`Bearer ${cut}`, `Bearer ${longer}`])
  })

  it.each([
    ['key-1', [], 'key-F'],
    ['key-a', ['key-7'], 'key-8'],
    ['signed-w', [], 'signed-F'],
    ['key-10', ['key-1'], 'key-1F'],
  ])('%s beside the keys %j with another last character is no key, and hidden', (key, others, changed) => {
    const redactor = createRedactor()
    const secrets = new Map([key, ...others].map((each, i) => [`plan${i}`, each]))
    const credentials = createCredentials(secrets, redactor, seededRandom(1))
    const [[, value]] = credentials.render({ form: 'key-last-changed', key: 'plan0' }).headers
    expect(value).toBe(`Bearer ${changed}`)
    expect(redactor.redact(value)).toMatch(/^Bearer ‹.*›[F8]$/)
  })

  it('in other letter case is none of the other keys, and hidden', () => {
    const redactor = createRedactor()
    const secrets = new Map(Object.entries({ free: 'same-key', pro: 'SAME-KEY' }))
    const credentials = createCredentials(secrets, redactor, seededRandom(1))
    const [[, value]] = credentials.render({ form: 'key-in-other-case', key: 'free' }).headers
    expect(value).toBe('Bearer SAME-KEYx')
    expect(redactor.redact(value)).toBe('Bearer ‹free key in other letter case›')
  })

  const pairOf = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`
  it.each([
    [{ scheme: 'bearer' }, secret, [['Authorization', 'Bearer PK_lIVE-0123']], '', '‹free key in other letter case›'],
    [
      { scheme: 'basic' },
      'Shop-1:Pass:Word',
      [['Authorization', pairOf('sHOP-1:Pass:Word')]],
      '',
      '‹Basic pair of the free key in other letter case›',
    ],
    [{ scheme: 'header', name: 'X-Key' }, secret, [['X-Key', 'PK_lIVE-0123']], '', '‹free key in other letter case›'],
    [{ scheme: 'query', name: 'key' }, secret, [], 'key=PK_lIVE-0123', '‹free key in other letter case›'],
    [
      { scheme: 'cookie', name: 'sid' },
      secret,
      [['Cookie', 'sid=PK_lIVE-0123']],
      '',
      '‹free key in other letter case›',
    ],
  ] as const)(
    'of a contract, %j, goes in other letter case where it is agreed, and is hidden',
    (spec, key, headers, query, shown) => {
      const { credentials, redactor } = make(key, { free: { ...spec, env: 'ACME_FREE' } })
      const sent = credentials.render({ form: 'key-in-other-case', key: 'free' })
      expect(sent).toEqual({ headers, query })
      expect(redactor.redact(sent.headers[0]?.[1] ?? sent.query)).toMatch(new RegExp(`${shown}$`))
    },
  )

  it('of a contract that nobody was given goes where it is agreed, and is hidden', () => {
    const { credentials, redactor } = make('shop:word', { free: { scheme: 'basic', env: 'ACME_FREE' } })
    const [[, value]] = credentials.render({ form: 'unknown-key', key: 'free' }).headers
    expect(value).toMatch(/^Basic /)
    expect(value).not.toBe(pairOf('shop:word'))
    expect(redactor.redact(value)).toBe('Basic ‹unknown key›')
  })

  it('cut by more than a character says by how many', () => {
    const { credentials, redactor } = make('key-10')
    const [[, value]] = credentials.render({ form: 'key-cut-by-one', key: 'free' }).headers
    expect(redactor.redact(value)).toBe('Bearer ‹free key, its last 2 characters cut off›')
  })

  it('that is none sends nothing', () => {
    expect(make().credentials.render({ form: 'none' })).toEqual({ headers: [], query: '' })
  })

  it('goes where it is said to go, encoded as that place asks', () => {
    const { credentials } = make('a&b=c;d+e')
    const spelt = 'a%26b%3Dc%3Bd%2Be'
    expect(credentials.render({ form: 'cookie', key: 'free' }).headers).toEqual([
      ['Cookie', `api_key=${spelt}; access_token=${spelt}`],
    ])
    expect(credentials.render({ form: 'query-access-token', key: 'free' }).query).toBe(`access_token=${spelt}`)
    expect(credentials.render({ form: 'query-api-key', key: 'free' }).query).toBe(`api_key=${spelt}`)
  })

  it('in two headers has the unknown key first and the valid one second', () => {
    const { headers } = make().credentials.render({ form: 'two-headers', key: 'free' })
    expect(headers.map(([name]) => name)).toEqual(['Authorization', 'Authorization'])
    expect(headers[0][1]).not.toBe(headers[1][1])
    expect(headers[1][1]).toBe(`Bearer ${secret}`)
  })

  it('of a key that is not at hand is a defect', () => {
    expect(() => make().credentials.render({ form: 'bearer', key: 'business' })).toThrow('no key is named business')
  })
})

describe('an unknown key', () => {
  const unknown = (credentials: ReturnType<typeof make>['credentials'], key = 'free') =>
    credentials.render({ form: 'unknown-key', key }).headers[0][1].slice('Bearer '.length)

  it('is made as the key is, and is another one', () => {
    const shape = (text: string) => text.replace(/\d/g, '9').replace(/[a-z]/g, 'a').replace(/[A-Z]/g, 'A')
    const made = unknown(make().credentials)
    expect(made).not.toBe(secret)
    expect(shape(made)).toBe(shape(secret))
  })

  it('stays the same through a run, and is one for each key', () => {
    const { credentials } = make()
    expect(unknown(credentials)).toBe(unknown(credentials))
    expect(unknown(credentials, 'pro')).not.toBe(unknown(credentials))
  })

  it('is no key that is at hand, even where keys are short and much alike', () => {
    const digits = fc.uniqueArray(fc.nat(9), { minLength: 2, maxLength: 9 })
    fc.assert(
      fc.property(digits, fc.integer(), (numbers, seed) => {
        const secrets = new Map(numbers.map((digit) => [`k${digit}`, `---${digit}`]))
        const credentials = createCredentials(secrets, createRedactor(), seededRandom(seed))
        for (const name of secrets.keys()) expect([...secrets.values()]).not.toContain(unknown(credentials, name))
      }),
    )
    expect(unknown(make('----').credentials)).toMatch(/^----\d+$/)
  })
})

describe('a credential of a contract file', () => {
  const pair = Buffer.from(secret).toString('base64')
  it.each([
    [{ scheme: 'bearer' }, { headers: [['Authorization', `Bearer ${secret}`]], query: '' }],
    [{ scheme: 'basic' }, { headers: [['Authorization', `Basic ${pair}`]], query: '' }],
    [
      { scheme: 'header', name: 'X-Api-Key' },
      { headers: [['X-Api-Key', secret]], query: '' },
    ],
    [
      { scheme: 'query', name: 'api key' },
      { headers: [], query: 'api%20key=pk_Live-0123' },
    ],
    [
      { scheme: 'cookie', name: 'session' },
      { headers: [['Cookie', `session=${secret}`]], query: '' },
    ],
    [{ scheme: 'none' }, { headers: [], query: '' }],
  ] as const)('of the scheme %j is sent as it says, and not told to anybody else', (scheme, rendered) => {
    const { redactor, credentials } = make(secret, { free: scheme })
    expect(credentials.render({ form: 'agreed', key: 'free' })).toEqual(rendered)
    const shown = redactor.redact(JSON.stringify(rendered))
    expect(shown).not.toContain(secret)
    expect(shown).not.toContain(pair)
  })
})

describe('every form', () => {
  it('is told to the redactor before it goes out, the key cut short as well', () => {
    const { redactor, credentials } = make()
    for (const form of Object.keys(credentialForms) as CredentialForm[]) {
      const { headers, query } = credentials.render({ form, key: 'free' })
      const shown = redactor.redact([...headers.map(([, value]) => value), query].join('\n'))
      expect(shown).not.toContain(secret)
      expect(shown).not.toContain(secret.slice(0, -1))
      expect(shown.replace(/‹[^›]*›/g, '')).not.toMatch(/\d{3}/)
    }
  })

  it('says in the record what it was', () => {
    const { redactor, credentials } = make()
    const shown = (form: CredentialForm) => redactor.redact(credentials.render({ form, key: 'free' }).headers[0][1])
    expect(shown('bearer')).toBe('Bearer ‹free key›')
    expect(shown('key-cut-by-one')).toBe('Bearer ‹free key, its last character cut off›')
    expect(shown('key-cut-at-front')).toBe('Bearer ‹free key, its first character cut off›')
    expect(shown('key-extended')).toBe('Bearer ‹free key›x')
    expect(shown('basic')).toBe('Basic ‹Basic pair of the free key›')
    expect(shown('unknown-key')).toBe('Bearer ‹unknown key›')
  })
})
