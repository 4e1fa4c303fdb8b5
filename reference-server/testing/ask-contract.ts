import type { ServerResponse } from 'node:http'
import type { ApiContract } from '../../src/contract/api-contract.js'
import { type ContractServerOptions, createContractApp } from '../contract-app.js'
import { type HeldClock, heldClock } from './held-clock.js'

/** Missing from the types of Node 20. */
interface WithRawNames {
  getRawHeaderNames(): string[]
}

/** An answer as a client sees it, with header names in lower case. */
export interface Seen {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>
  readonly body: string
  /** The header names in their original case. */
  readonly names: readonly string[]
}

/** Additional headers, or a change of those with the credential. */
type Further = Record<string, string> | ((shown: Record<string, string>) => Record<string, string>)

/** A contract server with a clock that is set by hand, and functions that send it requests. */
export interface Asked {
  readonly clock: HeldClock
  /** Sends one of the contract's requests with a credential, by default the first ones; `written` changes path and query. */
  ask(probe?: string, credential?: string, headers?: Further, written?: (target: string) => string): Promise<Seen>
  /** Sends `count` requests, one after the other, and returns their answers. */
  times(count: number, probe?: string, credential?: string, headers?: Further): Promise<Seen[]>
  /** Sends a request as given. */
  send(method: string, url: string, headers?: Record<string, string>): Promise<Seen>
}

const secretsOf = ({ credentials }: ApiContract): Record<string, string> =>
  Object.fromEntries(
    Object.entries(credentials).flatMap(([name, { scheme }]) =>
      scheme === 'none' ? [] : [[name, scheme === 'basic' ? `${name}:a1B2c3` : `key-of-${name}`]],
    ),
  )

/** Starts a contract server in this process, without a socket. */
export const askContract = (contract: ApiContract, options: Partial<ContractServerOptions> = {}): Asked => {
  const clock = heldClock()
  const secrets = secretsOf(contract)
  const app = createContractApp(contract, { clock, secrets, ...options })
  const send: Asked['send'] = async (method, url, headers = {}) => {
    const answer = await app.inject({ method: method as 'GET', url, headers })
    const names = (answer.raw.res as ServerResponse & WithRawNames).getRawHeaderNames()
    return { status: answer.statusCode, headers: answer.headers, body: answer.body, names }
  }
  const ask: Asked['ask'] = (probe, credential, further, written = (target) => target) => {
    const [firstProbe] = Object.keys(contract.requests)
    const [firstCredential] = Object.keys(contract.credentials)
    const name = credential ?? firstCredential
    const { method, path, headers } = contract.requests[probe ?? firstProbe]
    const shown = showing(contract, name, secrets[name])
    return send(method, written(shown.query === undefined ? path : withQuery(path, shown.query)), {
      ...headers,
      ...shown.headers,
      ...(typeof further === 'function' ? further(shown.headers ?? {}) : further),
    })
  }
  const times: Asked['times'] = async (count, probe, credential, headers) => {
    const answers: Seen[] = []
    for (let sent = 0; sent < count; sent += 1) answers.push(await ask(probe, credential, headers))
    return answers
  }
  return { clock, ask, times, send }
}

export const withQuery = (path: string, query: string): string => `${path}${path.includes('?') ? '&' : '?'}${query}`

const showing = (
  { credentials }: ApiContract,
  credential: string,
  secret: string,
): { readonly headers?: Record<string, string>; readonly query?: string } => {
  const { scheme, name = '' } = credentials[credential]
  switch (scheme) {
    case 'bearer':
      return { headers: { authorization: `Bearer ${secret}` } }
    case 'basic':
      return { headers: { authorization: `Basic ${Buffer.from(secret).toString('base64')}` } }
    case 'header':
      return { headers: { [name]: secret } }
    case 'cookie':
      return { headers: { cookie: `theme=dark; ${name}=${secret}` } }
    case 'query':
      return { query: `${name}=${secret}` }
    case 'none':
      return {}
  }
}
