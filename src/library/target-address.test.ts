import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { targetAddress } from './vitest.js'

describe('the address of a target', () => {
  it.each<[string, unknown, string]>([
    ['a text', 'http://127.0.0.1:1/v1', 'http://127.0.0.1:1/v1'],
    ['a URL', new URL('http://127.0.0.1:1/v1'), 'http://127.0.0.1:1/v1'],
    ['a server that says its own', { url: 'http://127.0.0.1:1/v1' }, 'http://127.0.0.1:1/v1'],
    [
      'every address of this machine',
      { listening: true, address: () => ({ address: '::', port: 8080 }) },
      'http://127.0.0.1:8080',
    ],
    ['an IPv6 address', { listening: true, address: () => ({ address: '::1', port: 8080 }) }, 'http://[::1]:8080'],
  ])('is read from %s', async (_name, target, address) => {
    expect(await targetAddress(target)).toBe(address)
  })

  it('is known once a server of this process listens', async () => {
    const address = () => ({ address: '127.0.0.1', port: 8080 })
    const server = Object.assign(new EventEmitter(), { listening: false, address })
    const asked = targetAddress(server)
    server.emit('listening')
    expect(await asked).toBe('http://127.0.0.1:8080')
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['an app that does not listen', () => {}],
    ['a server on a pipe', { listening: true, address: () => '/tmp/x.sock' }],
  ])('is asked for in words where there is none: %s', async (_name, target) => {
    await expect(targetAddress(target)).rejects.toThrow(/app\.listen\(0\)/)
  })
})
