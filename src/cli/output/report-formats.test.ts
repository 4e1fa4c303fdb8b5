import { describe, expect, it } from 'vitest'
import { formatNames, parseFormat, parseLink } from './report-formats.js'

describe('the format that was typed', () => {
  it.each(formatNames)('may be %s', (name) => {
    expect(parseFormat(name)).toBe(name)
  })

  it.each([
    ['sarf', '--as sarf is no format: did you mean sarif? the formats are html, json, junit, '],
    ['prometheus', '--as prometheus is no format: the formats are html, json, junit, '],
    ['', '--as  is no format: '],
  ])('that is %j is refused with all that there are', (typed, sentence) => {
    expect(() => parseFormat(typed)).toThrow(sentence)
    expect(() => parseFormat(typed)).toThrow(/markdown, openmetrics, otlp, sarif$/)
  })
})

it('a report is linked to as an address that can be written into anything', () => {
  expect(parseLink('https://ci.example/runs/a b')).toBe('https://ci.example/runs/a%20b')
  expect(() => parseLink('s3cret/42')).toThrow(/^--link is no address: give one/)
  expect(() => parseLink('ftp://h/s3cret')).toThrow(/^--link: the address has to begin with http/)
})
