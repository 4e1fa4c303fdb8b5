import type { ReceivedBody } from '../../evidence/decoded-body.js'

/**
 * The most JSON values that are read of a body. The densest inventory, of 46 bytes and three values an entry, has so
 * many in 7.3 MiB; a text of nothing but zeros and commas would take fifty times its size in memory.
 */
const mostValues = 500_000

const comma = 0x2c

/** The beginning of a body that holds no more values than can be read; all of it, nearly always. */
export const firstValues = (body: Buffer, most = mostValues): Buffer => {
  if (body.length <= most) return body
  let left = most
  for (let at = 0; at < body.length; at += 1) {
    if (body[at] === comma && --left === 0) return body.subarray(0, at)
  }
  return body
}

/** The body as far as it can be read; it says so where that is not all of it. */
export const readable = (body: ReceivedBody): ReceivedBody => {
  const content = firstValues(body.content)
  return content.length === body.content.length ? body : { ...body, content, truncated: true, isCut: true }
}
