import { notFound, unauthorized } from '@hapi/boom'
import type { FastifyInstance } from 'fastify'
import type { ApiContract } from '../../src/contract/api-contract.js'
import type { Behaviour, Call } from '../behaviour/behaviour.js'
import { departed } from '../behaviour/departed.js'
import { usualBehaviour } from '../behaviour/pipeline.js'
import { contractFaults, contractVariations } from '../faults/catalogue.js'
import { type Answer, jsonAnswer } from '../http/answer.js'
import { httpApp } from '../http/app.js'
import { algorithms } from '../limiters/algorithms.js'
import { nearestToExhaustion } from '../stores/ruling.js'
import type { Counting } from '../stores/store.js'
import { quotaFields, refusalAnswers } from './contract-answers.js'
import { type ContractServerOptions, type ContractSettings, contractSettingsOf } from './contract-options.js'
import { challengeOf, whoAsks } from './credentials.js'
import { quotaCharges, quotaLimiters } from './quota-charges.js'

/**
 * A service that keeps a contract, as a Fastify app, not yet listening: it answers the requests of the contract, within
 * the quotas. What is none of these, or shows no valid credential, counts against nothing. Throws where a credential has no
 * secret, and where a fault or a variation is unknown or means nothing to this contract.
 */
export const createContractApp = (contract: ApiContract, options: ContractServerOptions): FastifyInstance => {
  const settings = contractSettingsOf(options)
  const around = { contract, sleep: (ms: number) => settings.clock.sleep(ms) }
  const catalogues = { faults: contractFaults, variations: contractVariations }
  const behaviour = departed((self) => keptContract(contract, settings, self), around, {
    ...catalogues,
    given: options,
  })
  const shared = options.store?.open(countingOf(contract, settings))
  const { app, wire } = httpApp(behaviour, { shared })
  const nameOf = requestedName(contract.requests)
  const served = servedAnswers(contract)
  app.all('*', (request, reply) => {
    const { raw, body } = request
    const name = nameOf(raw.method ?? '', raw.url ?? '', Buffer.isBuffer(body) ? body.toString() : '')
    wire.gate(name, request, reply, (error) => {
      const { call } = request
      if (error || name === undefined || !call) wire.fail(error ?? notFound('there is nothing here'), request, reply)
      else wire.answer(reply, call, served(call))
    })
  })
  return app
}

/** The contract as it is written. `self` gives the behaviour with all departures made. */
const keptContract = (contract: ApiContract, settings: ContractSettings, self: () => Behaviour): Behaviour => {
  const write = quotaFields(contract)
  const limiters = quotaLimiters(contract, settings)
  const who = whoAsks(contract.credentials, settings.secrets)
  const challenge = challengeOf(contract.credentials)
  return {
    ...usualBehaviour(settings.clock),
    credentialOf(request) {
      const name = who(request)
      return name === undefined ? { kind: 'none' } : { kind: 'token', token: name }
    },
    accountOf: (credential) => (credential.kind === 'token' ? { id: credential.token } : undefined),
    chargesOf: quotaCharges(contract, settings),
    openMeter: (window, nowMs) => algorithms[limiters.get(window.name) ?? 'fixed-window'](window, nowMs),
    // What there is not is told to anybody.
    letsIn: ({ account, operation }) => account !== undefined || operation === undefined,
    unauthorized() {
      const error = unauthorized('a credential is missing, or not valid')
      error.output.headers['WWW-Authenticate'] = challenge
      return error
    },
    refusal: refusalAnswers(contract),
    shown: ({ windows }) => windows,
    fields(all, { ruling, nowMs }) {
      if (all.length === 0) return {}
      const nearest = nearestToExhaustion({ ...ruling, windows: all })
      return write({ all, nearest, moment: (unit, atMs) => self().momentText(unit, atMs, nowMs) })
    },
  }
}

/** How the quotas of a contract count, for a store that several servers share. */
const countingOf = (contract: ApiContract, settings: ContractSettings): Counting => {
  const limiters = quotaLimiters(contract, settings)
  return { scope: contract.name, algorithmOf: (name) => limiters.get(name) ?? 'fixed-window' }
}

/** A small body for each request, and the first of the statuses that stand for service. */
const servedAnswers = ({ requests }: ApiContract) => {
  const answers = new Map<string, Answer>()
  for (const [
    name,
    {
      expect: [status = 200],
    },
  ] of Object.entries(requests)) {
    answers.set(
      name,
      status === 204 || status === 304 ? { status, headers: {}, body: '' } : jsonAnswer(status, { probe: name }),
    )
  }
  return ({ operation = '' }: Call): Answer => answers.get(operation) ?? jsonAnswer(200, { probe: operation })
}

/** The name of the request in the contract; undefined where there is none. `url` is a path, with its query. */
type RequestedName = (method: string, url: string, body: string) => string | undefined

interface Known {
  readonly name: string
  readonly query: readonly (readonly [string, string])[]
  readonly body: string | undefined
}

/**
 * Finds requests of the contract by method and path. Where several share both, that one is meant whose body it is, and of whose query most
 * is there: a search may differ from a list in nothing else.
 */
const requestedName = (requests: ApiContract['requests']): RequestedName => {
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
