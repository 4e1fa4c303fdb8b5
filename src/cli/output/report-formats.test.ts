import { expect, it } from 'vitest'
import { parseLink } from './report-formats.js'

it('a report is linked to as an address that can be written into anything', () => {
  expect(parseLink('https://ci.example/runs/a b')).toBe('https://ci.example/runs/a%20b')
  expect(() => parseLink('s3cret/42')).toThrow(/^--link is not an address: use one/)
  expect(() => parseLink('ftp://h/s3cret')).toThrow(/^--link: the address must begin with http/)
})
