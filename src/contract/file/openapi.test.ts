import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openApiText } from '../petstore/operations.js'
import { loadContract } from './load-contract.js'

const folder = mkdtempSync(join(tmpdir(), 'quotaspec-openapi-'))
afterAll(() => rmSync(folder, { recursive: true }))

const document = `openapi: 3.1.0
info: {title: Acme, version: '1'}
servers:
  - url: https://{region}.acme.test/v1
    variables: {region: {default: eu}}
  - url: /v2
paths:
  /items/{id}.json:
    parameters:
      - $ref: '#/components/parameters/Id'
      - {name: lang, in: query, schema: {type: string}}
    get:
      operationId: getItem
      parameters:
        - {name: X-Trace, in: header, schema: {type: string}}
        - {name: lang, in: query, required: true, schema: {type: string}}
        - {name: session, in: cookie, schema: {type: string}}
      responses: {'200': {description: One}}
  /ids/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
  /search:
    post:
      operationId: search
      requestBody: {$ref: '#/components/requestBodies/Query'}
      responses: {'200': {description: Some}}
  /elsewhere:
    servers: [{url: 'https://other.test'}]
    get:
      operationId: elsewhere
      responses: {'200': {description: Other}}
components:
  parameters:
    Id: {$ref: '#/paths/~1ids~1%7Bid%7D/parameters/0'}
  requestBodies:
    Query: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Query'}}}}
  schemas:
    Query: {type: object, properties: {and: {$ref: '#/components/schemas/Query'}}}
  securitySchemes:
    key: {type: apiKey, in: header, name: X-Api-Key}
    token: {type: http, scheme: Bearer}
`

const load = (request: string, text = document, credential = 'bearer', name = './acme.openapi.yaml') => {
  writeFileSync(join(folder, 'acme.openapi.yaml'), text)
  const file = join(folder, 'acme.yaml')
  writeFileSync(
    file,
    `quotaspec: 1
name: acme
openapi: ${name}
credentials: {free: {scheme: ${credential}, env: ACME_KEY}}
requests:
  item: ${request}
quotas: [{id: core, limit: 5, window: 1m, requests: [item]}]
`,
  )
  return loadContract(file)
}

const item = "{operation: getItem, parameters: {id: 'a/b', lang: de, X-Trace: 7}}"
const search = `{operation: search, body: '{"q":"a"}', safe: true}`

const requestOf = async (request: string, text = document) => (await load(request, text)).contract.requests.item

const refusal = async (request: string, text = document, name?: string): Promise<string> => {
  const error: unknown = await load(request, text, 'bearer', name).then(
    () => undefined,
    (cause) => cause,
  )
  return (error as Error).message.replaceAll(`${folder}/`, '')
}

describe('an operation of an OpenAPI document', () => {
  it('is a request, with its parameters in path, query and headers', async () => {
    expect(await requestOf(item)).toEqual({
      method: 'GET',
      path: '/items/a%2Fb.json?lang=de',
      headers: { 'X-Trace': '7' },
      expect: [],
    })
  })

  it('says what its body is', async () => {
    expect(await requestOf(search)).toEqual({
      method: 'POST',
      path: '/search',
      headers: { 'Content-Type': 'application/json' },
      body: '{"q":"a"}',
      expect: [],
    })
    const own = search.replace('safe', 'headers: {content-type: text/plain}, safe')
    expect((await requestOf(own)).headers).toEqual({ 'content-type': 'text/plain' })
  })

  it.each(['3.0.3', '3.1.1'])('is read of version %s', async (version) => {
    expect((await requestOf(item, document.replace('3.1.0', version))).method).toBe('GET')
  })

  it('is read of JSON as of YAML', async () => {
    const text = openApiText()
    expect((await requestOf('{operation: listInventory}', text)).path).toBe('/inventory')
  })

  it.each([
    [
      'that there is not',
      '{operation: getItems}',
      'acme.yaml:6: requests.item.operation: there is no operation in ./acme.openapi.yaml called getItems: did you mean getItem?',
    ],
    [
      'without a value that it needs',
      '{operation: getItem, parameters: {lang: de}}',
      'acme.yaml:6: requests.item: getItem needs a value for id: add parameters: {id: …}',
    ],
    [
      'with a value that it does not have',
      '{operation: getItem, parameters: {id: 1, lnag: de}}',
      'acme.yaml:6: requests.item.parameters.lnag: is no parameter of getItem: did you mean lang?',
    ],
    [
      'with a cookie',
      '{operation: getItem, parameters: {id: 1, lang: de, session: a}}',
      'acme.yaml:6: requests.item.parameters.session: is a cookie, and only credentials may be cookies',
    ],
    [
      'without the body that it needs',
      '{operation: search, safe: true}',
      'acme.yaml:6: requests.item: search needs a body: add one, as text',
    ],
    [
      'that may change something',
      '{operation: search, body: a}',
      'acme.yaml:6: requests.item: POST may change something with each request: use a GET, or add safe: true if it does not',
    ],
    [
      'of another server',
      '{operation: elsewhere}',
      'acme.yaml:6: requests.item.operation: elsewhere has servers of its own: write its method and path instead',
    ],
  ])('%s is refused', async (_, request, sentence) => {
    expect(await refusal(request)).toBe(sentence)
  })
})

describe('an OpenAPI document', () => {
  it.each([
    ['bearer', []],
    ['header x-api-key', []],
    [
      'query api_key',
      [
        `${folder}/acme.yaml:4: credentials.free.scheme: ./acme.openapi.yaml has header X-Api-Key, bearer, but not query api_key`,
      ],
    ],
  ])('is held against a credential shown as %s', async (credential, notes) => {
    expect((await load(item, document, credential)).notes).toEqual(notes)
  })

  it('that knows a scheme of which a contract knows nothing is held against none', async () => {
    const text = document.replace('type: http, scheme: Bearer', 'type: mutualTLS')
    expect((await load(item, text, 'query api_key')).notes).toEqual([])
  })

  it.each([
    [
      'of Swagger',
      'openapi: 3.1.0',
      "swagger: '2.0'",
      'acme.openapi.yaml:1: openapi: the document is of version 2.0: OpenAPI 3.0 and 3.1 are read',
    ],
    [
      'without a version',
      'openapi: 3.1.0\n',
      '',
      'acme.openapi.yaml:1: openapi: the document has no version, such as openapi: 3.1.0: OpenAPI 3.0 and 3.1 are read',
    ],
    [
      'that breaks its rules',
      'operationId: search\n',
      'operationId: 5\n',
      'acme.openapi.yaml:23: paths./search.post.operationId: must be string',
    ],
    [
      'without what it needs',
      "info: {title: Acme, version: '1'}",
      "info: {version: '1'}",
      "acme.openapi.yaml:2: info: must have required property 'title'",
    ],
    [
      'of 3.0 without a description',
      document,
      "openapi: 3.0.3\ninfo: {title: A, version: '1'}\npaths:\n  /a:\n    get:\n      responses: {'200': {}}\n",
      "acme.openapi.yaml:6: paths./a.get.responses.200: must have required property 'description'",
    ],
    [
      'with a reference to nowhere',
      "schemas/Query'}}}}",
      "schemas/Qeury'}}}}",
      'acme.openapi.yaml:35: components.requestBodies.Query.content.application/json.schema.$ref: #/components/schemas/Qeury points to nothing in the document',
    ],
    [
      'with a reference to another file',
      "'#/components/requestBodies/Query'",
      "'./query.yaml'",
      'acme.openapi.yaml:24: paths./search.post.requestBody.$ref: ./query.yaml points outside the document: bundle it into one file',
    ],
    ['that is broken YAML', 'paths:', 'paths: [', 'acme.openapi.yaml:8: Missing , or : between flow sequence items'],
    [
      'that is a text',
      document,
      'hello',
      'acme.openapi.yaml:1: openapi: the document has no version, such as openapi: 3.1.0: OpenAPI 3.0 and 3.1 are read',
    ],
  ])('%s is refused in one sentence', async (_, old, spoiled, sentence) => {
    expect(await refusal(item, document.replace(old, spoiled))).toBe(sentence)
  })

  it.each([
    [
      'https://acme.test/openapi.yaml',
      'acme.yaml:3: openapi: must be the path of a file: nothing is fetched, so save the document beside this file',
    ],
    ['./none.yaml', 'acme.yaml:3: openapi: there is no file ./none.yaml beside this one'],
  ])('is never looked for at %s', async (name, sentence) => {
    expect(await refusal(item, document, name)).toBe(sentence)
  })
})
