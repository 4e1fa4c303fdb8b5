import { Boom, boomify, isBoom } from '@hapi/boom'
import { type Answer, jsonAnswer } from './answer.js'

/** The `code` of an Error body, by HTTP status: the same condition always has the same one (ERR-3). */
const codes: Readonly<Record<number, string>> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'banned',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  413: 'payload_too_large',
  414: 'uri_too_long',
  415: 'unsupported_media_type',
  429: 'rate_limited',
  431: 'headers_too_large',
  503: 'unavailable',
}

/** Whatever was thrown, as a Boom: a Boom itself, a framework's error with its status, or a bug, which is a 500. */
export const toBoom = (thrown: unknown): Boom => {
  if (isBoom(thrown)) return thrown
  if (!(thrown instanceof Error)) return new Boom('something that is no error was thrown', { statusCode: 500 })
  const status = 'statusCode' in thrown && typeof thrown.statusCode === 'number' ? thrown.statusCode : 500
  return boomify(thrown, { statusCode: status >= 400 && status < 600 ? status : 500 })
}

/** The one place where an error becomes the interface's Error body (§2). A bug's message and stack stay inside. */
export const errorAnswer = (error: Boom): Answer => {
  const { statusCode, payload, headers } = error.output
  return jsonAnswer(
    statusCode,
    { code: codes[statusCode] ?? 'internal_error', message: payload.message, status: statusCode },
    headers as Answer['headers'],
  )
}
