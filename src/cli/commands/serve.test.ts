import { describe, expect, it } from 'vitest'
import { publicWarning, whyNotListening } from './serve.js'

describe('a server that can not listen', () => {
  it.each([
    ['EADDRINUSE', 'another program listens at 127.0.0.1:8080 already; stop it, or use another port: --port 0'],
    ['EACCES', '--port 8080: this user may not listen there'],
    ['EADDRNOTAVAIL', '--host 127.0.0.1: this machine has no such address'],
    ['ENOTFOUND', '--host 127.0.0.1: no address has that name'],
    ['EAI_AGAIN', '--host 127.0.0.1: that name could not be looked up'],
  ])('says what to change: %s', (code, told) => {
    const error = whyNotListening(Object.assign(new Error('listen'), { code }), { host: '127.0.0.1', port: 8080 })
    expect(error).toMatchObject({ name: 'UsageError', message: expect.stringContaining(told) })
  })

  it('throws what is no matter of the place as it is', () => {
    const error = new Error('a defect')
    expect(whyNotListening(error, { host: '127.0.0.1', port: 0 })).toBe(error)
  })

  it('warns where other machines can reach it, and only there', () => {
    for (const host of ['127.0.0.1', '127.8.8.8', '::1', 'localhost']) expect(publicWarning(host)).toBeUndefined()
    for (const host of ['0.0.0.0', '::', '10.0.0.7', 'my-machine'])
      expect(publicWarning(host)).toContain('other machines')
  })
})
