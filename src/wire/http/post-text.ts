import { Agent } from 'undici'
import { dispatch, type Received } from './dispatch.js'
import { defaultExchangeLimits } from './exchange-limits.js'

/** A text that is sent somewhere once. */
export interface Post {
  readonly url: URL
  readonly contentType: string
  readonly body: string
  /** The value of `Authorization`, where the receiver asks for one. */
  readonly authorization?: string
}

/** What came of it: the status of an answer, or a code and no answer. Nothing that was sent or came back is in it. */
export type Posted = { readonly status: number } | { readonly code: string }

/** A receiver that takes a report answers in a few words; what it says is not looked at. */
const mostAnswerBytes = 64 * 1024

const codeOf = ({ error }: Received): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'ERROR'

/**
 * Posts a text and resolves with what came of it, never later than the limits on connecting, head and body have it. Sends
 * once: it follows no redirect and tries nothing again. Never rejects.
 */
export const postText = async (
  { url, contentType, body, authorization }: Post,
  limits = { ...defaultExchangeLimits, mostBodyBytes: mostAnswerBytes },
): Promise<Posted> => {
  // `dispatch` times each phase.
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: limits.connectMs } })
  try {
    const received = await dispatch(
      agent,
      {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: 'POST',
        headers: { 'content-type': contentType, ...(authorization !== undefined && { authorization }) },
        body,
      },
      { limits, mostBodyBytes: limits.mostBodyBytes, now: () => performance.now() },
    )
    return received.status > 0 ? { status: received.status } : { code: codeOf(received) }
  } finally {
    await agent.destroy()
  }
}
