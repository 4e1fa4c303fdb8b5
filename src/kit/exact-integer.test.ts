import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exactInteger } from './json.js'

describe('the integer that a number stands for', () => {
  it.each([
    ['5', 5n],
    ['-0', 0n],
    ['5.0', 5n],
    ['5.000', 5n],
    ['50e-1', 5n],
    ['0.5e1', 5n],
    ['1E+2', 100n],
    ['-12.50e1', -125n],
    ['0.0', 0n],
    ['0e99999', 0n],
    ['9007199254740993', 9007199254740993n],
    ['-9223372036854775808', -(2n ** 63n)],
    [`1${'0'.repeat(399)}`, 10n ** 399n],
  ])('is exact for %s', (text, integer) => {
    expect(exactInteger(text)).toBe(integer)
  })

  it.each([
    '5.5',
    '1e-1',
    '105e-2',
    '0.05e1',
    '',
    'abc',
    '5 ',
    '+5',
    '.5',
    '5.',
    '0x10',
    '1e',
    '1e401',
    '1e-999999999',
    '9'.repeat(401),
  ])('is none for %s', (text) => {
    expect(exactInteger(text)).toBeUndefined()
  })

  it('agrees with BigInt however the same number is written', () => {
    const written = fc
      .tuple(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), fc.nat(12), fc.nat(6))
      .map(([integer, shift, zeros]) => {
        const sign = integer < 0n ? '-' : ''
        const digits = String(integer < 0n ? -integer : integer).padStart(shift + 1, '0')
        const point = digits.length - shift
        const fraction = digits.slice(point) + '0'.repeat(zeros)
        return { integer, text: `${sign}${digits.slice(0, point)}${fraction && `.${fraction}`}e${shift}` }
      })
    fc.assert(
      fc.property(written, ({ integer, text }) => {
        expect(exactInteger(text)).toBe(integer)
      }),
    )
  })

  it('is none for any number with a part behind the point that is not zero', () => {
    const fraction = fc.tuple(fc.bigInt(), fc.nat(20), fc.integer({ min: 1, max: 9 }))
    fc.assert(
      fc.property(fraction, ([whole, zeros, last]) => {
        expect(exactInteger(`${whole}.${'0'.repeat(zeros)}${last}`)).toBeUndefined()
      }),
    )
  })
})
