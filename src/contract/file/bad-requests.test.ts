import { describe } from 'vitest'
import { refusalTable } from './testing/spoiled-contracts.js'

describe('requests are refused for', () => {
  refusalTable([
    [
      'no path',
      "path: '/search?q=a'",
      'expect: 200',
      'acme.yaml:9: requests.search: needs a path, such as path: /items, or an operation of the openapi document',
    ],
    [
      'a path without its slash',
      "'/search?q=a'",
      'search?q=a',
      'acme.yaml:9: requests.search.path: must begin with a slash; it is below the base address of the run',
    ],
    [
      'a whole address',
      "'/search?q=a'",
      'https://api.acme.test/search',
      'acme.yaml:9: requests.search.path: must begin with a slash; it is below the base address of the run',
    ],
    [
      'another host',
      "'/search?q=a'",
      '//acme.test/search',
      'acme.yaml:9: requests.search.path: must begin with one slash: two would name another host',
    ],
    [
      'a space',
      "'/search?q=a'",
      "'/search?q=a b'",
      'acme.yaml:9: requests.search.path: must be printable ASCII without spaces: write %20 and the like',
    ],
    [
      'a parameter that is not filled in',
      "'/search?q=a'",
      "'/items/{id}'",
      'acme.yaml:9: requests.search.path: has a {parameter} in it: write the value itself',
    ],
    [
      'steps out of the base address',
      "'/search?q=a'",
      "'/../search'",
      'acme.yaml:9: requests.search.path: must not contain . or .. as a segment',
    ],
    [
      'a method in small letters',
      'method: GET',
      'method: get',
      'acme.yaml:8: requests.items.method: must be one of GET, HEAD, OPTIONS, POST, PUT, PATCH or DELETE: did you mean GET?',
    ],
    [
      'a method that may change something',
      'method: GET',
      'method: DELETE',
      'acme.yaml:8: requests.items.method: DELETE may change something with each request: use a GET, or add safe: true if it does not',
    ],
    [
      'a body of a GET',
      'expect: 200',
      'body: a',
      'acme.yaml:8: requests.items.body: is not for GET, whose body has no meaning: leave it out',
    ],
    [
      'a body that is no text',
      'expect: 200',
      'body: {a: 1}',
      'acme.yaml:8: requests.items.body: must be text: put JSON in quotes, or after a |',
    ],
    [
      'a status that there is not',
      'expect: 200',
      'expect: 2000',
      'acme.yaml:8: requests.items.expect: must be a status from 200 to 599',
    ],
    [
      'a field misspelt',
      'expect: 200',
      'expct: 200',
      'acme.yaml:8: requests.items.expct is not a field of a contract: did you mean expect?',
    ],
    [
      'a secret in a header',
      'expect: 200',
      'headers: {Authorization: Bearer s3cret}',
      'acme.yaml:8: requests.items.headers.Authorization: carries a credential: leave it out, and write the credential with its scheme and env',
    ],
    [
      'a secret in the query',
      '/search?q=a',
      '/search?api_key=s3cret',
      'acme.yaml:9: requests.search.path: has api_key in its query, which carries a credential: write the credential as query api_key with its env',
    ],
    [
      'a header of the connection',
      'expect: 200',
      'headers: {Host: acme.test}',
      'acme.yaml:8: requests.items.headers.Host: is set by the sender: remove it',
    ],
    [
      'an operation without its document',
      "method: GET, path: '/search?q=a'",
      'operation: search',
      'acme.yaml:9: requests.search.operation: needs an OpenAPI document: add openapi: ./acme.openapi.yaml, or write method and path',
    ],
    [
      'both an operation and a path',
      "path: '/search?q=a'",
      "operation: search, path: '/search'",
      'acme.yaml:9: requests.search: names an operation, so remove path and method: the openapi document has them',
    ],
    [
      'parameters without an operation',
      'expect: 200',
      'parameters: {a: 1}',
      'acme.yaml:8: requests.items.parameters: belongs to an operation: write them into the path',
    ],
    [
      'two that are the same',
      '/search?q=a',
      '/items?limit=1',
      'acme.yaml:9: requests.search: is the same request as items: leave it out, or ask for something else',
    ],
  ])
})
