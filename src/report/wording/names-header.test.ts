import { expect, it } from 'vitest'
import { namesHeader } from './findings.js'

it.each([
  ['an update was answered 400, where 404 is due', 'Date', false],
  ['the Date is missing', 'date', true],
  ['Retry-After: 1 was too short', 'retry-after', true],
  ['X-RateLimit-Limit is 60', 'Limit', false],
  ['the Content-Type is text/html.', 'content-type', true],
])('in "%s", of %s: %s', (message, header, named) => {
  expect(namesHeader(message, header)).toBe(named)
})
