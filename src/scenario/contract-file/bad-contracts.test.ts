import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { UsageError } from '../../kit/usage-error.js'
import { loadContract } from './load-contract.js'

const folder = mkdtempSync(join(tmpdir(), 'quotaspec-bad-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A contract with nothing wrong in it. The lines are counted by the messages below. */
const good = `quotaspec: 1
name: acme
credentials:
  free: {scheme: bearer, env: ACME_KEY_FREE}
  pro: {scheme: header X-Api-Key, env: ACME_KEY_PRO}
  anon: {scheme: none}
probes:
  items: {method: GET, path: '/items?limit=1', expect: 200}
  search: {method: GET, path: '/search?q=a'}
headers:
  - {name: X-RateLimit-Limit, is: limit}
  - {name: X-RateLimit-Reset, is: reset, as: epoch-s}
retryAfter: {as: [seconds, http-date], level: must}
refusals:
  - {is: ban, status: 403, body: blocked, lasts: 5m}
  - {is: quota, status: 429}
quotas:
  - id: core
    by: credential
    limit: {free: 60, pro: 300, anon: 10}
    window: 1m
    probes: [items, search]
    models: any
    exact: true
    cost: {search: 5}
    level: must
`

/** The part of the good one that begins with these words, up to others or its end. */
const from = (first: string, next?: string): string =>
  good.slice(good.indexOf(first), next === undefined ? undefined : good.indexOf(next))

const load = (text: string) => {
  const file = join(folder, 'acme.yaml')
  writeFileSync(file, text)
  return loadContract(file)
}

const refusal = async (text: string): Promise<string> => {
  const error: unknown = await load(text).then(
    () => undefined,
    (cause) => cause,
  )
  expect(error).toBeInstanceOf(UsageError)
  return (error as UsageError).message.replace(`${folder}/`, '')
}

/** What is replaced in the good one, by what, and the one sentence that somebody reads then. */
type Bad = readonly [what: string, old: string, spoiled: string, sentence: string]

const table = (bad: readonly Bad[]): void => {
  it.each(bad)('%s', async (_, old, spoiled, sentence) => {
    expect(good).toContain(old)
    expect(await refusal(good.replace(old, spoiled))).toBe(sentence)
  })
}

it('the contract that these spoil is a good one', async () => {
  expect((await load(good)).contract.name).toBe('acme')
})

describe('a contract file is refused, in one sentence and with its line, for', () => {
  table([
    [
      'no version',
      'quotaspec: 1\n',
      '',
      'acme.yaml:1: quotaspec: is missing: it has to be 1, the version of the file: write quotaspec: 1',
    ],
    [
      'another version',
      'quotaspec: 1',
      'quotaspec: 2',
      'acme.yaml:1: quotaspec: has to be 1, the version of the file: write quotaspec: 1',
    ],
    [
      'no name',
      'name: acme\n',
      '',
      'acme.yaml:1: name: is missing: it has to be a name of lower-case letters, digits and hyphens that begins with a letter',
    ],
    [
      'a name of several words',
      'name: acme',
      'name: Acme Shop',
      'acme.yaml:2: name: has to be a name of lower-case letters, digits and hyphens that begins with a letter',
    ],
    [
      'a field that there is not',
      'name: acme',
      'name: acme\nquota: []',
      'acme.yaml:3: quota is not a field of a contract: did you mean quotas?',
    ],
    ['no quotas', from('quotas:'), '', 'acme.yaml:1: quotas: is missing: it has to be a list'],
    ['an empty list of quotas', from('quotas:'), 'quotas: []\n', 'acme.yaml:17: quotas: needs at least one quota'],
    [
      'a broken line',
      'name: acme',
      'name: [acme',
      'acme.yaml:3: Flow sequence in block collection must be sufficiently indented and end with a ]',
    ],
    [
      'a field said twice',
      'name: acme',
      'name: acme\nname: shop',
      'acme.yaml:3: this field is there twice: leave one of the two out',
    ],
    ['a tab', '  free: {', '\tfree: {', 'acme.yaml:4: this line begins with a tab: indent it with spaces'],
  ])
})

describe('credentials are refused for', () => {
  table([
    [
      'none at all',
      from('  free', 'probes:'),
      '  {}\n',
      'acme.yaml:3: credentials: needs at least one credential: anon: {scheme: none} where requests show nothing',
    ],
    [
      'a scheme that there is not',
      'scheme: bearer',
      'scheme: baerer',
      'acme.yaml:4: credentials.free.scheme: has to be bearer, basic, header NAME, query NAME, cookie NAME or none, and nothing else: did you mean bearer?',
    ],
    [
      'a header without its name',
      'scheme: header X-Api-Key',
      'scheme: header',
      'acme.yaml:5: credentials.pro.scheme: needs a name: write header and the name, such as header X-Api-Key',
    ],
    [
      'a secret in the scheme',
      'scheme: bearer',
      'scheme: bearer s3cret-0123456789',
      'acme.yaml:4: credentials.free.scheme: has to be bearer, basic, header NAME, query NAME, cookie NAME or none, and nothing else',
    ],
    [
      'a header whose name is none',
      'scheme: header X-Api-Key',
      'scheme: header X(Api)Key',
      "acme.yaml:5: credentials.pro.scheme: X(Api)Key can't be the name of a header: write letters, digits and hyphens",
    ],
    [
      'no variable',
      ', env: ACME_KEY_FREE',
      '',
      'acme.yaml:4: credentials.free: needs the name of the environment variable that holds its secret: add env: ACME_KEY_FREE',
    ],
    [
      'a variable for nobody',
      '{scheme: none}',
      '{scheme: none, env: ACME_KEY_ANON}',
      'acme.yaml:6: credentials.anon.env: belongs to no credential with scheme: none, which shows nothing: leave it out',
    ],
    [
      'a secret in place of a variable',
      'env: ACME_KEY_FREE',
      'env: sk-live-51H8s3cret',
      'acme.yaml:4: credentials.free.env: has to be the name of an environment variable, such as ACME_KEY_FREE, and never the secret itself (what stands here is not shown)',
    ],
    [
      'a secret that could be a variable',
      'env: ACME_KEY_FREE',
      'env: AKIA0123456789ABCDEF',
      'acme.yaml:4: credentials.free.env: has to be the name of an environment variable, such as ACME_KEY_FREE, and never the secret itself (what stands here is not shown)',
    ],
    [
      'a variable with its dollar',
      'env: ACME_KEY_FREE',
      'env: $ACME_KEY_FREE',
      'acme.yaml:4: credentials.free.env: has to be the name of an environment variable, such as ACME_KEY_FREE, and never the secret itself (what stands here is not shown)',
    ],
    [
      'two with one secret',
      'env: ACME_KEY_PRO',
      'env: ACME_KEY_FREE',
      'acme.yaml:5: credentials.pro: is the same caller as free, for both have the secret in ACME_KEY_FREE: leave one out, or give it a secret of its own',
    ],
    [
      'a field misspelt',
      'scheme: bearer, env',
      'scheme: bearer, evn',
      'acme.yaml:4: credentials.free.evn is not a field of a contract: did you mean env?',
    ],
    [
      'a name in capitals',
      '  pro: {',
      '  Pro: {',
      'acme.yaml:5: credentials.Pro: has to be a name of lower-case letters, digits and hyphens that begins with a letter',
    ],
    [
      'a text in place of fields',
      '{scheme: none}',
      'none',
      'acme.yaml:6: credentials.anon: has to be fields such as {scheme: bearer, env: ACME_KEY}',
    ],
  ])
})

describe('probes are refused for', () => {
  table([
    [
      'no path',
      "path: '/search?q=a'",
      'expect: 200',
      'acme.yaml:9: probes.search: needs a path, such as path: /items, or an operation of the openapi document',
    ],
    [
      'a path without its slash',
      "'/search?q=a'",
      'search?q=a',
      'acme.yaml:9: probes.search.path: has to begin with a slash, below the base address that the run is given',
    ],
    [
      'a whole address',
      "'/search?q=a'",
      'https://api.acme.test/search',
      'acme.yaml:9: probes.search.path: has to begin with a slash, below the base address that the run is given',
    ],
    [
      'another host',
      "'/search?q=a'",
      '//acme.test/search',
      'acme.yaml:9: probes.search.path: has to begin with one slash: two would name another host',
    ],
    [
      'a space',
      "'/search?q=a'",
      "'/search?q=a b'",
      'acme.yaml:9: probes.search.path: has to be printable ASCII without spaces: write %20 and the like',
    ],
    [
      'a parameter that is not filled in',
      "'/search?q=a'",
      "'/items/{id}'",
      'acme.yaml:9: probes.search.path: has a {parameter} in it: write the value itself',
    ],
    [
      'steps out of the base address',
      "'/search?q=a'",
      "'/../search'",
      'acme.yaml:9: probes.search.path: has to be without . and .. as steps',
    ],
    [
      'a method in small letters',
      'method: GET',
      'method: get',
      'acme.yaml:8: probes.items.method: has to be GET, HEAD, OPTIONS, POST, PUT, PATCH or DELETE: did you mean GET?',
    ],
    [
      'a method that may change something',
      'method: GET',
      'method: DELETE',
      'acme.yaml:8: probes.items.method: DELETE may change something with each request: take a GET, or add safe: true where it does not',
    ],
    [
      'a body of a GET',
      'expect: 200',
      'body: a',
      'acme.yaml:8: probes.items.body: is not for GET, whose body means nothing: leave it out',
    ],
    [
      'a body that is no text',
      'expect: 200',
      'body: {a: 1}',
      'acme.yaml:8: probes.items.body: has to be a text: put JSON in quotes, or after a |',
    ],
    [
      'a status that there is not',
      'expect: 200',
      'expect: 2000',
      'acme.yaml:8: probes.items.expect: has to be a status from 200 to 599',
    ],
    [
      'a field misspelt',
      'expect: 200',
      'expct: 200',
      'acme.yaml:8: probes.items.expct is not a field of a contract: did you mean expect?',
    ],
    [
      'a secret in a header',
      'expect: 200',
      'headers: {Authorization: Bearer s3cret}',
      "acme.yaml:8: probes.items.headers.Authorization: is a credential's to show: leave it out, and write the credential with its scheme and env",
    ],
    [
      'a secret in the query',
      '/search?q=a',
      '/search?api_key=s3cret',
      "acme.yaml:9: probes.search.path: has api_key in its query, which is a credential's to show: write the credential as query api_key with its env",
    ],
    [
      'a header of the connection',
      'expect: 200',
      'headers: {Host: acme.test}',
      'acme.yaml:8: probes.items.headers.Host: is set by whoever sends: leave it out',
    ],
    [
      'an operation without its document',
      "method: GET, path: '/search?q=a'",
      'operation: search',
      'acme.yaml:9: probes.search.operation: needs an OpenAPI document: add openapi: ./acme.openapi.yaml, or write method and path',
    ],
    [
      'both an operation and a path',
      "path: '/search?q=a'",
      "operation: search, path: '/search'",
      'acme.yaml:9: probes.search: names an operation, whose method and path the openapi document knows: leave out its own',
    ],
    [
      'parameters without an operation',
      'expect: 200',
      'parameters: {a: 1}',
      'acme.yaml:8: probes.items.parameters: belongs to an operation: write them into the path',
    ],
    [
      'two that are the same',
      '/search?q=a',
      '/items?limit=1',
      'acme.yaml:9: probes.search: is the same request as items: leave it out, or ask for something else',
    ],
  ])
})

describe('headers are refused for', () => {
  const list = from('headers:', 'retryAfter')
  table([
    [
      'a preset that there is not',
      list,
      'headers: x-ratelimit-epochs\n',
      'acme.yaml:10: headers: has to be one of x-ratelimit-epoch, x-ratelimit-epoch-ms, x-ratelimit-delta, x-ratelimit-delta-ms, x-ratelimit-duration, x-ratelimit-iso-8601, x-ratelimit-http-date, draft-03, draft-06, draft-07, draft-11, none, or a list of fields such as - {name: X-Shop-Limit, is: used/limit}: did you mean x-ratelimit-epoch?',
    ],
    [
      'a preset misspelt beside its level',
      list,
      'headers: {preset: draft-12, level: must}\n',
      'acme.yaml:10: headers.preset: has to be x-ratelimit-epoch, x-ratelimit-epoch-ms, x-ratelimit-delta, x-ratelimit-delta-ms, x-ratelimit-duration, x-ratelimit-iso-8601, x-ratelimit-http-date, draft-03, draft-06, draft-07, draft-11 or none: did you mean draft-11?',
    ],
    [
      'an empty list',
      list,
      'headers: []\n',
      'acme.yaml:10: headers: is an empty list: write headers: none where there is nothing to read',
    ],
    [
      'a name that is none',
      'name: X-RateLimit-Limit',
      'name: X RateLimit Limit',
      'acme.yaml:11: headers.0.name: has to be the name of a header: letters, digits and hyphens',
    ],
    [
      'a meaning that there is not',
      'is: limit',
      'is: remainig',
      'acme.yaml:11: headers.0.is: has to be limit, remaining, used, used/limit, reset, policy, draft-07-policy, draft-07, draft-11-policy or draft-11: did you mean remaining?',
    ],
    [
      'a reset that does not say how it is written',
      ', as: epoch-s',
      '',
      'acme.yaml:12: headers.1.is: is a reset, so it has to say how it is written: add as: with one of epoch-s, epoch-ms, delta-s, delta-ms, duration, iso-8601, http-date',
    ],
    [
      'a unit of what is no moment',
      'is: limit',
      'is: limit, as: epoch-s',
      'acme.yaml:11: headers.0.as: belongs to is: reset alone: leave it out',
    ],
    [
      'a unit that there is not',
      'as: epoch-s',
      'as: epoch',
      'acme.yaml:12: headers.1.as: has to be epoch-s, epoch-ms, delta-s, delta-ms, duration, iso-8601 or http-date: did you mean epoch-s?',
    ],
    [
      'one listed twice',
      'X-RateLimit-Reset, is: reset, as: epoch-s',
      'x-ratelimit-limit, is: limit',
      'acme.yaml:12: headers.1: lists x-ratelimit-limit as limit a second time: leave it out',
    ],
    [
      'a Retry-After in no form',
      'as: [seconds, http-date]',
      'as: minutes',
      'acme.yaml:13: retryAfter.as: has to be seconds, http-date, or [seconds, http-date]',
    ],
    [
      'a Retry-After without forms',
      'as: [seconds, http-date]',
      'as: []',
      'acme.yaml:13: retryAfter.as: must not be empty',
    ],
  ])
})

describe('refusals are refused for', () => {
  table([
    [
      'an empty list',
      from('refusals:', 'quotas:'),
      'refusals: []\n',
      'acme.yaml:14: refusals: is an empty list: leave it out where a refusal is a 429',
    ],
    [
      'a kind that there is not',
      'is: quota',
      'is: block',
      'acme.yaml:16: refusals.1.is: has to be quota or ban; a block for a fixed time is one of them with lasts: 5m',
    ],
    [
      'no quota among them',
      '  - {is: quota, status: 429}\n',
      '',
      'acme.yaml:14: refusals: has no rule of a quota: add one such as - {is: quota, status: 429}',
    ],
    [
      'a status that there is not',
      'status: 429',
      'status: 42',
      'acme.yaml:16: refusals.1.status: has to be a status from 200 to 599',
    ],
    [
      'a quota that fits what is served',
      'is: quota, status: 429',
      'is: quota, status: [429, 200]',
      'acme.yaml:16: refusals.1: fits every answer that serves the probe items: say with when or body what a refusal has besides its status',
    ],
    [
      'a ban that fits every answer',
      'status: 403, body: blocked',
      'status: [200, 403, 429]',
      'acme.yaml:15: refusals.0: fits every answer that serves the probe items: say with when or body what a refusal has besides its status',
    ],
    [
      'a rule that never fits',
      'status: 403, body: blocked',
      'status: [403, 429]',
      'acme.yaml:16: refusals.1: never fits, for refusals.0 fits all of its answers first: put it before that one',
    ],
    [
      'a time that is none',
      'status: 429',
      'status: 429, lasts: soon',
      'acme.yaml:16: refusals.1.lasts: has to be a whole number and one unit, such as 30s, 1m, 1h or 1d',
    ],
    [
      'a time without its unit',
      'lasts: 5m',
      'lasts: 300',
      'acme.yaml:15: refusals.0.lasts: has to be a time with its unit, such as 30s, 1m, 1h or 1d',
    ],
    [
      'a header that is none',
      'status: 429',
      "status: 429, when: {'x remaining': 0}",
      'acme.yaml:16: refusals.1.when.x remaining: has to be the name of a header: letters, digits and hyphens',
    ],
    [
      'a list of a header',
      'status: 429',
      'status: 429, when: {x-remaining: [0]}',
      'acme.yaml:16: refusals.1.when.x-remaining: has to be a text',
    ],
  ])
})

describe('quotas are refused for', () => {
  const second = (id: string, rest = '') =>
    `    level: must\n  - {id: ${id}, limit: 5, window: 1m, probes: [items]${rest}}\n`
  table([
    [
      'no id',
      '- id: core\n    by',
      '- by',
      'acme.yaml:18: quotas.0.id: is missing: it has to be a name of lower-case letters, digits and hyphens that begins with a letter',
    ],
    [
      'one id twice',
      '    level: must\n',
      second('core'),
      'acme.yaml:27: quotas.1.id: core is the id of quotas.0, too: give it another',
    ],
    [
      'a partition that there is not',
      'by: credential',
      'by: user',
      'acme.yaml:19: quotas.0.by: has to be credential, address or credential+probe',
    ],
    [
      'a credential that there is not',
      'free: 60',
      'fre: 60',
      'acme.yaml:20: quotas.0.limit.fre: there is no credential fre: did you mean free?',
    ],
    [
      'a limit of nobody',
      '{free: 60, pro: 300, anon: 10}',
      '{}',
      'acme.yaml:20: quotas.0.limit: names no credential: write a number for all of them',
    ],
    [
      'a limit in words',
      '{free: 60, pro: 300, anon: 10}',
      'many',
      'acme.yaml:20: quotas.0.limit: has to be a whole number of requests, or one for each credential: {free: 60, pro: 300}',
    ],
    [
      'a limit of a half',
      'free: 60',
      'free: 0.5',
      'acme.yaml:20: quotas.0.limit.free: has to be a whole number of requests',
    ],
    ['a limit of nothing', 'free: 60', 'free: 0', 'acme.yaml:20: quotas.0.limit.free: has to be at least 1'],
    [
      'several limits of one address',
      'by: credential',
      'by: address',
      'acme.yaml:20: quotas.0.limit: has several limits, but an address has one count whatever credential it shows: write one number, or by: credential',
    ],
    [
      'no window',
      '    window: 1m\n',
      '',
      'acme.yaml:18: quotas.0.window: is missing: it has to be a time with its unit, such as 30s, 1m, 1h or 1d',
    ],
    [
      'a window without its unit',
      'window: 1m',
      'window: 60',
      'acme.yaml:21: quotas.0.window: has to be a time with its unit, such as 30s, 1m, 1h or 1d',
    ],
    [
      'a window with two units',
      'window: 1m',
      'window: 1m30s',
      'acme.yaml:21: quotas.0.window: has to be a whole number and one unit, such as 30s, 1m, 1h or 1d',
    ],
    [
      'a window that is too short',
      'window: 1m',
      'window: 0s',
      'acme.yaml:21: quotas.0.window: has to be from 1s to 31d',
    ],
    [
      'a window that is too long',
      'window: 1m',
      'window: 32d',
      'acme.yaml:21: quotas.0.window: has to be from 1s to 31d',
    ],
    [
      'a probe that there is not',
      'probes: [items, search]',
      'probes: [items, serach]',
      'acme.yaml:22: quotas.0.probes.1: there is no probe serach: did you mean search?',
    ],
    [
      'no probes',
      'probes: [items, search]',
      'probes: []',
      'acme.yaml:22: quotas.0.probes: needs at least one probe, such as [items]: a quota that nothing counts against cannot be tested',
    ],
    [
      'a probe twice',
      'probes: [items, search]',
      'probes: [items, items]',
      'acme.yaml:22: quotas.0.probes.1: names items a second time: leave it out',
    ],
    [
      'two probes of one route that count apart',
      from('  search:', '    limit'),
      from('  search:', '    limit').replace('/search?q=a', '/items?limit=2').replace('credential', 'credential+probe'),
      'acme.yaml:22: quotas.0.probes.1: asks for GET /items as items does, and both would count as one: leave one of the two out',
    ],
    [
      'two that headers tell alike',
      from('headers:'),
      `${from('headers:').replace(from('headers:', 'retryAfter'), 'headers: draft-11\n')}${second('other').replace('limit: 5', 'limit: 60').slice('    level: must\n'.length)}`,
      "acme.yaml:25: quotas.1: can't be told from core in headers, for window and limit are the same: give each its policy",
    ],
    [
      'a model that there is not',
      'models: any',
      'models: [token-bukket]',
      'acme.yaml:23: quotas.0.models.0: has to be fixed-window, fixed-window-first-request, interval-refill, interval-refill-idle, sliding-log, sliding-counter, token-bucket or gcra: did you mean token-bucket?',
    ],
    [
      'a burst of limits that differ',
      'models: any',
      'models: gcra\n    burst: 10',
      'acme.yaml:24: quotas.0.burst: is one for all credentials, and their limits differ: write a quota for each of them',
    ],
    [
      'a burst of a window',
      'models: any',
      'models: [gcra, sliding-log]\n    burst: 10',
      'acme.yaml:24: quotas.0.burst: belongs to a bucket, and sliding-log has none: write models: [token-bucket, gcra]',
    ],
    [
      'a burst however it is counted',
      'models: any',
      'models: any\n    burst: 10',
      'acme.yaml:24: quotas.0.burst: belongs to a bucket, and models: any allows others: add models: [token-bucket, gcra]',
    ],
    [
      'a tolerance without its sign',
      'exact: true',
      'exact: {over: 5}',
      'acme.yaml:24: quotas.0.exact.over: has to be a share such as 5%, or any',
    ],
    [
      'a tolerance that is too wide',
      'exact: true',
      'exact: {over: 150%}',
      'acme.yaml:24: quotas.0.exact.over: has to be at most 100%: write at-least where too many are no breach at all',
    ],
    [
      'a tolerance misspelt',
      'exact: true',
      'exact: {ovr: 5%}',
      'acme.yaml:24: quotas.0.exact.ovr is not a field of a contract: did you mean over?',
    ],
    [
      'a tolerance of everything',
      'exact: true',
      'exact: {over: any, early: any}',
      'acme.yaml:24: quotas.0.exact: promises nothing on either side: give one of over and early a share',
    ],
    [
      'no word of how exact',
      'exact: true',
      'exact: false',
      'acme.yaml:24: quotas.0.exact: has to be true, at-most, at-least, or a tolerance such as {over: 5%, early: 2%}',
    ],
    [
      'a cost of what does not count',
      'probes: [items, search]',
      'probes: [items]',
      'acme.yaml:25: quotas.0.cost.search: is no probe of this quota: add it to its probes, or leave its cost out',
    ],
    [
      'a cost of what there is not',
      'cost: {search: 5}',
      'cost: {serach: 5}',
      'acme.yaml:25: quotas.0.cost.serach: there is no probe serach: did you mean search?',
    ],
    [
      'a cost beyond the limit',
      'cost: {search: 5}',
      'cost: {search: 11}',
      'acme.yaml:25: quotas.0.cost.search: costs 11, more than the 10 that there ever are: no such request could be admitted',
    ],
    [
      'a level that there is not',
      '    level: must\n',
      '    level: musst\n',
      'acme.yaml:26: quotas.0.level: has to be must, should or observe: did you mean must?',
    ],
    [
      'a policy that no header names',
      'exact: true',
      'policy: hour',
      'acme.yaml:24: quotas.0.policy: is named in no header: leave it out, or write headers: draft-11',
    ],
    [
      'a field misspelt',
      'window: 1m',
      'windwo: 1m',
      'acme.yaml:21: quotas.0.windwo is not a field of a contract: did you mean window?',
    ],
  ])
})
