import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { gather, ResponseSamples } from './answers.js'

const head = (statusCode: number, headers: readonly string[] = []) => ({
  statusCode,
  statusMessage: 'Key k3y-value',
  headers,
  shouldKeepAlive: true,
})
const redact = (text: string) => text.replaceAll('k3y-value', '***')

test('two of each status are kept, of at most twenty', async () => {
  const samples = new ResponseSamples()
  for (let status = 201; status < 300; status++) for (let n = 0; n < 5; n++) samples.begin(status, head(status))
  expect((await samples.finish({ redact })).length).toBe(40)
})

test('of those served the first, second, fourth, eighth and so on are kept', async () => {
  const samples = new ResponseSamples()
  for (let row = 1; row <= 100; row++) samples.begin(row, head(200))
  expect((await samples.finish({ redact })).map(({ row }) => row)).toEqual([1, 2, 4, 8, 16, 32, 64])
})

test('a secret that is split over chunks, or cut by the bound, does not show', async () => {
  const samples = new ResponseSamples()
  const draft = samples.begin(0, head(200))
  for (const text of ['a k3y-', 'value', 'x'.repeat(20 * 1024 - 15), 'k3y-value']) {
    if (draft) gather(draft, Buffer.from(text))
  }
  const [{ reason, body }] = await samples.finish({ redact })
  expect(reason).toBe('Key ***')
  expect(body.content).toMatch(/^a \*\*\*x+$/)
  expect(body).toMatchObject({ truncated: true, bytes: 20 * 1024 + 5 })
})

test('bytes that are no text are kept as they came, without the secret', async () => {
  const samples = new ResponseSamples()
  const draft = samples.begin(0, head(200))
  if (draft) gather(draft, Buffer.concat([Buffer.from([0xff, 0xfe, 0x80]), Buffer.from('k3y-value')]))
  const [{ body }] = await samples.finish({ redact })
  expect(body.encoding).toBe('base64')
  expect(Buffer.from(body.content, 'base64')).toEqual(
    Buffer.concat([Buffer.from([0xff, 0xfe, 0x80]), Buffer.from('***')]),
  )
})

const sampleOf = async (headers: readonly string[], coded: Buffer) => {
  const samples = new ResponseSamples()
  const draft = samples.begin(0, head(200, headers))
  if (draft) gather(draft, coded)
  return (await samples.finish({ redact }))[0]
}

test('a coded body is kept as it was before, without the secret in it, and its header as it came', async () => {
  const { headers, body } = await sampleOf(['Content-Encoding', 'gzip'], gzipSync('a k3y-value b'))
  expect(body).toMatchObject({ encoding: 'utf8', content: 'a *** b', truncated: false, coding: 'undone' })
  expect(headers).toEqual([['Content-Encoding', 'gzip']])
})

test('of a coded body no more is kept than of another', async () => {
  const { body } = await sampleOf(['content-encoding', 'gzip'], gzipSync('x'.repeat(2 ** 20)))
  expect(body).toMatchObject({ truncated: true, content: 'x'.repeat(16 * 1024) })
})

test('what is in a coding that nobody knows is not kept: a secret could be in it', async () => {
  const { body } = await sampleOf(['Content-Encoding', 'zebra'], gzipSync('k3y-value'))
  expect(body).toMatchObject({ content: '', coding: 'unreadable' })
})

test('of very many headers those are kept that checks read', async () => {
  const samples = new ResponseSamples()
  const filler = Array.from({ length: 2_000 }, (_, nth) => [`a${nth}`, 'b']).flat()
  samples.begin(0, head(429, [...filler, 'retry-after', '5']))
  samples.begin(1, head(429, ['a', 'b', 'retry-after', '5']))
  const kept = (await samples.finish({ redact })).map(({ headers }) => headers)
  expect(kept).toEqual([
    [['retry-after', '5']],
    [
      ['a', 'b'],
      ['retry-after', '5'],
    ],
  ])
})
