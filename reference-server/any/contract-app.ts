import { badRequest, notFound, unauthorized } from '@hapi/boom'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { ApiContract } from '../../src/contract/api-contract.js'
import { type Answer, errorAnswer, toBoom } from '../http/answer.js'
import { writeAnswer } from '../http/write-answer.js'
import { createMemoryStore } from '../metering/memory-store.js'
import type { Ruling } from '../metering/ruling.js'
import { namesTwoHosts } from '../pipeline/broken-request.js'
import { storeHeader, uncountedError, whenKnown } from '../pipeline/pipeline.js'
import type { Charge, Counting } from '../stores/shared-store.js'
import type { ContractBehaviour, ContractCall } from './behaviour/contract-behaviour.js'
import { departedContract } from './behaviour/departed-contract.js'
import { quotaLimiters } from './charging/quota-charges.js'
import { type ContractServerOptions, contractSettingsOf } from './contract-options.js'
import { challengeOf, whoAsks } from './credentials.js'

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

/** The probe that a request is for; undefined where there is none. `url` is a path, with its query. */
type RequestedProbe = (method: string, url: string, body: string) => string | undefined

interface Known {
  readonly name: string
  readonly query: readonly (readonly [string, string])[]
  readonly body: string | undefined
}

/**
 * Finds probes by method and path. Where several share both, that one is meant whose body it is, and of whose query most
 * is there: a search may differ from a list in nothing else.
 */
const requestedProbe = (requests: ApiContract['requests']): RequestedProbe => {
  const byTarget = new Map<string, Known[]>()
  for (const [name, { method, path, body }] of Object.entries(requests)) {
    const url = urlOf(path)
    if (!url) throw new Error(`the path of the request ${name} can't be read: ${path}`)
    const target = `${method.toUpperCase()} ${url.pathname}`
    byTarget.set(target, [...(byTarget.get(target) ?? []), { name, query: [...url.searchParams], body }])
  }
  return (method, target, body) => {
    const url = urlOf(target)
    const known = url && byTarget.get(`${method.toUpperCase()} ${url.pathname}`)
    if (!known) return undefined
    const fits = ({ query, body: own }: Known) =>
      (own !== undefined && own === body ? 1_000 : 0) +
      query.reduce((sum, [key, value]) => sum + (url.searchParams.getAll(key).includes(value) ? 1 : -1), 0)
    return known.reduce((best, each) => (fits(each) > fits(best) ? each : best)).name
  }
}

/** A path as a URL; what names a host, as `//x` seems to, is a path too. */
const urlOf = (path: string): URL | undefined => {
  try {
    return new URL(`http://localhost${path.startsWith('/') ? '' : '/'}${path}`)
  } catch {
    return undefined
  }
}

/** The atomic step over all that a request is charged to. */
type Judge = (charges: readonly Charge[], nowMs: number) => Ruling | Promise<Ruling>

/** Counts in this process, as the behaviour says. */
const judgeInMemory = ({ openMeter, decide }: ContractBehaviour): Judge => {
  const store = createMemoryStore({ openMeter })
  return (charges, nowMs) => {
    const tallies = store.talliesOf(
      charges.map(({ subject }) => subject),
      nowMs,
    )
    return decide(
      tallies.map((tally, index) => ({ tally, cost: charges[index].cost })),
      nowMs,
    )
  }
}

/** How the quotas of a contract count, for a store that several servers share. */
const countingOf = (contract: ApiContract, options: ContractServerOptions): Counting => {
  const settings = contractSettingsOf(options)
  const limiters = quotaLimiters(contract, settings)
  return {
    scope: contract.name,
    algorithms: [...limiters.values()],
    algorithmOf: (name) => limiters.get(name) ?? 'fixed-window',
  }
}
