import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { codingsIn, undoCodings } from './content-coding.js'

const text = Buffer.from(JSON.stringify(Array.from({ length: 200 }, (_, petId) => ({ petId, quantity: petId * 7 }))))
const roomy = 2 ** 20

describe('the codings of a body', () => {
  it.each<[string, readonly string[], Buffer]>([
    ['gzip', ['gzip'], gzipSync(text)],
    ['gzip by its old name', ['x-gzip'], gzipSync(text)],
    ['zlib', ['deflate'], deflateSync(text)],
    ['bare deflate', ['deflate'], deflateRawSync(text)],
    ['brotli', ['br'], brotliCompressSync(text)],
    ['two, in the order in which they were applied', ['gzip', 'br'], brotliCompressSync(gzipSync(text))],
    ['none', [], text],
  ])('are undone: %s', async (_name, codings, coded) => {
    expect(await undoCodings(coded, codings, roomy, false)).toEqual({ bytes: text, truncated: false })
  })

  it.each<[string, readonly string[], Buffer]>([
    ['that nobody knows', ['zebra'], text],
    ['whose name an object has of itself', ['constructor'], text],
    ['that the bytes are not in', ['gzip'], text],
    ['that the bytes are not in, brotli', ['br'], text],
    ['that breaks off', ['gzip'], gzipSync(text).subarray(0, 100)],
    ['too many of them', ['gzip', 'gzip', 'gzip', 'gzip'], text],
  ])('leave a body unread that is coded in one %s', async (_name, codings, coded) => {
    expect(await undoCodings(coded, codings, roomy, false)).toBeUndefined()
  })

  it.each([
    ['gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text, { params: {} })],
  ])('give what the beginning of a cut body holds: %s', async (coding, coded) => {
    const decoded = await undoCodings(coded.subarray(0, coded.length - 20), [coding], roomy, true)
    expect(decoded?.truncated).toBe(true)
    expect(text.subarray(0, decoded?.bytes.length)).toEqual(decoded?.bytes)
  })

  it('never give more than the bound, however much is in a few bytes', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 2 ** 20))
    const before = process.memoryUsage().arrayBuffers
    const decoded = await undoCodings(bomb, ['gzip'], 1000, false)
    expect(decoded).toEqual({ bytes: Buffer.alloc(1000), truncated: true })
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 2 ** 20)
  })

  it('have nothing to undo in a body of no bytes', async () => {
    const none = Buffer.alloc(0)
    expect(await undoCodings(none, ['gzip'], roomy, false)).toEqual({ bytes: none, truncated: false })
  })

  it.each([
    [['gzip'], ['gzip']],
    [['GZIP , br'], ['gzip', 'br']],
    [
      ['gzip', 'br'],
      ['gzip', 'br'],
    ],
    [['Identity'], []],
    [[], []],
    [[''], []],
  ])('are read from Content-Encoding: %j', (values, codings) => {
    expect(codingsIn(values)).toEqual(codings)
  })
})
