import type { ApiContract, ContractRequest, CredentialSpec } from '../api-contract.js'
import type { ContractFile } from './contract-file-schema.js'
import type { OpenApiDocument } from './openapi-document.js'
import { type Asked, operationRequest } from './operation-request.js'
import type { Refused } from './refused.js'

type Entry = ContractFile['requests'][string]

const harmless = ['GET', 'HEAD', 'OPTIONS']

/** Headers in which callers show who they are; what stands in them is a secret. */
const secretHeaders = ['authorization', 'proxy-authorization', 'cookie', 'x-api-key', 'api-key', 'apikey']

/** Headers that belong to the connection, and to whoever keeps it. */
const framing = [
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
  'expect',
]

const secretParameters = ['access_token', 'api_key', 'apikey', 'api-key', 'client_secret', 'password']

interface Around {
  readonly credentials: ApiContract['credentials']
  readonly document: OpenApiDocument | undefined
  readonly refused: Refused
}

const shownAs = (credentials: ApiContract['credentials'], scheme: CredentialSpec['scheme']): string[] =>
  Object.values(credentials).flatMap((each) => (each.scheme === scheme && each.name ? [each.name.toLowerCase()] : []))

/** Throws where a request shows a secret itself: what a contract holds is recorded and printed. */
const checkSecrets = ({ headers, path }: Asked, at: PropertyKey[], { credentials, refused }: Around): void => {
  for (const name of Object.keys(headers)) {
    const lower = name.toLowerCase()
    if (framing.includes(lower)) throw refused([...at, 'headers', name], 'is set by whoever sends: leave it out')
    if ([...secretHeaders, ...shownAs(credentials, 'header')].includes(lower)) {
      throw refused(
        [...at, 'headers', name],
        "is a credential's to show: leave it out, and write the credential with its scheme and env",
      )
    }
  }
  const named = new URLSearchParams(path.split('?')[1]).keys()
  const secret = [...named].find((each) =>
    [...secretParameters, ...shownAs(credentials, 'query')].includes(each.toLowerCase()),
  )
  if (secret === undefined) return
  throw refused(
    [...at, 'path'],
    `has ${secret} in its query, which is a credential's to show: write the credential as query ${secret} with its env`,
  )
}

const written = (entry: Entry, at: PropertyKey[], refused: Refused): Asked => {
  if (entry.parameters !== undefined) {
    throw refused([...at, 'parameters'], 'belongs to an operation: write them into the path')
  }
  const { method = 'GET', path = '/', headers = {}, body } = entry
  return { method, path, headers, ...(body === undefined ? {} : { body }) }
}

const settleOne = (name: string, entry: Entry, around: Around): ContractRequest => {
  const at = ['requests', name]
  const { refused, document } = around
  const { operation, ...rest } = entry
  if (operation !== undefined && !document) {
    throw refused(
      [...at, 'operation'],
      'needs an OpenAPI document: add openapi: ./acme.openapi.yaml, or write method and path',
    )
  }
  const asked =
    operation !== undefined && document
      ? operationRequest(document, { ...rest, operation }, at, refused)
      : written(entry, at, refused)
  const { method } = asked
  const said = entry.method === undefined ? at : [...at, 'method']
  if (!harmless.includes(method) && entry.safe !== true) {
    throw refused(
      said,
      `${method} may change something with each request: take a GET, or add safe: true where it does not`,
    )
  }
  if (['GET', 'HEAD'].includes(method) && asked.body !== undefined) {
    throw refused([...at, 'body'], `is not for ${method}, whose body means nothing: leave it out`)
  }
  checkSecrets(asked, at, around)
  return { ...asked, expect: entry.expect ?? [] }
}

/**
 * The requests of a contract. Throws where one could change something, shows a secret, can't be made of the document, or is
 * the same as another.
 */
export const settleRequests = (file: ContractFile, around: Around): Record<string, ContractRequest> => {
  const seen = new Map<string, string>()
  const settled = Object.entries(file.requests).map(([name, entry]): [string, ContractRequest] => {
    const request = settleOne(name, entry, around)
    const asked = JSON.stringify([request.method, request.path, request.headers, request.body])
    const other = seen.get(asked)
    if (other !== undefined) {
      throw around.refused(
        ['requests', name],
        `is the same request as ${other}: leave it out, or ask for something else`,
      )
    }
    seen.set(asked, name)
    return [name, request]
  })
  if (settled.length === 0) {
    throw around.refused(['requests'], 'needs at least one request, such as items: {method: GET, path: /items}')
  }
  return Object.fromEntries(settled)
}
