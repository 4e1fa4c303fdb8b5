import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseHttpDate } from './http-date.js'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const two = (value: number) => String(value).padStart(2, '0')

const forms = {
  'IMF-fixdate': (date: Date) => date.toUTCString(),
  'RFC 850': (date: Date) =>
    `${days[date.getUTCDay()]}, ${two(date.getUTCDate())}-${months[date.getUTCMonth()]}-${two(date.getUTCFullYear() % 100)} ` +
    `${date.toISOString().slice(11, 19)} GMT`,
  asctime: (date: Date) =>
    `${days[date.getUTCDay()].slice(0, 3)} ${months[date.getUTCMonth()]} ${String(date.getUTCDate()).padStart(2, ' ')} ` +
    `${date.toISOString().slice(11, 19)} ${date.getUTCFullYear()}`,
}

describe('an HTTP-date (RFC 9110 §5.6.7)', () => {
  it.each(['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])(
    'is read from the example %s',
    (text) => {
      expect(parseHttpDate(text)).toBe(Date.UTC(1994, 10, 6, 8, 49, 37))
    },
  )

  it.each(Object.entries(forms))('gives back every second between 1977 and 2076 in the form of %s', (_name, write) => {
    const seconds = fc.integer({ min: Date.UTC(1977, 0, 1) / 1000, max: Date.UTC(2076, 11, 31) / 1000 })
    fc.assert(
      fc.property(seconds, (each) => {
        expect(parseHttpDate(write(new Date(each * 1000)), 2026)).toBe(each * 1000)
      }),
    )
  })

  it('may name a leap second, which is the first second of the next day', () => {
    expect(parseHttpDate('Sat, 31 Dec 2016 23:59:60 GMT')).toBe(Date.UTC(2017, 0, 1))
  })

  it.each([
    [26, 'Thursday, 01-Jan-76 00:00:00 GMT', 2076],
    [26, 'Saturday, 01-Jan-77 00:00:00 GMT', 1977],
    [99, 'Friday, 01-Jan-99 00:00:00 GMT', 2099],
  ])('with two digits for the year is never more than 50 years ahead of 20%d', (year, text, means) => {
    expect(parseHttpDate(text, 2000 + year)).toBe(Date.UTC(means, 0, 1))
  })

  it.each([
    '',
    '120',
    'Sun, 31 Feb 2027 00:00:00 GMT',
    'Sun, 00 Jan 2027 00:00:00 GMT',
    'Sun, 06 Nov 1994 24:00:00 GMT',
    'Sun, 06 Nov 1994 08:60:00 GMT',
    'Sun, 06 Nov 1994 08:49:61 GMT',
    'Sun, 06 Nov 1994 08:49:37 CET',
    'Sun, 6 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nuv 1994 08:49:37 GMT',
    'sun, 06 nov 1994 08:49:37 gmt',
    '2026-01-01T00:00:00Z',
    'Sun, 06 Nov 1994 08:49:37 GMT and more',
  ])('is not %s', (text) => {
    expect(parseHttpDate(text)).toBeUndefined()
  })
})
