import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { accountOfKept, keptCredential, keyRing } from './bearer-keys.js'

const showing = (socket: Socket, ...authorizations: readonly string[]) => ({
  method: 'GET',
  url: '/v1/inventory',
  headers: { authorization: authorizations[0] },
  rawHeaders: authorizations.flatMap((each) => ['Authorization', each]),
  socket,
})

describe('the credential of a connection', () => {
  it('is the same object for as long as the header is the same', () => {
    const [credentialOf, socket] = [keptCredential(), new Socket()]
    const first = credentialOf(showing(socket, 'Bearer one'))
    expect(first).toEqual({ kind: 'token', token: 'one' })
    expect(credentialOf(showing(socket, 'Bearer one'))).toBe(first)
  })

  it.each([
    ['another key', ['Bearer two'], { kind: 'token', token: 'two' }],
    ['the same key with something behind it', ['Bearer one2'], { kind: 'token', token: 'one2' }],
    ['the same header twice', ['Bearer one', 'Bearer one'], { kind: 'malformed' }],
    ['no header', [], { kind: 'none' }],
  ])('is read anew where the next request shows %s', (_, shown, expected) => {
    const [credentialOf, socket] = [keptCredential(), new Socket()]
    credentialOf(showing(socket, 'Bearer one'))
    expect(credentialOf(showing(socket, ...shown))).toEqual(expected)
  })

  it("is no other connection's", () => {
    const credentialOf = keptCredential()
    const first = credentialOf(showing(new Socket(), 'Bearer one'))
    expect(credentialOf(showing(new Socket(), 'Bearer one'))).not.toBe(first)
  })
})

describe('the account of a credential', () => {
  it('is looked up once where there is one, and every time where there is none', () => {
    const ring = keyRing([{ plan: 'pro', secret: 'one' }])
    const asked: string[] = []
    const accountOf = accountOfKept((token) => {
      asked.push(token)
      return ring(token)
    })
    const [known, unknown] = (['one', 'two'] as const).map((token) => ({ kind: 'token', token }) as const)
    const [first, ...others] = [known, known, unknown, unknown].map(accountOf)
    expect([first?.plan, ...others]).toEqual(['pro', first, undefined, undefined])
    expect(asked).toEqual(['one', 'two', 'two'])
    expect(accountOf({ kind: 'none' })).toBeUndefined()
  })
})
