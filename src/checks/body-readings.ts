import type { RecordedBody } from '../evidence/exchange.js'
import { type JsonReading, readJson } from '../kit/lossless-json.js'

const readings = new WeakMap<RecordedBody, JsonReading>()

/**
 * A recorded body as JSON, all digits kept. Read once: many checks look at the same answer, and many answers have the
 * same body.
 */
export const readBody = (body: RecordedBody): JsonReading => {
  const known = readings.get(body)
  if (known) return known
  const { encoding, content } = body
  if (encoding !== 'utf8') return { ok: false, reason: 'not-json', detail: 'the body is not UTF-8' }
  const reading = readJson(content)
  readings.set(body, reading)
  return reading
}
