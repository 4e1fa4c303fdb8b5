import type { RecordedBody } from '../../evidence/exchange.js'
import { type JsonReading, readJson } from '../../kit/lossless-json.js'
import { onceFor } from '../../kit/once-for.js'

/**
 * A recorded body as JSON, all digits kept. Read once: many checks look at the same answer, and many answers have the
 * same body.
 */
export const readBody = onceFor(
  ({ encoding, content }: RecordedBody): JsonReading =>
    encoding === 'utf8' ? readJson(content) : { ok: false, reason: 'not-json', detail: 'the body is not UTF-8' },
)
