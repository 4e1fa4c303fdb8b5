import { createServer as createHttp2Server } from 'node:http2'
import type { Server } from 'node:net'
import type { Behaviour } from '../behaviour.js'
import { headText, whole } from '../front.js'
import { drip } from './drip.js'

const list = '[{"petId":1,"quantity":1,"status":"available"}]'

/** What goes wrong with connections, and with names. */
export const connections: readonly Behaviour[] = [
  { id: 'refuses', does: 'refuses connections', kind: 'unproven', closed: true, underLoad: false },
  { id: 'silent', does: 'accepts and says nothing', kind: 'unproven', act: () => {} },
  {
    id: 'closes-at-once',
    does: 'closes every connection at once',
    kind: 'unproven',
    onConnection: (socket) => void socket.end(),
    underLoad: false,
  },
  {
    id: 'resets-at-once',
    does: 'resets every connection at once',
    kind: 'unproven',
    onConnection: (socket) => void socket.resetAndDestroy(),
    underLoad: false,
  },
  {
    id: 'closes-unanswered',
    does: 'closes without an answer',
    kind: 'unproven',
    act: ({ socket }) => void socket.end(),
  },
  {
    id: 'resets-unanswered',
    does: 'resets the connection without an answer',
    kind: 'unproven',
    act: ({ socket }) => void socket.resetAndDestroy(),
  },
  {
    id: 'closes-after-each',
    does: 'closes the connection after each answer, and says so',
    kind: 'conforming',
    act: ({ socket, healthy }) => void socket.end(whole(healthy, ['Connection', 'close'])),
  },
  {
    id: 'drips-everything',
    does: 'answers a byte at a time, slowly',
    kind: 'unproven',
    act: ({ socket, healthy }) => drip(socket, whole(healthy), 50),
  },
  {
    id: 'answers-first',
    does: 'answers before it was asked',
    kind: 'bad',
    onConnection: (socket) =>
      void socket.write(
        `${headText(200, 'OK', [
          ['Content-Type', 'application/json'],
          ['Content-Length', String(list.length)],
        ])}${list}`,
      ),
    act: ({ socket, healthy }) => void socket.write(whole(healthy)),
    underLoad: false,
  },
  {
    id: 'http2-only',
    does: 'speaks HTTP/2 alone',
    kind: 'unproven',
    make: () => createHttp2Server((_request, response) => void response.end(list)) as unknown as Server,
    underLoad: false,
  },
  {
    id: 'name-of-nothing',
    does: 'has a name that resolves to nothing',
    kind: 'unproven',
    host: 'target.test',
    resolve: () => Promise.reject(new Error('getaddrinfo ENOTFOUND target.test')),
    underLoad: false,
  },
  {
    id: 'name-without-end',
    does: 'has a name that never resolves',
    kind: 'unproven',
    host: 'target.test',
    resolve: () => new Promise(() => {}),
    underLoad: false,
  },
  {
    id: 'ipv6-first',
    does: 'has a name that resolves to an IPv6 address first, where it does not listen',
    kind: 'conforming',
    host: 'localhost',
    resolve: async () => [
      { address: '::1', family: 6 },
      { address: '127.0.0.1', family: 4 },
    ],
  },
]
