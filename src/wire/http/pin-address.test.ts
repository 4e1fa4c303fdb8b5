import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { isLoopbackAddress, pinAddress } from './pin-address.js'

/** So long that a crowded machine is never the reason. */
const neverMs = 60_000

const open: Server[] = []
afterEach(() => {
  for (const server of open.splice(0)) server.close()
})

const listening = async (): Promise<number> => {
  const server = createServer((socket) => socket.destroy())
  open.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

it.each([
  ['http://127.0.0.1:8080/v1', { address: '127.0.0.1', family: 4 }],
  ['http://[::1]:8080/v1', { address: '::1', family: 6 }],
])('takes the address of %s as it is, and asks nobody', async (baseUrl, pinned) => {
  const resolve = () => Promise.reject(new Error('was asked'))
  expect(await pinAddress(baseUrl, { withinMs: neverMs, resolve })).toEqual(pinned)
})

it('takes the first address that accepts a connection', async () => {
  const port = await listening()
  const resolve = async () => [
    { address: '::1', family: 6 },
    { address: '127.0.0.1', family: 4 },
  ]
  const pinned = await pinAddress(`http://staging.test:${port}/v1`, { withinMs: neverMs, resolve })
  expect(pinned).toEqual({ address: '127.0.0.1', family: 4 })
})

it('takes the first where none accepts a connection', async () => {
  const resolve = async () => [
    { address: '127.0.0.1', family: 4 },
    { address: '127.0.0.2', family: 4 },
  ]
  const pinned = await pinAddress('http://staging.test:1/v1', { withinMs: neverMs, resolve })
  expect(pinned).toEqual({ address: '127.0.0.1', family: 4 })
})

it('says why a name leads nowhere, in good time', async () => {
  const fails = await pinAddress('http://staging.test/v1', {
    withinMs: neverMs,
    resolve: () => Promise.reject(new Error('getaddrinfo ENOTFOUND staging.test')),
  })
  expect(fails).toEqual({ error: new Error('getaddrinfo ENOTFOUND staging.test') })
  const hangs = await pinAddress('http://staging.test/v1', { withinMs: 20, resolve: () => new Promise(() => {}) })
  expect(hangs).toEqual({ error: new Error('the name staging.test was not resolved within 20 ms') })
  expect(await pinAddress('http://staging.test/v1', { withinMs: neverMs, resolve: async () => [] })).toHaveProperty(
    'error',
  )
})

it.each([
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['128.0.0.1', false],
  ['10.0.0.1', false],
  ['fe80::1', false],
])('knows whether %s is this machine: %s', (address, own) => {
  expect(isLoopbackAddress(address)).toBe(own)
})
