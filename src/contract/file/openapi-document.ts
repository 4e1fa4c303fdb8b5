import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Validator } from '@seriousme/openapi-schema-validator'
import { z } from 'zod'
import { UsageError } from '../../kit/usage-error.js'
import { readYaml, refusalAt, type YamlFile } from '../../kit/yaml-file.js'
import { refused } from './refused.js'

interface DocumentFault {
  readonly path: readonly string[]
  readonly why: string
}

/** The steps of a JSON pointer, or of a reference into the same document. */
const steps = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => decoded(step).replaceAll('~1', '/').replaceAll('~0', '~'))

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Finds the path of a reference. A part that a YAML alias repeats is searched only once. */
const pathOf = (part: unknown, ref: string, seen = new Set<unknown>()): string[] | undefined => {
  if (typeof part !== 'object' || part === null || seen.has(part)) return undefined
  seen.add(part)
  for (const [step, value] of Object.entries(part)) {
    if (step === '$ref' && typeof value === 'string' && decoded(value) === ref) return []
    const path = pathOf(value, ref, seen)
    if (path) return [step, ...path]
  }
  return undefined
}

/** Rules that only say that no form fits; the rules inside the forms say more. */
const vague = ['oneOf', 'anyOf', 'if', 'not']

/** What the validator reports about a broken rule, as far as it is used here. */
interface BrokenRule {
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
}

/** 1 for a rule that only says that no form fits, or that the part could have been a reference. */
const vagueness = ({ keyword, params }: BrokenRule): number =>
  Number(vague.includes(keyword) || params.missingProperty === '$ref')

let openApi: Promise<Validator> | undefined

/** Loaded when a contract has a document, as few have, and made once: it compiles a schema for each version of OpenAPI. */
const validatorOnce = (): Promise<Validator> => {
  openApi ??= import('@seriousme/openapi-schema-validator').then((all) => new all.Validator())
  return openApi
}

/** The first rule of its OpenAPI version that a document breaks; undefined if it keeps them all. Fetches nothing. */
const faultIn = async (root: Record<string, unknown>): Promise<DocumentFault | undefined> => {
  const validator = await validatorOnce()
  const { valid, errors } = await validator.validate(structuredClone(root))
  if (valid) return undefined
  if (!Array.isArray(errors)) {
    const [, ref, outside] = /^Can't resolve (.*?)(, only internal refs.*)?$/.exec(errors ?? '') ?? []
    if (ref === undefined) return { path: [], why: `cannot be read as an OpenAPI document: ${errors}` }
    const why = outside ? 'points outside the document: bundle it into one file' : 'points to nothing in the document'
    return { path: [...(pathOf(root, ref) ?? []), '$ref'], why: `${ref} ${why}` }
  }
  const [worst] = errors.toSorted(
    (a, b) => vagueness(a) - vagueness(b) || steps(b.instancePath).length - steps(a.instancePath).length,
  )
  const extra = worst.params.additionalProperty ?? worst.params.unevaluatedProperty ?? worst.propertyName
  return {
    path: steps(worst.instancePath),
    why: `${worst.message ?? 'does not follow OpenAPI'}${extra === undefined ? '' : `: ${extra}`}`,
  }
}

const mostBytes = 8 * 1024 * 1024

const record = z.record(z.string(), z.unknown())
type Part = z.infer<typeof record>

/** A document's security scheme, as a contract file writes it; undefined if a contract file can't express it. */
type KnownScheme = string | undefined

/** An operation of a document, references followed. */
export interface DocumentOperation {
  readonly method: string
  readonly path: string
  readonly parameters: readonly Part[]
  readonly requestBody: Part | undefined
  /** It names servers of its own, not the document's. */
  readonly elsewhere: boolean
}

/** An OpenAPI 3 document, as far as a contract needs it. */
export interface OpenApiDocument {
  readonly name: string
  readonly operations: ReadonlyMap<string, DocumentOperation>
  readonly schemes: readonly KnownScheme[]
}

const partOf = (value: unknown): Part => record.safeParse(value).data ?? {}
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const followed = (root: Part, value: unknown, most = 20): Part => {
  const part = partOf(value)
  if (typeof part.$ref !== 'string' || most === 0) return part
  const at = (whole: unknown, step: string): unknown =>
    Array.isArray(whole) ? whole[Number(step)] : partOf(whole)[step]
  return followed(root, steps(part.$ref).reduce(at, root as unknown), most - 1)
}

const methods = ['get', 'head', 'options', 'post', 'put', 'patch', 'delete']

/** An operation's parameter replaces its path's parameter with the same name and location. */
const parametersOf = (root: Part, item: Part, operation: Part): Part[] => {
  const all = [...listOf(item.parameters), ...listOf(operation.parameters)].map((each) => followed(root, each))
  return [...new Map(all.map((each) => [`${each.in} ${each.name}`, each])).values()]
}

const operationsOf = (root: Part): Map<string, DocumentOperation> =>
  new Map(
    Object.entries(partOf(root.paths)).flatMap(([path, value]) => {
      const item = followed(root, value)
      return methods.flatMap((method): [string, DocumentOperation][] => {
        const operation = partOf(item[method])
        if (typeof operation.operationId !== 'string') return []
        const { requestBody, operationId } = operation
        return [
          [
            operationId,
            {
              method: method.toUpperCase(),
              path,
              parameters: parametersOf(root, item, operation),
              requestBody: requestBody === undefined ? undefined : followed(root, requestBody),
              elsewhere: listOf(operation.servers ?? item.servers).length > 0,
            },
          ],
        ]
      })
    }),
  )

const schemeOf = (root: Part, value: unknown): KnownScheme => {
  const { type, scheme, in: place, name } = followed(root, value)
  if (type === 'apiKey') return `${place} ${name}`
  if (type === 'oauth2' || type === 'openIdConnect') return 'bearer'
  const http = String(scheme).toLowerCase()
  return type === 'http' && (http === 'bearer' || http === 'basic') ? http : undefined
}

/** Throws if the document is not OpenAPI, or breaks the rules of its version. */
const check = async (place: YamlFile): Promise<Part> => {
  const root = partOf(place.value)
  const version = String(root.openapi ?? root.swagger ?? '')
  if (!/^3\.[0-2](\.|$)/.test(version)) {
    const found = version === '' ? 'has no version, such as openapi: 3.1.0' : `is of version ${version}`
    throw refusalAt(place, ['openapi'], `the document ${found}: OpenAPI 3.0 and 3.1 are read`)
  }
  const fault = await faultIn(root)
  if (fault) throw refusalAt(place, fault.path, fault.why)
  return root
}

/**
 * Reads the OpenAPI document that a contract file names, from the disk only: neither it nor a reference in it is ever
 * fetched. Throws a {@link UsageError} with the line of the contract or, if the document is broken, of the document.
 */
export const readOpenApi = async (contract: string, name: string): Promise<OpenApiDocument> => {
  if (/^[a-z][a-z0-9+.-]+:/i.test(name))
    throw refused(['openapi'], 'must be the path of a file: nothing is fetched, so save the document beside this file')
  const file = join(dirname(contract), name)
  if (!existsSync(file) || !statSync(file).isFile())
    throw refused(['openapi'], `there is no file ${name} beside this one`)
  const root = await check(readYaml(file, 'an OpenAPI document', mostBytes))
  return {
    name,
    operations: operationsOf(root),
    schemes: Object.values(partOf(partOf(root.components).securitySchemes)).map((each) => schemeOf(root, each)),
  }
}
