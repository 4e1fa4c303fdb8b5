import { isUtf8 } from 'node:buffer'
import { codingsIn, undoCodings } from '../kit/content-coding.js'
import { type HeaderLine, headerValues, type RecordedBody } from './exchange.js'

export interface ReceivedBody {
  readonly content: Buffer
  /** How many bytes came, whether kept or not. */
  readonly bytes: number
  /** Whether more came than was kept. */
  readonly truncated: boolean
  /** Whether its end is missing: it was truncated, or the answer broke off. */
  readonly isCut: boolean
  readonly coding?: RecordedBody['coding']
}

/**
 * The body with its content codings undone, so that the record can be read, and searched for secrets. Returns at most `most`
 * bytes. If a coding cannot be undone, the body is kept only if it is text, since a secret in other bytes could not be found.
 */
export const decodedBody = async (
  received: ReceivedBody,
  headers: readonly HeaderLine[],
  most: number,
): Promise<ReceivedBody> => {
  const codings = codingsIn(headerValues(headers, 'Content-Encoding'))
  if (codings.length === 0) return received
  const { content, truncated, isCut } = received
  const decoded = await undoCodings(content, codings, most, isCut)
  if (decoded) {
    const isShort = truncated || (decoded.truncated && !isCut) || decoded.bytes.length >= most
    const { bytes } = decoded
    return { content: bytes, bytes: bytes.length, truncated: isShort, isCut: isCut || isShort, coding: 'undone' }
  }
  if (isUtf8(content)) return { ...received, coding: 'unreadable' }
  return { ...received, content: Buffer.alloc(0), truncated: true, coding: 'unreadable' }
}
