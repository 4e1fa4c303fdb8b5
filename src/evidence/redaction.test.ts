import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canHide, createRedactor, shortestSecret } from './redaction.js'

const hiding = (secret: string) => {
  const redactor = createRedactor()
  redactor.hide(secret, '‹free key›')
  return redactor
}

const hex = (code: number, digits: number) => code.toString(16).padStart(digits, '0')

/** The ways in which one character may come back from a target. */
const characterSpellings: readonly ((character: string) => string)[] = [
  (c) => c,
  (c) => `%${hex(c.charCodeAt(0), 2)}`,
  (c) => `%${hex(c.charCodeAt(0), 2).toUpperCase()}`,
  (c) => `\\u${hex(c.charCodeAt(0), 4)}`,
  (c) => `\\u${hex(c.charCodeAt(0), 4).toUpperCase()}`,
  (c) => `\\x${hex(c.charCodeAt(0), 2)}`,
  (c) => `&#${c.charCodeAt(0)};`,
  (c) => `&#x${hex(c.charCodeAt(0), 1)};`,
  (c) => `${c}\u0000`,
  (c) => (/\W/.test(c) ? `\\${c}` : c),
  (c) => (/\W/.test(c) ? `\\\\\\${c}` : c),
  (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' })[c] ?? c,
]

/** The ways in which the whole of it may. */
const wholeSpellings: readonly ((secret: string) => string)[] = [
  (s) => s,
  (s) => s.toUpperCase(),
  (s) => encodeURIComponent(s),
  (s) => new URLSearchParams([['k', s]]).toString(),
  (s) => JSON.stringify({ key: s }),
  (s) => JSON.stringify(JSON.stringify({ key: s })),
  (s) => Buffer.from(s).toString('hex'),
  (s) => Buffer.from(s).toString('base64'),
  (s) => Buffer.from(s).toString('base64url'),
]

const printable = fc
  .string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((c) => String.fromCharCode(c)),
    minLength: shortestSecret,
    maxLength: 24,
  })
  .filter((each) => canHide(each))

/** What is left of a secret in text, once every spelling that a reader could undo is undone. */
const undone = (text: string): string =>
  text
    .replaceAll('\u0000', '')
    .replace(/%([0-9a-f]{2})/gi, (_all, code) => String.fromCharCode(Number.parseInt(code, 16)))

describe('redaction', () => {
  it.each([
    ['GET /v1?key=s3cr3t-key', 'GET /v1?key=‹free key›'],
    ['Bearer s3cr3t-keyx', 'Bearer ‹free key›x'],
    ['S3CR3T-KEY and s3cr3t-key', '‹free key› and ‹free key›'],
    ['s3cr3t%2Dkey', '‹free key›'],
    ['nothing of the kind', 'nothing of the kind'],
    ['', ''],
  ])('writes %s as %s', (text, clean) => {
    expect(hiding('s3cr3t-key').redact(text)).toBe(clean)
  })

  it('leaves everything as it is where nothing is hidden', () => {
    expect(createRedactor().redact('s3cr3t-key')).toBe('s3cr3t-key')
  })

  it('does not take the signs of a regular expression for more than themselves', () => {
    expect(hiding('a.b*(c').redact('aXbb(c a.b*(c')).toBe('aXbb(c ‹free key›')
  })

  it('gives each secret its own label, the longer one where one holds the other', () => {
    const redactor = hiding('abcdef')
    redactor.hide('abcdef-longer', '‹pro key›')
    redactor.hide('abcde', '‹free key, cut›')
    expect(redactor.redact('abcdef-longer abcdef abcde')).toBe('‹pro key› ‹free key› ‹free key, cut›')
  })

  it('hides what it is told of later, too', () => {
    const redactor = hiding('first-one')
    expect(redactor.redact('second-one')).toBe('second-one')
    redactor.hide('second-one', '‹pro key›')
    expect(redactor.redact('first-one second-one')).toBe('‹free key› ‹pro key›')
  })

  it('leaves what is too short to be told from text', () => {
    expect(hiding('abc').redact('abc')).toBe('abc')
    expect(hiding('abcd').redact('abcd')).toBe('‹free key›')
    expect(['abc', 'abcd', 'abc\\', '%41%42%43', ''].map((each) => canHide(each))).toEqual([
      false,
      true,
      false,
      false,
      false,
    ])
  })

  it('finds a key with an escape in it whose backslash is spelt', () => {
    expect(hiding('!\\x00!!').redact(' !%5Cx00!! ')).toBe(' ‹free key› ')
    expect(hiding('a\\x41bc').redact('a%5Cx41bc a\\x41bc')).toBe('‹free key› ‹free key›')
  })

  it('finds a key in Basic credentials, wherever it stands in the pair', () => {
    const redactor = hiding('pk_live_0123456789')
    for (const before of ['', 'u', 'us', 'use']) {
      for (const after of ['', ':', ':pw', ':pass']) {
        const encoded = Buffer.from(`${before}pk_live_0123456789${after}`).toString('base64')
        // Of the characters that it shares with its neighbours at most two are left.
        expect(redactor.redact(encoded)).toContain('‹free key›')
      }
    }
  })

  it('lets no secret through in any whole spelling', () => {
    fc.assert(
      fc.property(
        printable,
        fc.constantFrom(...wholeSpellings),
        fc.string(),
        fc.string(),
        (secret, spell, before, after) => {
          const clean = hiding(secret).redact(`${before} ${spell(secret)} ${after}`)
          expect(clean).toContain('‹free key›')
          if (!before.includes(secret) && !after.includes(secret)) expect(undone(clean)).not.toContain(secret)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('lets no secret through however each of its characters is spelt', () => {
    // A secret that itself looks like an escape can be mixed beyond recognition.
    const plain = printable.filter((secret) => !/[%&\\]/.test(secret))
    const spelt = plain.chain((secret) =>
      fc
        .array(fc.constantFrom(...characterSpellings), { minLength: secret.length, maxLength: secret.length })
        .map((spellings) => ({ secret, text: [...secret].map((c, i) => spellings[i](c)).join('') })),
    )
    fc.assert(
      fc.property(spelt, ({ secret, text }) => {
        expect(hiding(secret).redact(`{"key":"${text}"}`)).toContain('‹free key›')
      }),
      { numRuns: 500 },
    )
  })

  it('changes nothing in text that does not hold the secret', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(hiding('pk_live_0123456789abcdef').redact(text)).toBe(text)
      }),
    )
  })

  describe('of a body whose plain text is known', () => {
    const plain = [/"(?:status|quantity)"\s*:(?:\s*\d+(?=[,}]))?/g, /"status":"(?:sold)"/g]
    const cleaned = (secret: string, body: string) => {
      const redactor = createRedactor(plain)
      redactor.hide(secret, '‹free key›')
      return redactor.body(body)
    }

    it.each([
      ['status', '{"status":"status"}', '{"status":"‹free key›"}'],
      ['status', '{"a":"status","status":"sold"}', '{"a":"‹free key›","status":"sold"}'],
      ['12345', '{"quantity":12345,"a":12345}', '{"quantity":12345,"a":‹free key›}'],
      ['12345', '{"quantity":"12345"}', '{"quantity":"‹free key›"}'],
      ['"sold"', '{"status":"sold"}', '{"status":"sold"}'],
      ['"sold"', '{"a":"sold"}', '{"a":‹free key›}'],
      ['sold"}', '{"status":"sold"}', '{"status":"‹free key›'],
      ['status', '{"st\\u0061tus":1}', '{"‹free key›":1}'],
    ])('hides %j in %s where it is none of it', (secret, body, clean) => {
      expect(cleaned(secret, body)).toBe(clean)
    })

    it('lets no secret through beside it, and changes nothing without one', () => {
      const plainBody = '[{"petId":1,"status":"sold","quantity":5}]'
      fc.assert(
        fc.property(printable, fc.nat(plainBody.length), (secret, at) => {
          const text = `${plainBody.slice(0, at)} ${secret} ${plainBody.slice(at)}`
          expect(cleaned(secret, text)).toContain('‹free key›')
          if (!plainBody.includes(secret.toLowerCase())) expect(cleaned(secret, text)).not.toContain(secret)
        }),
        { numRuns: 500 },
      )
    })

    it('takes time in proportion to its length, however much of it is plain', () => {
      const body = '{"status":"sold","quantity":5,"a":"status"},'.repeat(50_000)
      expect(cleaned('status', body)).toBe(body.replaceAll('"a":"status"', '"a":"‹free key›"'))
    })
  })

  it('takes a million characters in its stride', () => {
    const redactor = hiding('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab')
    const text = 'a'.repeat(1_000_000)
    expect(redactor.redact(text)).toBe(text)
  })
})
