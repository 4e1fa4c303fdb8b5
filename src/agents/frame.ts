/** A message as bytes: the length of its JSON, the JSON, and what follows it (the rows of a chunk). */
export const framed = (message: unknown, bytes: Uint8Array = new Uint8Array()): Buffer => {
  const json = Buffer.from(JSON.stringify(message))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(json.length)
  return Buffer.concat([length, json, bytes])
}

/** The message and what follows it; undefined where the bytes are no message. */
export const unframed = (bytes: Buffer): { readonly message: unknown; readonly rest: Buffer } | undefined => {
  if (bytes.length < 4) return undefined
  const end = 4 + bytes.readUInt32LE(0)
  if (end > bytes.length) return undefined
  try {
    return { message: JSON.parse(bytes.toString('utf8', 4, end)), rest: bytes.subarray(end) }
  } catch {
    return undefined
  }
}
