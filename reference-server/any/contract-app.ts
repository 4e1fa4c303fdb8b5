import { badRequest, notFound, unauthorized } from '@hapi/boom'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { ApiContract } from '../../src/contract/api-contract.js'
import type { Answer } from '../http/answer.js'
import { errorAnswer, toBoom } from '../http/error-answer.js'
import { writeAnswer } from '../http/write-answer.js'
import { namesTwoHosts } from '../pipeline/broken-request.js'
import { storeHeader, uncountedError, whenKnown } from '../pipeline/pipeline.js'
import type { ContractBehaviour, ContractCall } from './behaviour/contract-behaviour.js'
import { departedContract } from './behaviour/departed-contract.js'
import type { ContractServerOptions } from './contract-options.js'
import { challengeOf, whoAsks } from './credentials.js'
import { countingOf, type Judge, judgeInMemory } from './judging.js'
import { requestedProbe } from './requested-probe.js'

/**
 * A service that keeps a contract, as a Fastify app, not yet listening: it answers the probes, within the quotas. What is
 * no probe's, or shows no valid credential, counts against nothing. Throws where a credential has no secret, and where a
 * fault or a variation is unknown or means nothing to this contract.
 */
export const createContractApp = (contract: ApiContract, options: ContractServerOptions): FastifyInstance => {
  const behaviour = departedContract(contract, options)
  const shared = options.store?.open(countingOf(contract, options))
  const judge = shared?.takeJointly ?? judgeInMemory(behaviour)
  const answer = answering(contract, options.secrets, behaviour, judge)
  const app = Fastify({
    logger: false,
    bodyLimit: 64 * 1024,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => fail(error, request, reply),
  })
  if (shared) app.addHook('onClose', async () => shared.close())
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.setErrorHandler(fail)
  app.all('*', (request, reply) =>
    whenKnown(answer(request), (made) => {
      // Fastify would change header names and types.
      reply.hijack()
      writeAnswer(reply.raw, request.raw.method, made)
    }),
  )
  return app
}

const fail = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
  reply.hijack()
  writeAnswer(reply.raw, request.raw.method, errorAnswer(toBoom(error)))
}

const answerTo = (behaviour: ContractBehaviour, call: ContractCall): Answer => {
  if (call.ruling.outcome === 'admitted') return behaviour.served(call)
  return call.ruling.outcome === 'unavailable' ? errorAnswer(uncountedError()) : behaviour.refusal(call)
}

/** Judges a request, and makes its answer. */
const answering = (
  contract: ApiContract,
  secrets: ContractServerOptions['secrets'],
  behaviour: ContractBehaviour,
  judge: Judge,
) => {
  const who = whoAsks(contract.credentials, secrets)
  const probeOf = requestedProbe(contract.requests)
  const challenge = challengeOf(contract.credentials)
  const complete = (call: ContractCall): Answer | Promise<Answer> => {
    const { ruling } = call
    const fields = behaviour.fields(behaviour.shown(ruling, call), call)
    if (ruling.uncounted) fields[storeHeader] = 'unavailable'
    const whole = withFields(answerTo(behaviour, call), fields)
    return behaviour.finish ? behaviour.finish(whole, call) : whole
  }
  return ({ raw, body }: FastifyRequest): Answer | Promise<Answer> => {
    if (namesTwoHosts(raw)) return errorAnswer(badRequest('the request names two hosts'))
    const probe = probeOf(raw.method ?? '', raw.url ?? '', typeof body === 'string' ? body : '')
    if (probe === undefined) return errorAnswer(notFound('there is nothing here'))
    const credential = who(raw)
    if (credential === undefined) {
      const error = unauthorized('a credential is missing, or not valid')
      error.output.headers['WWW-Authenticate'] = challenge
      return errorAnswer(error)
    }
    const nowMs = behaviour.nowMs()
    const arrival = { request: raw, probe, credential, nowMs }
    const charges = behaviour.chargesOf(arrival)
    return whenKnown(judge(charges, nowMs), (ruling) =>
      complete({ ...arrival, nowMs: ruling.decidedAtMs ?? nowMs, ruling }),
    )
  }
}

/** The answer with these headers too; where it has one of the same name, in whatever case, its own stands. */
const withFields = (answer: Answer, fields: Answer['headers']): Answer => {
  const own = new Set(Object.keys(answer.headers).map((name) => name.toLowerCase()))
  const others = Object.entries(fields).filter(([name]) => !own.has(name.toLowerCase()))
  return { ...answer, headers: { ...Object.fromEntries(others), ...answer.headers } }
}
