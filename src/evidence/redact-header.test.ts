import { describe, expect, it } from 'vitest'
import { redactHeader } from './kept-headers.js'
import { createRedactor } from './redaction.js'

const line = (secret: string, name: string, value: string) => {
  const redactor = createRedactor()
  redactor.hide(secret, '‹key›')
  return redactHeader([name, value], redactor)
}

describe('a header', () => {
  it.each([
    ['limit', 'X-RateLimit-Limit', '60'],
    ['reset', 'x-ratelimit-reset', '1700000000'],
    ['12345', 'X-RateLimit-Reset', '1700012345'],
    ['12345', 'Retry-After', '12345'],
    ['retry', 'Retry-After', 'Thu, 01 Jan 2026 00:00:00 GMT'],
    ['date', 'Date', 'Thu, 01 Jan 2026 00:00:00 GMT'],
    ['application', 'Content-Type', 'application/json; charset=utf-8'],
    ['content-type', 'Content-Type', 'application/json'],
    ['no-store', 'Cache-Control', 'no-store, max-age=0'],
    ['alive', 'Connection', 'keep-alive'],
    ['bearer', 'WWW-Authenticate', 'Bearer realm="pets"'],
    ['bearer', 'WWW-Authenticate', 'Bearer'],
  ])('is kept where the key is %j and it is %s: %s, as it is without any key', (secret, name, value) => {
    expect(line(secret, name, value)).toEqual([name, value])
  })

  it.each([
    ['limit', 'X-Limit', 'limit', 'X-‹key›', '‹key›'],
    ['limit', 'X-RateLimit-Limit', 'limit', 'X-RateLimit-Limit', '‹key›'],
    ['12345', 'X-Echo', '12345', 'X-Echo', '‹key›'],
    ['12345', 'X-RateLimit-Limit', '12345;w=60', 'X-RateLimit-Limit', '‹key›;w=60'],
    ['application', 'Content-Type', 'application/x-application', 'Content-Type', '‹key›/x-‹key›'],
    ['bearer', 'Authorization', 'Bearer bearer', 'Authorization', 'Bearer ‹key›'],
    ['bearer', 'Authorization', 'bearer', 'Authorization', '‹key›'],
    ['pets-key', 'WWW-Authenticate', 'Bearer error="pets-key"', 'WWW-Authenticate', 'Bearer error="‹key›"'],
  ])('loses the key %j from %s: %s wherever it can stand', (secret, name, value, cleanName, cleanValue) => {
    expect(line(secret, name, value)).toEqual([cleanName, cleanValue])
  })

  it('called as what every object inherits is no header that everybody knows', () => {
    expect(redactHeader(['constructor', 'x'], { redact: (text) => text.toUpperCase() })).toEqual(['CONSTRUCTOR', 'X'])
  })
})
