import type { Transform } from 'node:stream'
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  type ZlibOptions,
  constants as zlib,
} from 'node:zlib'

/** The `Accept-Encoding` of requests: the codings that {@link undoCodings} undoes (RFC 9110 §12.5.3). */
export const acceptedCodings = 'gzip, deflate, br'

interface Decoded {
  readonly bytes: Buffer
  /** The output exceeded the bound, or the coded form was cut: this is only the beginning. */
  readonly truncated: boolean
}

/** No honest body has more codings. */
const mostCodings = 3

/** The compression method in the first byte of zlib's format (RFC 1950 §2.2). */
const zlibDeflate = 8

type Decoder = (isCut: boolean, first: number) => Transform

const zlibOptions = (isCut: boolean): ZlibOptions => (isCut ? { finishFlush: zlib.Z_SYNC_FLUSH } : {})

const gunzip: Decoder = (isCut) => createGunzip(zlibOptions(isCut))

const decoders: Readonly<Record<string, Decoder>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  // `deflate` means zlib's format (RFC 9110 §8.4.1.2); some send bare deflate data, and every browser reads that too.
  deflate: (isCut, first) =>
    (first & 0x0f) === zlibDeflate ? createInflate(zlibOptions(isCut)) : createInflateRaw(zlibOptions(isCut)),
  br: (isCut) => createBrotliDecompress(isCut ? { finishFlush: zlib.BROTLI_OPERATION_FLUSH } : {}),
}

export const isKnownCoding = (coding: string): boolean => Object.hasOwn(decoders, coding)

/** The codings that `Content-Encoding` names, in the order in which they were applied; `identity` is none. */
export const codingsIn = (values: readonly string[]): string[] =>
  values
    .flatMap((value) => value.split(','))
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity')

/** Undoes one coding, and stops after `most` bytes, so that a small body never expands to gigabytes. */
const undo = (decoder: Transform, coded: Buffer, most: number, isCut: boolean): Promise<Decoded | undefined> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    const settle = (truncated: boolean) => resolve({ bytes: Buffer.concat(chunks).subarray(0, most), truncated })
    decoder.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size <= most) return
      settle(true)
      decoder.destroy()
    })
    decoder.on('end', () => settle(isCut))
    decoder.on('error', () => resolve(undefined))
    decoder.end(coded)
  })

/** Undoes the codings of a body, the last one first, up to `most` bytes. `isCut`: decode as much as is there. */
export const undoCodings = async (
  body: Buffer,
  codings: readonly string[],
  most: number,
  isCut: boolean,
): Promise<Decoded | undefined> => {
  if (codings.length > mostCodings) return undefined
  let decoded: Decoded = { bytes: body, truncated: isCut }
  for (const coding of codings.toReversed()) {
    const { bytes, truncated } = decoded
    if (!isKnownCoding(coding)) return undefined
    if (bytes.length === 0) continue
    const undone = await undo(decoders[coding](truncated, bytes[0]), bytes, most, truncated)
    if (!undone) return undefined
    decoded = undone
  }
  return decoded
}
