import { type Answered, headerValues } from '../../evidence/exchange.js'
import { codingsIn, isKnownCoding } from '../../kit/content-coding.js'
import { readJson } from '../../kit/lossless-json.js'

/**
 * Why a body can't be read.
 *
 * - `coded`: in a coding that can't be undone. The target's doing: nobody can read it.
 * - `broken-off`: the connection ended before the body did. Once it may be anybody's doing, most of the time it is the
 *   target's.
 * - `cut-by-us`: a limit of the harness ended it, or the run did.
 * - `mislabelled`: text that can be read as it stands, under the name of a coding that nobody knows.
 */
export type Unread = 'coded' | 'broken-off' | 'cut-by-us' | 'mislabelled'

const interrupted = 'INTERRUPTED'
const timedOut = 'UND_ERR_BODY_TIMEOUT'

/** Whether all of the body came, and its head had promised more. */
const promisedMore = ({ response: { headers, body } }: Answered): boolean =>
  headerValues(headers, 'Content-Length').some((length) => Number(length) > body.bytes) &&
  body.encoding === 'utf8' &&
  readJson(body.content).ok

/** Why the body can't be read; undefined where it is all there. */
export const unreadBecause = (x: Answered): Unread | undefined => {
  const { headers, body } = x.response
  const codings = codingsIn(headerValues(headers, 'Content-Encoding'))
  if (body.coding === 'unreadable') {
    return body.encoding === 'utf8' && !body.truncated && !codings.every(isKnownCoding) ? 'mislabelled' : 'coded'
  }
  // A run of a version that undid no coding.
  if (body.coding === undefined && codings.length > 0) return 'cut-by-us'
  if (body.truncated || x.error?.code === interrupted) return 'cut-by-us'
  if (x.error?.code === timedOut) return promisedMore(x) ? 'broken-off' : 'cut-by-us'
  return x.error === null ? undefined : 'broken-off'
}
