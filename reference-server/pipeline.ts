import type { ServerResponse } from 'node:http'
import type { OperationId } from '../src/contract/operations.js'
import type { Arrival, Behaviour, Call, RequestHead } from './behaviour.js'
import type { Answer } from './http/answer.js'
import type { LimiterStore } from './metering/limiter-store.js'
import type { Ruling } from './metering/ruling.js'

/** What happens to every request, whatever it asks for. */
export interface Pipeline {
  /** Finds out who asks, and charges for it. */
  enter(request: RequestHead, operation: OperationId | undefined): Call | Promise<Call>
  /** The answer as it goes out: with the headers that every answer carries. */
  complete(call: Call, answer: Answer): Answer | Promise<Answer>
}

/** The way in and the way out, as the behaviour has them. */
export const pipelineOf = (behaviour: Behaviour, store: LimiterStore): Pipeline => {
  const { settle, finish } = behaviour

  const withHeaders = (call: Call, answer: Answer): Answer | Promise<Answer> => {
    const shown = behaviour.shownWindow(call.ruling, call)
    const whole = { ...answer, headers: { ...answer.headers, ...behaviour.rateHeaders(shown, call) } }
    return finish ? finish(whole, call) : whole
  }

  return {
    enter(request, operation) {
      const credential = behaviour.credentialOf(request)
      const account = behaviour.accountOf(credential)
      const arrival: Arrival = { request, operation, credential, account, nowMs: behaviour.nowMs() }
      const subject = behaviour.subjectOf(arrival)
      return whenKnown(behaviour.meter(store, arrival, subject), (ruling): Call => ({ ...arrival, subject, ruling }))
    },
    complete(call, answer) {
      if (!settle) return withHeaders(call, answer)
      return whenKnown(settle(store, call, answer.status), (ruling: Ruling) => withHeaders({ ...call, ruling }, answer))
    },
  }
}

/** Goes on at once where the value is there: a promise in between would cost a turn of the event loop. */
export const whenKnown = <From, To>(value: From | Promise<From>, next: (value: From) => To | Promise<To>) =>
  value instanceof Promise ? value.then(next) : next(value)

/** Puts an answer on the wire, the header names as they are written. */
export const writeAnswer = (response: ServerResponse, method: string | undefined, answer: Answer): void => {
  const { status, reason, body } = answer
  const headers = { ...answer.headers, 'Content-Length': String(Buffer.byteLength(body)) } as Record<
    string,
    string | string[]
  >
  if (reason === undefined) response.writeHead(status, headers)
  else response.writeHead(status, reason, headers)
  response.end(method === 'HEAD' ? undefined : body)
}
