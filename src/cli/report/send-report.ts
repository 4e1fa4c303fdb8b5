import { type Post, postText } from '../../wire/http/post-text.js'

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no such host',
  ECONNREFUSED: 'nobody listens there',
  UND_ERR_CONNECT_TIMEOUT: 'no connection was made in time',
  UND_ERR_HEADERS_TIMEOUT: 'no answer came in time',
}

/** A name of a certificate's trouble in Node: what to do about it is the same for each. */
const isCertificate = (code: string): boolean => /CERT|SELF_SIGNED|UNABLE_TO_/.test(code)

const reasonOf = (code: string): string =>
  reasons[code] ??
  (isCertificate(code)
    ? `its certificate is not trusted (${code}); NODE_EXTRA_CA_CERTS=FILE names an authority that is`
    : `the connection failed (${code})`)

const refusals: Readonly<Record<number, string>> = {
  401: '; QUOTASPEC_TO_AUTHORIZATION holds what is sent as Authorization',
  403: '; QUOTASPEC_TO_AUTHORIZATION holds what is sent as Authorization',
  404: '; is the path right?',
  415: '; does it take this format?',
}

export interface Delivery {
  readonly isSent: boolean
  /** Names no more of the address than its origin: what stands behind that may be a secret. */
  readonly sentence: string
}

/** Sends a report to where the user said, once, and says what came of it. */
export const sendReport = async (post: Post, send: typeof postText = postText): Promise<Delivery> => {
  const { origin } = post.url
  const came = await send(post)
  if ('code' in came) return { isSent: false, sentence: `not sent: ${origin}: ${reasonOf(came.code)}` }
  const { status } = came
  if (status >= 200 && status < 300) return { isSent: true, sentence: `sent to ${origin}, which answered ${status}` }
  return { isSent: false, sentence: `not accepted: ${origin} answered ${status}${refusals[status] ?? ''}` }
}
