import { suggestion } from '../../kit/suggestion.js'
import type { ContractRequest } from '../api-contract.js'
import type { DocumentOperation, OpenApiDocument } from './openapi-document.js'
import { knownOr, type Refused } from './refused.js'

/** A request, without what is expected of its answer. */
export type Asked = Omit<ContractRequest, 'expect'>

type Value = string | number | boolean

/** What a contract file says of a request that is an operation. */
interface OperationEntry {
  readonly operation: string
  readonly parameters?: Readonly<Record<string, Value>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

interface Parameter {
  readonly name: string
  readonly place: string
  readonly required: boolean
}

const parametersOf = ({ parameters }: DocumentOperation): Parameter[] =>
  parameters.map((each) => ({ name: String(each.name), place: String(each.in), required: each.required === true }))

/** Throws where a value has no parameter, or a parameter that has to be there has no value. */
const checkValues = (
  { operation, parameters: values = {} }: OperationEntry,
  known: readonly Parameter[],
  at: PropertyKey[],
  refused: Refused,
): void => {
  const names = known.map(({ name }) => name)
  for (const name of Object.keys(values)) {
    if (!names.includes(name)) {
      throw refused([...at, 'parameters', name], `is no parameter of ${operation}: ${suggestion(name, names)}`)
    }
    if (known.find((each) => each.name === name)?.place === 'cookie') {
      throw refused([...at, 'parameters', name], 'is a cookie, and cookies are for credentials alone')
    }
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

/** The request that an operation with these values is. Throws where the document has no such operation or parameter. */
export const operationRequest = (
  document: OpenApiDocument,
  entry: OperationEntry,
  at: PropertyKey[],
  refused: Refused,
): Asked => {
  const name = entry.operation
  knownOr(refused, [...at, 'operation'], `operation in ${document.name} called`, name, [...document.operations.keys()])
  const operation = document.operations.get(name)
  if (!operation) throw new Error(`the operation ${name} was there a moment ago`)
  if (operation.elsewhere) {
    throw refused([...at, 'operation'], `${name} has servers of its own: write its method and path instead`)
  }
  const known = parametersOf(operation)
  checkValues(entry, known, at, refused)
  if (operation.requestBody?.required === true && entry.body === undefined) {
    throw refused(at, `${name} needs a body: add one, as text`)
  }
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
