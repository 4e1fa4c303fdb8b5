import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Behaviour } from '../behaviour.js'
import { type Healthy, headText, plainHeaders, type Turn, whole } from '../front.js'
import { drip, flood } from './drip.js'

/** The healthy answer with another body in its place. */
const withBody =
  (bodyOf: (healthy: Healthy) => Buffer | string) =>
  ({ socket, healthy }: Turn): void =>
    void socket.write(whole({ ...healthy, body: Buffer.from(bodyOf(healthy)) }))

/** Only the list is another; what else is asked gets its healthy answer. */
const withList =
  (bodyOf: (list: string) => Buffer | string) =>
  ({ socket, healthy, method }: Turn): void => {
    const isList = method === 'GET' && healthy.status === 200
    const body = isList ? Buffer.from(bodyOf(healthy.body.toString())) : healthy.body
    socket.write(whole({ ...healthy, body }))
  }

const coded =
  (coding: string, encode: (body: Buffer) => Buffer) =>
  ({ socket, healthy }: Turn) =>
    void socket.write(whole({ ...healthy, body: encode(healthy.body) }, ['Content-Encoding', coding]))

const chunkedHead = (healthy: Healthy) =>
  headText(healthy.status, healthy.reason, [...plainHeaders(healthy), ['Transfer-Encoding', 'chunked']])

const megabyte = Buffer.alloc(2 ** 20, 'x')
/** At its best, brotli takes several milliseconds for an answer. */
const quickBrotli = (body: Buffer) =>
  brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MIN_QUALITY } })
/** 200 megabytes, in members of one: to press them as a whole takes a second of a processor. */
const bomb = Buffer.concat(Array<Buffer>(200).fill(gzipSync(Buffer.alloc(2 ** 20))))

/** What goes wrong in the body. */
export const bodies: readonly Behaviour[] = [
  {
    id: 'closes-in-body',
    does: 'closes in the middle of the body',
    kind: 'bad',
    act: ({ socket, healthy }) => void socket.end(whole(healthy).subarray(0, -5)),
  },
  {
    id: 'resets-in-body',
    does: 'resets the connection in the middle of the body',
    kind: 'bad',
    act: ({ socket, healthy }) => socket.write(whole(healthy).subarray(0, -5), () => socket.resetAndDestroy()),
  },
  {
    id: 'drips-body',
    does: 'sends its body a byte at a time',
    kind: 'bad',
    act({ socket, healthy }) {
      const bytes = whole(healthy)
      socket.write(bytes.subarray(0, bytes.length - healthy.body.length))
      drip(socket, healthy.body, 60)
    },
  },
  {
    id: 'endless-chunks',
    does: 'sends chunk after chunk without end',
    kind: 'bad',
    act({ socket, healthy }) {
      socket.write(chunkedHead(healthy))
      flood(socket, () => Buffer.concat([Buffer.from('10000\r\n'), megabyte.subarray(0, 65_536), Buffer.from('\r\n')]))
    },
  },
  {
    id: 'hundred-megabytes',
    does: 'sends a body of 100 MB',
    kind: 'bad',
    act({ socket, healthy }) {
      socket.write(
        headText(healthy.status, healthy.reason, [...plainHeaders(healthy), ['Content-Length', String(100 * 2 ** 20)]]),
      )
      let left = 100
      flood(socket, () => {
        left -= 1
        return left >= 0 ? megabyte : undefined
      })
    },
  },
  {
    id: 'broken-chunk-size',
    does: 'sends a chunk whose size is no number',
    kind: 'bad',
    act: ({ socket, healthy }) => void socket.write(`${chunkedHead(healthy)}zz\r\n${healthy.body}\r\n0\r\n\r\n`),
  },
  { id: 'gzip', does: 'compresses with gzip', kind: 'conforming', act: coded('gzip', gzipSync) },
  { id: 'brotli', does: 'compresses with brotli', kind: 'conforming', act: coded('br', quickBrotli), underLoad: false },
  {
    id: 'compression-bomb',
    does: 'sends 200 MB of zeros as 200 kB of gzip',
    kind: 'unproven',
    act: coded('gzip', () => bomb),
  },
  { id: 'false-coding', does: 'says gzip and sends plain JSON', kind: 'broken', act: coded('gzip', (body) => body) },
  {
    id: 'invalid-utf8',
    does: 'sends bytes that are no UTF-8',
    kind: 'broken',
    act: withBody(({ body }) => Buffer.from(body.toString().replace('a', '\xff'), 'latin1')),
  },
  {
    id: 'byte-order-mark',
    does: 'begins with a byte order mark',
    kind: 'broken',
    act: withBody(({ body }) => `\ufeff${body}`),
    underLoad: false,
  },
  {
    id: 'utf16',
    does: 'sends UTF-16',
    kind: 'broken',
    act: withBody(({ body }) => Buffer.from(`\ufeff${body}`, 'utf16le')),
    underLoad: false,
  },
  {
    id: 'deep-json',
    does: 'nests its JSON 100,000 deep',
    kind: 'bad',
    act: withList((list) => list.replace('{', `{"deep":${'['.repeat(100_000)}${']'.repeat(100_000)},`)),
  },
  {
    id: 'long-number',
    does: 'has numbers of 10,000 digits',
    kind: 'broken',
    act: withList((list) => list.replace(/"quantity":\d+/g, `"quantity":${'9'.repeat(10_000)}`)),
    underLoad: false,
  },
  {
    id: 'huge-exponent',
    does: 'has numbers such as 1e999999999',
    kind: 'broken',
    act: withList((list) => list.replace(/"petId":\d+/g, '"petId":1e999999999')),
    underLoad: false,
  },
  {
    id: 'duplicate-names',
    does: 'names a field twice, the second time as a text',
    kind: 'broken',
    act: withList((list) => list.replaceAll('"status"', '"quantity":"many","status"')),
    underLoad: false,
  },
  {
    id: 'proto-names',
    does: 'has fields called __proto__ and constructor',
    kind: 'conforming',
    act: withList((list) =>
      list.replaceAll('{', '{"__proto__":{"status":"sold","polluted":true},"constructor":{"prototype":{}},'),
    ),
    underLoad: false,
  },
  { id: 'empty-body', does: 'sends no body', kind: 'broken', act: withBody(() => ''), underLoad: false },
  {
    id: '204-with-body',
    does: 'answers 204, and a body behind it',
    kind: 'broken',
    act: ({ socket, healthy }) => void socket.write(whole({ ...healthy, status: 204, reason: 'No Content' })),
  },
  {
    id: '304-with-body',
    does: 'answers 304, and a body behind it',
    kind: 'bad',
    act: ({ socket, healthy }) => void socket.write(whole({ ...healthy, status: 304, reason: 'Not Modified' })),
  },
  {
    id: 'html',
    does: 'answers with a page of HTML that runs a script',
    kind: 'broken',
    act: withBody(() => '<!doctype html><script>alert(1)</script>'),
    underLoad: false,
  },
  {
    id: 'backslashes',
    does: 'sends 4 MB of backslashes, which a careless search takes hours over',
    kind: 'bad',
    act: withBody(() => '\\'.repeat(4 * 2 ** 20)),
  },
  {
    id: 'escapes',
    does: 'sends 4 MB of percent signs and entities',
    kind: 'bad',
    act: withBody(() => '%25&amp;#x'.repeat(400_000)),
    underLoad: false,
  },
]
