import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { buildApp } from '../petstore-app.js'

const keys = [{ plan: 'free', secret: 'free-key' }] as const

const read = { gzip: gunzipSync, br: brotliDecompressSync, deflate: inflateSync, none: (body: Buffer) => body }

const ask = async (variation: string, accepted: string | undefined) => {
  const app = buildApp({ keys, variations: [variation] })
  const headers = {
    authorization: 'Bearer free-key',
    ...(accepted === undefined ? {} : { 'accept-encoding': accepted }),
  }
  const { headers: told, rawPayload } = await app.inject({ url: '/v1/inventory', headers })
  const coding = (told['content-encoding'] ?? 'none') as keyof typeof read
  return { coding, text: read[coding](rawPayload).toString() }
}

describe('a coding of answers', () => {
  it.each([
    ['gzip-unless-ruled-out', undefined, 'gzip'],
    ['gzip-unless-ruled-out', 'gzip', 'gzip'],
    ['gzip-unless-ruled-out', 'br, GZIP;q=0.5', 'gzip'],
    ['gzip-unless-ruled-out', '*', 'gzip'],
    ['gzip-unless-ruled-out', 'identity', 'none'],
    ['gzip-unless-ruled-out', 'gzip;q=0, *', 'none'],
    ['gzip-unless-ruled-out', '', 'none'],
    ['another-coding-than-gzip', undefined, 'none'],
    ['another-coding-than-gzip', 'gzip', 'none'],
    ['another-coding-than-gzip', 'gzip, deflate', 'deflate'],
    ['another-coding-than-gzip', 'gzip, deflate, br', 'br'],
  ])('is, with %s and an Accept-Encoding of %s, %s', async (variation, accepted, expected) => {
    const { coding, text } = await ask(variation, accepted)
    expect(coding).toBe(expected)
    expect(JSON.parse(text)).toHaveLength(20)
  })
})
