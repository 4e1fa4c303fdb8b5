import { type Boom, serverUnavailable } from '@hapi/boom'
import type { Clock } from '../src/kit/clock.js'
import type { Arrival, Behaviour, Call } from './behaviour.js'
import { momentText } from './contract-answers.js'
import { type Answer, errorAnswer } from './http/answer.js'
import type { RequestHead } from './http/bearer-keys.js'
import { type Charge, decide, type Ruling } from './stores/ruling.js'
import type { LimiterStore } from './stores/store.js'

/** Tells of an answer that the store of the counts had no part in. */
const storeHeader = 'X-Store'

/** The error of a request that nobody could count, where such requests are not served. */
const uncountedError = (): Boom => serverUnavailable('the counts of requests are out of reach for the moment')

/** The answer to a request that is not let through. */
export const refusalOf = (behaviour: Behaviour, call: Call): Answer =>
  call.ruling.outcome === 'unavailable' ? behaviour.errorAnswer(uncountedError()) : behaviour.refusal(call)

export const pipelineOf = (behaviour: Behaviour, store: LimiterStore) => {
  const { settle, finish } = behaviour

  const withFields = (call: Call, ruling: Ruling, answer: Answer) => {
    // What is nobody's, or asks for nothing that there is, goes out as it is where it counts against nothing.
    if (call.charges.length === 0 && (!call.account || call.operation === undefined)) return answer
    const { status, headers, body, reason, undated, breaksOff } = answer
    const fields = behaviour.fields(behaviour.shown(ruling, call), call)
    if (ruling.uncounted) fields[storeHeader] = 'unavailable'
    // Where the answer has one of the same name, in whatever case, its own stands.
    for (const field in fields)
      for (const own in headers)
        if (field.length === own.length && field.toLowerCase() === own.toLowerCase()) delete fields[field]
    // Not spread: this is the hot path, and a spread costs a microsecond.
    const whole: Answer = { status, headers: Object.assign(fields, headers), body, reason, undated, breaksOff }
    return finish ? finish(whole, call) : whole
  }

  return {
    /** Finds out who asks, and charges for it. */
    enter(request: RequestHead, operation: string | undefined) {
      const credential = behaviour.credentialOf(request)
      const account = behaviour.accountOf(credential)
      const nowMs = behaviour.nowMs()
      const arrival: Arrival = { request, operation, credential, account, nowMs }
      const charges = behaviour.chargesOf(arrival)
      const ruling = behaviour.meter(store, arrival, charges)
      if (ruling instanceof Promise) return ruling.then((known) => callOf(arrival, charges, known))
      return callOf(arrival, charges, ruling)
    },
    /** The answer as it goes out: with the fields that every answer carries. */
    complete(call: Call, answer: Answer) {
      if (!settle) return withFields(call, call.ruling, answer)
      return whenKnown(settle(store, call, answer.status), (ruling) => withFields(call, ruling, answer))
    },
  }
}

/** What happens to every request, whatever it asks for. */
export type Pipeline = ReturnType<typeof pipelineOf>

const callOf = (
  { request, operation, credential, account, nowMs }: Arrival,
  charges: readonly Charge[],
  ruling: Ruling,
): Call => ({
  request,
  operation,
  credential,
  account,
  charges,
  nowMs: ruling.decidedAtMs ?? nowMs,
  ruling,
  petId: undefined,
  body: undefined,
})

/** Calls `next` with the value: at once, where it is no promise, for a promise costs a turn of the event loop. */
export const whenKnown = <From, To>(value: From | Promise<From>, next: (value: From) => To | Promise<To>) =>
  value instanceof Promise ? value.then(next) : next(value)

/** What any server does. */
export const usualBehaviour = (clock: Clock) =>
  ({
    nowMs: serverTime(clock),
    keepAliveMs: 72_000,
    decide,
    meter: (store, { nowMs }, charges) => store.take(charges, nowMs),
    errorAnswer,
    settle: undefined,
    momentText,
    finish: undefined,
  }) satisfies Partial<Behaviour>

/** The wall clock at the start, carried on by the monotonic one: windows must not jump when the wall clock is set. */
const serverTime = (clock: Clock) => {
  const offsetMs = clock.wallMs() - clock.monotonicMs()
  return () => offsetMs + clock.monotonicMs()
}
