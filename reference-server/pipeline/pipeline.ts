import { type Boom, serverUnavailable } from '@hapi/boom'
import type { OperationId } from '../../src/contract/petstore/operations.js'
import type { RequestHead } from '../access/credential.js'
import type { Arrival, Behaviour, Call } from '../behaviour/behaviour.js'
import type { Answer } from '../http/answer.js'
import type { LimiterStore } from '../metering/memory-store.js'
import type { Ruling, Subject } from '../metering/ruling.js'

/** Tells of an answer that the store of the counts had no part in. */
export const storeHeader = 'X-Store'

/** The error of a request that nobody could count, where such requests are not served. */
export const uncountedError = (): Boom => serverUnavailable('the counts of requests are out of reach for the moment')

/** The answer to a request that is not let through. */
export const refusalOf = (behaviour: Behaviour, call: Call): Answer =>
  call.ruling.outcome === 'unavailable' ? behaviour.errorAnswer(uncountedError()) : behaviour.refusal(call)

/** What happens to every request, whatever it asks for. */
export interface Pipeline {
  /** Finds out who asks, and charges for it. */
  enter(request: RequestHead, operation: OperationId | undefined): Call | Promise<Call>
  /** The answer as it goes out: with the headers that every answer carries. */
  complete(call: Call, answer: Answer): Answer | Promise<Answer>
}

/** The pipeline of this behaviour. */
export const pipelineOf = (behaviour: Behaviour, store: LimiterStore): Pipeline => {
  const { settle, finish } = behaviour

  const withHeaders = (call: Call, ruling: Ruling, { status, headers, body, reason }: Answer) => {
    const rateHeaders = behaviour.rateHeaders(behaviour.shownWindow(ruling, call), call)
    if (ruling.uncounted) rateHeaders[storeHeader] = 'unavailable'
    // Not spread: this is the hot path, and a spread costs a microsecond.
    const whole: Answer = { status, headers: Object.assign(rateHeaders, headers), body, reason }
    return finish ? finish(whole, call) : whole
  }

  return {
    enter(request, operation) {
      const credential = behaviour.credentialOf(request)
      const account = behaviour.accountOf(credential)
      const nowMs = behaviour.nowMs()
      const arrival: Arrival = { request, operation, credential, account, nowMs }
      const subject = behaviour.subjectOf(arrival)
      const ruling = behaviour.meter(store, arrival, subject)
      if (ruling instanceof Promise) return ruling.then((known) => callOf(arrival, subject, known))
      return callOf(arrival, subject, ruling)
    },
    complete(call, answer) {
      if (!settle) return withHeaders(call, call.ruling, answer)
      return whenKnown(settle(store, call, answer.status), (ruling) => withHeaders(call, ruling, answer))
    },
  }
}

const callOf = (
  { request, operation, credential, account, nowMs }: Arrival,
  subject: Subject,
  ruling: Ruling,
): Call => ({
  request,
  operation,
  credential,
  account,
  subject,
  nowMs: ruling.decidedAtMs ?? nowMs,
  ruling,
  petId: undefined,
  body: undefined,
})

/** Calls `next` with the value: at once, where it is no promise, for a promise costs a turn of the event loop. */
export const whenKnown = <From, To>(value: From | Promise<From>, next: (value: From) => To | Promise<To>) =>
  value instanceof Promise ? value.then(next) : next(value)
