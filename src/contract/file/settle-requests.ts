import { suggestion } from '../../kit/words.js'
import type { ApiContract, ContractRequest, CredentialSpec } from '../api-contract.js'
import type { ContractFile } from './contract-file-schema.js'
import type { DocumentOperation, OpenApiDocument } from './openapi-document.js'
import { knownOr, refused } from './refused.js'

type Asked = Omit<ContractRequest, 'expect'>

type Entry = ContractFile['requests'][string]
type OperationEntry = Entry & { readonly operation: string }

interface Parameter {
  readonly name: string
  readonly place: string
  readonly required: boolean
}

const parametersOf = ({ parameters }: DocumentOperation): Parameter[] =>
  parameters.map((each) => ({ name: String(each.name), place: String(each.in), required: each.required === true }))

const checkValues = (
  { operation, parameters: values = {} }: OperationEntry,
  known: readonly Parameter[],
  at: PropertyKey[],
): void => {
  const names = known.map(({ name }) => name)
  for (const name of Object.keys(values)) {
    if (!names.includes(name))
      throw refused([...at, 'parameters', name], `is no parameter of ${operation}: ${suggestion(name, names)}`)
    if (known.find((each) => each.name === name)?.place === 'cookie')
      throw refused([...at, 'parameters', name], 'is a cookie, and only credentials may be cookies')
  }
  const missing = known.find(({ name, required }) => required && !Object.hasOwn(values, name))
  if (!missing) return
  throw refused(at, `${operation} needs a value for ${missing.name}: add parameters: {${missing.name}: …}`)
}

const mediaTypeOf = ({ requestBody }: DocumentOperation): string | undefined => {
  const content = requestBody?.content
  return typeof content === 'object' && content !== null ? Object.keys(content)[0] : undefined
}

const headersOf = (
  { headers = {}, body, parameters = {} }: OperationEntry,
  operation: DocumentOperation,
  known: readonly Parameter[],
): Record<string, string> => {
  const given = known
    .filter(({ name, place }) => place === 'header' && Object.hasOwn(parameters, name))
    .map(({ name }): [string, string] => [name, String(parameters[name])])
  const mediaType = mediaTypeOf(operation)
  const says = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
  const type: Record<string, string> =
    body !== undefined && mediaType !== undefined && !says ? { 'Content-Type': mediaType } : {}
  return { ...type, ...Object.fromEntries(given), ...headers }
}

/** Builds the request of an operation with these values. Throws if the document has no such operation or parameter. */
const operationRequest = (document: OpenApiDocument, entry: OperationEntry, at: PropertyKey[]): Asked => {
  const name = entry.operation
  knownOr([...at, 'operation'], `operation in ${document.name} called`, name, [...document.operations.keys()])
  const operation = document.operations.get(name)
  if (!operation) throw new Error(`the operation ${name} was there a moment ago`)
  if (operation.elsewhere)
    throw refused([...at, 'operation'], `${name} has servers of its own: write its method and path instead`)
  const known = parametersOf(operation)
  checkValues(entry, known, at)
  if (operation.requestBody?.required === true && entry.body === undefined)
    throw refused(at, `${name} needs a body: add one, as text`)
  const { parameters: values = {}, body } = entry
  const filled = operation.path.replaceAll(/\{([^{}]+)\}/g, (whole, each: string) =>
    Object.hasOwn(values, each) ? encodeURIComponent(values[each]) : whole,
  )
  const query = known
    .filter((each) => each.place === 'query' && Object.hasOwn(values, each.name))
    .map((each) => `${encodeURIComponent(each.name)}=${encodeURIComponent(values[each.name])}`)
  return {
    method: operation.method,
    path: query.length === 0 ? filled : `${filled}?${query.join('&')}`,
    headers: headersOf(entry, operation, known),
    ...(body === undefined ? {} : { body }),
  }
}

const harmless = ['GET', 'HEAD', 'OPTIONS']

/** Headers that authenticate callers; their values are secret. */
const secretHeaders = ['authorization', 'proxy-authorization', 'cookie', 'x-api-key', 'api-key', 'apikey']

/** Headers of the connection, which the sender sets. */
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
}

const shownAs = (credentials: ApiContract['credentials'], scheme: CredentialSpec['scheme']): string[] =>
  Object.values(credentials).flatMap((each) => (each.scheme === scheme && each.name ? [each.name.toLowerCase()] : []))

/** Throws if a request holds a secret, because contracts are recorded and printed. */
const checkSecrets = ({ headers, path }: Asked, at: PropertyKey[], { credentials }: Around): void => {
  for (const name of Object.keys(headers)) {
    const lower = name.toLowerCase()
    if (framing.includes(lower)) throw refused([...at, 'headers', name], 'is set by the sender: remove it')
    if ([...secretHeaders, ...shownAs(credentials, 'header')].includes(lower)) {
      throw refused(
        [...at, 'headers', name],
        'carries a credential: leave it out, and write the credential with its scheme and env',
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
    `has ${secret} in its query, which carries a credential: write the credential as query ${secret} with its env`,
  )
}

const written = (entry: Entry, at: PropertyKey[]): Asked => {
  if (entry.parameters !== undefined)
    throw refused([...at, 'parameters'], 'belongs to an operation: write them into the path')
  const { method = 'GET', path = '/', headers = {}, body } = entry
  return { method, path, headers, ...(body === undefined ? {} : { body }) }
}

const settleOne = (name: string, entry: Entry, around: Around): ContractRequest => {
  const at = ['requests', name]
  const { document } = around
  const { operation, ...rest } = entry
  if (operation !== undefined && !document) {
    throw refused(
      [...at, 'operation'],
      'needs an OpenAPI document: add openapi: ./acme.openapi.yaml, or write method and path',
    )
  }
  const asked =
    operation !== undefined && document ? operationRequest(document, { ...rest, operation }, at) : written(entry, at)
  const { method } = asked
  const said = entry.method === undefined ? at : [...at, 'method']
  if (!harmless.includes(method) && entry.safe !== true)
    throw refused(said, `${method} may change something with each request: use a GET, or add safe: true if it does not`)
  if (['GET', 'HEAD'].includes(method) && asked.body !== undefined)
    throw refused([...at, 'body'], `is not for ${method}, whose body has no meaning: leave it out`)
  checkSecrets(asked, at, around)
  return { ...asked, expect: entry.expect ?? [] }
}

/** The requests of a contract. Throws if one may change something, holds a secret, fits no document, or is a repeat. */
export const settleRequests = (file: ContractFile, around: Around): Record<string, ContractRequest> => {
  const seen = new Map<string, string>()
  const settled = Object.entries(file.requests).map(([name, entry]): [string, ContractRequest] => {
    const request = settleOne(name, entry, around)
    const asked = JSON.stringify([request.method, request.path, request.headers, request.body])
    const other = seen.get(asked)
    if (other !== undefined)
      throw refused(['requests', name], `is the same request as ${other}: leave it out, or ask for something else`)
    seen.set(asked, name)
    return [name, request]
  })
  if (settled.length === 0)
    throw refused(['requests'], 'needs at least one request, such as items: {method: GET, path: /items}')
  return Object.fromEntries(settled)
}
