import { createSecureServer } from 'node:http2'
import type { Server, Socket } from 'node:net'
import { createServer } from 'node:tls'
import type { Behaviour } from '../behaviour.js'
import { authority, expired, key, valid, wrongName } from '../certificates.js'
import { whole } from '../front.js'

const showing =
  (cert: string) =>
  (listener: (socket: Socket) => void): Server =>
    createServer({ key, cert }, listener)

/** Shows a valid certificate to the first two connections, and one for another name to the others. */
const changing = (listener: (socket: Socket) => void): Server => {
  const server = createServer({ key, cert: valid }, listener)
  let connections = 0
  server.on('connection', () => {
    connections += 1
    if (connections === 3) server.setSecureContext({ key, cert: wrongName })
  })
  return server
}

const secured = { scheme: 'https', flags: { ca: authority } } as const

/** What goes wrong with how a target proves who it is. */
export const certificates: readonly Behaviour[] = [
  {
    id: 'trusted',
    does: 'has a certificate of the authority that --ca names',
    kind: 'conforming',
    make: showing(valid),
    ...secured,
  },
  {
    id: 'insecure',
    does: 'has an expired certificate, and is asked with --insecure',
    kind: 'conforming',
    make: showing(expired),
    scheme: 'https',
    flags: { insecure: true },
  },
  {
    id: 'unknown-authority',
    does: 'has a certificate of an authority that nobody knows',
    kind: 'unproven',
    make: showing(valid),
    scheme: 'https',
    underLoad: false,
  },
  {
    id: 'wrong-name',
    does: 'has a certificate for another name',
    kind: 'unproven',
    make: showing(wrongName),
    underLoad: false,
    ...secured,
  },
  {
    id: 'expired',
    does: 'has a certificate that has expired',
    kind: 'unproven',
    make: showing(expired),
    underLoad: false,
    ...secured,
  },
  {
    id: 'changes-certificate',
    does: 'shows another certificate from the third connection on',
    kind: 'unproven',
    make: changing,
    act: ({ socket, healthy }) => void socket.end(whole(healthy, ['Connection', 'close'])),
    ...secured,
  },
  { id: 'no-tls', does: 'speaks plain HTTP where TLS is due', kind: 'unproven', scheme: 'https', underLoad: false },
  {
    id: 'http2-over-tls',
    does: 'speaks HTTP/2 alone, over TLS',
    kind: 'unproven',
    make: () => createSecureServer({ key, cert: valid, allowHTTP1: false }) as unknown as Server,
    underLoad: false,
    ...secured,
  },
]
