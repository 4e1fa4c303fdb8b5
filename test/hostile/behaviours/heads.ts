import type { HeaderLine } from '../../../src/evidence/exchange.js'
import type { Behaviour } from '../behaviour.js'
import { type Healthy, headText, plainHeaders, type Turn, whole } from '../front.js'
import { drip, flood } from './drip.js'

/** A head with these headers after the usual ones, and the healthy body behind it. */
const framed = ({ status, reason, headers, body }: Healthy, ...framing: readonly HeaderLine[]): Buffer =>
  Buffer.concat([
    Buffer.from(headText(status, reason, [...plainHeaders({ status, reason, headers, body }), ...framing]), 'latin1'),
    body,
  ])

const answering =
  (bytesOf: (healthy: Healthy) => Buffer) =>
  ({ socket, healthy }: Turn): void =>
    void socket.write(bytesOf(healthy))

const rewritten = (change: (text: string) => string) =>
  answering((healthy) => Buffer.from(change(whole(healthy).toString('latin1')), 'latin1'))

const length = ({ body }: Healthy, more = 0): HeaderLine => ['Content-Length', String(body.length + more)]

/** What goes wrong before the body. */
export const heads: readonly Behaviour[] = [
  {
    id: 'drips-head',
    does: 'sends its head a byte at a time',
    kind: 'unproven',
    act: ({ socket, healthy }) => drip(socket, whole(healthy), 60),
  },
  {
    id: 'closes-in-head',
    does: 'closes in the middle of the head',
    kind: 'unproven',
    act: ({ socket, healthy }) => void socket.end(whole(healthy).subarray(0, 40)),
  },
  {
    id: 'endless-head',
    does: 'sends a head without end',
    kind: 'unproven',
    act({ socket }) {
      socket.write('HTTP/1.1 200 OK\r\n')
      flood(socket, () => `X-Filler: ${'f'.repeat(1_000)}\r\n`.repeat(16))
    },
  },
  {
    id: 'endless-line',
    does: 'sends a header line without end',
    kind: 'unproven',
    act({ socket }) {
      socket.write('HTTP/1.1 200 OK\r\nX-Filler: ')
      flood(socket, () => 'f'.repeat(16_384))
    },
    underLoad: false,
  },
  {
    id: 'header-of-a-megabyte',
    does: 'sends a header of 1 MB',
    kind: 'unproven',
    act: answering((healthy) => whole(healthy, ['X-Filler', 'f'.repeat(2 ** 20)])),
    underLoad: false,
  },
  {
    id: 'ten-thousand-headers',
    does: 'sends 10,000 headers',
    kind: 'unproven',
    act: answering((healthy) =>
      whole(healthy, ...Array.from({ length: 10_000 }, (_, n): HeaderLine => [`X-${n}`, '1'])),
    ),
  },
  {
    id: 'folded-header',
    does: 'folds a header over two lines, which RFC 9112 forbids',
    kind: 'bad',
    act: rewritten((text) => text.replace(/(x-ratelimit-limit:) /i, '$1\r\n ')),
  },
  {
    id: 'bare-line-feeds',
    does: 'ends its lines with a line feed alone',
    kind: 'bad',
    act: answering((healthy) => {
      const [head] = whole(healthy).toString('latin1').split('\r\n\r\n')
      return Buffer.concat([Buffer.from(`${head.replaceAll('\r\n', '\n')}\n\n`, 'latin1'), healthy.body])
    }),
  },
  {
    id: 'nul-in-header',
    does: 'has a NUL in a header',
    kind: 'unproven',
    act: answering((healthy) => whole(healthy, ['X-Odd', 'a\0b'])),
  },
  {
    id: 'controls-in-header',
    does: 'has control characters in the values of X-RateLimit-*',
    kind: 'bad',
    act: rewritten((text) => text.replace(/(x-ratelimit-\w+: )(\d+)/gi, '$1\u0001\u001b[31m$2')),
    underLoad: false,
  },
  {
    id: 'two-lengths',
    does: 'names two lengths that differ',
    kind: 'unproven',
    act: answering((healthy) => framed(healthy, length(healthy), length(healthy, 7))),
  },
  {
    id: 'length-too-short',
    does: 'names a length shorter than its body',
    kind: 'bad',
    act: answering((healthy) => framed(healthy, length(healthy, -Math.min(5, healthy.body.length)))),
  },
  {
    id: 'length-too-long',
    does: 'names a length longer than its body',
    kind: 'bad',
    act: answering((healthy) => framed(healthy, length(healthy, 10))),
  },
  {
    id: 'length-below-zero',
    does: 'names a length below zero',
    kind: 'unproven',
    act: answering((healthy) => framed(healthy, ['Content-Length', '-5'])),
  },
  {
    id: 'length-and-chunks',
    does: 'names a length and sends chunks, which smugglers do',
    kind: 'unproven',
    act: answering((healthy) =>
      Buffer.concat([
        framed({ ...healthy, body: Buffer.alloc(0) }, length(healthy), ['Transfer-Encoding', 'chunked']),
        Buffer.from(`${healthy.body.length.toString(16)}\r\n`),
        healthy.body,
        Buffer.from('\r\n0\r\n\r\n'),
      ]),
    ),
  },
  {
    id: 'early-hints',
    does: 'sends a 103 before the answer',
    kind: 'conforming',
    act: answering((healthy) =>
      Buffer.concat([Buffer.from('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'), whole(healthy)]),
    ),
  },
  {
    id: 'endless-hints',
    does: 'sends 103 after 103 and never an answer',
    kind: 'unproven',
    act({ socket }) {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'), 20)
      socket.once('close', () => clearInterval(timer))
    },
  },
  {
    id: 'switches-protocols',
    does: 'answers 101 and speaks something else',
    kind: 'unproven',
    act: ({ socket }) =>
      void socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: chat\r\nConnection: Upgrade\r\n\r\nhello'),
  },
  {
    id: 'http-0.9',
    does: 'answers with a body alone, as HTTP/0.9 did',
    kind: 'unproven',
    act: ({ socket, healthy }) => void socket.end(healthy.body),
  },
  {
    id: 'status-of-four-digits',
    does: 'answers with the status 2000',
    kind: 'unproven',
    act: rewritten((text) => text.replace(/^HTTP\/1.1 \d+/, 'HTTP/1.1 2000')),
  },
]
