import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJsonObject, JsonNumber, readJson, writeJson } from './json.js'
import { collectGarbage } from './testing/collect-garbage.js'

const parsed = (text: string) => {
  const reading = readJson(text)
  if (!reading.ok) throw new Error(reading.detail)
  return reading.value
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('reading JSON', () => {
  it.each(['9007199254740993', '-9223372036854775808', '5.0', '50e-1', '1E400', '0.1000'])(
    'keeps %s as it was written',
    (digits) => {
      expect(parsed(digits)).toEqual(new JsonNumber(digits))
      expect(writeJson(parsed(`{"a":[${digits}]}`))).toBe(`{"a":[${digits}]}`)
    },
  )

  it('loses no digit of any number, wherever it stands', () => {
    const number = fc
      .tuple(fc.bigInt(), fc.option(fc.nat()), fc.option(fc.integer({ min: -400, max: 400 })))
      .map(
        ([whole, fraction, exponent]) =>
          `${whole}${fraction === null ? '' : `.${fraction}`}${exponent === null ? '' : `e${exponent}`}`,
      )
    fc.assert(
      fc.property(number, (text) => {
        expect(writeJson(parsed(`[{"n":${text}}]`))).toBe(`[{"n":${text}}]`)
      }),
    )
  })

  it('reads every JSON text to what the platform reads, names such as __proto__ included', () => {
    const json = fc.json({ depthSize: 'small' })
    fc.assert(
      fc.property(json, (text) => {
        expect(JSON.parse(writeJson(parsed(text)))).toEqual(JSON.parse(text))
      }),
    )
    const reading = parsed('{"__proto__":{"quantity":1}}')
    expect(isJsonObject(reading) && Object.hasOwn(reading, '__proto__') && reading.quantity).toBeUndefined()
  })

  it('takes for JSON what the platform takes for JSON, and nothing else', () => {
    const nearly = fc
      .tuple(fc.json({ depthSize: 'small' }), fc.nat(), fc.string({ maxLength: 1 }))
      .map(([text, at, put]) => text.slice(0, at % (text.length + 1)) + put + text.slice((at % (text.length + 1)) + 1))
    fc.assert(
      fc.property(nearly, (text) => {
        expect(readJson(text).ok).toBe(isJson(text))
      }),
      { numRuns: 500 },
    )
  })

  it('counts the last of several values for one name', () => {
    expect(writeJson(parsed('{"a":1,"b":2,"a":3}'))).toBe('{"a":3,"b":2}')
  })

  it.each(['', '{', "{'a':1}", 'quantity=5', '[1,]', 'NaN', '01', '"\u0000"', '\uFEFF{}', '{"a":1} x'])(
    'says that %j is no JSON',
    (text) => {
      expect(readJson(text)).toMatchObject({ ok: false, reason: 'not-json' })
    },
  )

  it('keeps texts in about as much room as they took', async () => {
    const heapMb = async () => {
      await collectGarbage()
      return process.memoryUsage().heapUsed / 2 ** 20
    }
    const texts = Array.from({ length: 4 }, (_, nth) => `{"note":"${nth}${'x'.repeat(2 ** 20)}"}`)
    const before = await heapMb()
    const held = texts.map(parsed)
    expect((await heapMb()) - before).toBeLessThan(16)
    expect(held.map((each) => writeJson(each))).toEqual(texts)
  })

  it('says of what is nested too deeply that it is, and does not break', () => {
    const deep = 100_000
    expect(readJson('['.repeat(deep) + ']'.repeat(deep))).toMatchObject({ ok: false, reason: 'too-deep' })
    expect(readJson('['.repeat(deep)).ok).toBe(false)
  })
})

describe('writing JSON', () => {
  it('writes bigints and kept numbers digit for digit', () => {
    expect(writeJson({ a: 2n ** 63n, b: new JsonNumber('1.50'), c: [true, null, 'x'] })).toBe(
      '{"a":9223372036854775808,"b":1.50,"c":[true,null,"x"]}',
    )
  })

  it('writes null for what JSON can not hold', () => {
    expect(writeJson(undefined)).toBe('null')
  })
})

describe('a JSON object', () => {
  it.each([
    ['{}', true],
    ['[]', false],
    ['5', false],
    ['null', false],
    ['"x"', false],
  ])('%s: %s', (text, is) => {
    expect(isJsonObject(parsed(text))).toBe(is)
  })
})
