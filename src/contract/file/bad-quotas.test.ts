import { describe } from 'vitest'
import { from, refusalTable } from './testing/spoiled-contracts.js'

describe('quotas are refused for', () => {
  const second = (id: string, rest = '') =>
    `    level: must\n  - {id: ${id}, limit: 5, window: 1m, requests: [items]${rest}}\n`
  refusalTable([
    [
      'no id',
      '- id: core\n    by',
      '- by',
      'acme.yaml:18: quotas.0.id: is missing: it must be a name of lower-case letters, digits and hyphens that begins with a letter',
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
      'acme.yaml:19: quotas.0.by: must be one of credential, address, credential+request or address+request',
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
      'acme.yaml:20: quotas.0.limit: must be a whole number of requests, or one for each credential: {free: 60, pro: 300}',
    ],
    [
      'a limit of a half',
      'free: 60',
      'free: 0.5',
      'acme.yaml:20: quotas.0.limit.free: must be a whole number of requests',
    ],
    ['a limit of nothing', 'free: 60', 'free: 0', 'acme.yaml:20: quotas.0.limit.free: must be at least 1'],
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
      'acme.yaml:18: quotas.0.window: is missing: it must be a time with its unit, such as 30s, 1m, 1h or 1d',
    ],
    [
      'a window without its unit',
      'window: 1m',
      'window: 60',
      'acme.yaml:21: quotas.0.window: must be a time with its unit, such as 30s, 1m, 1h or 1d',
    ],
    [
      'a window with two units',
      'window: 1m',
      'window: 1m30s',
      'acme.yaml:21: quotas.0.window: must be a whole number and one unit, such as 30s, 1m, 1h or 1d',
    ],
    ['a window that is too short', 'window: 1m', 'window: 0s', 'acme.yaml:21: quotas.0.window: must be from 1s to 31d'],
    ['a window that is too long', 'window: 1m', 'window: 32d', 'acme.yaml:21: quotas.0.window: must be from 1s to 31d'],
    [
      'a request that there is not',
      'requests: [items, search]',
      'requests: [items, serach]',
      'acme.yaml:22: quotas.0.requests.1: there is no request serach: did you mean search?',
    ],
    [
      'no requests',
      'requests: [items, search]',
      'requests: []',
      'acme.yaml:22: quotas.0.requests: needs at least one request, such as [items]: a quota that nothing counts against cannot be tested',
    ],
    [
      'a request twice',
      'requests: [items, search]',
      'requests: [items, items]',
      'acme.yaml:22: quotas.0.requests.1: names items a second time: remove it',
    ],
    [
      'two requests of one route that count apart',
      from('  search:', '    limit'),
      from('  search:', '    limit')
        .replace('/search?q=a', '/items?limit=2')
        .replace('credential', 'credential+request'),
      'acme.yaml:22: quotas.0.requests.1: asks for GET /items as items does, and both would count as one: leave one of the two out',
    ],
    [
      'two that headers tell alike',
      from('headers:'),
      `${from('headers:').replace(from('headers:', 'retryAfter'), 'headers: draft-11\n')}${second('other').replace('limit: 5', 'limit: 60').slice('    level: must\n'.length)}`,
      'acme.yaml:25: quotas.1: looks the same as core in headers, because window and limit are the same: give each its policy',
    ],
    [
      'a model that there is not',
      'models: any',
      'models: [token-bukket]',
      'acme.yaml:23: quotas.0.models.0: must be one of fixed-window, fixed-window-first-request, interval-refill, interval-refill-idle, sliding-log, sliding-counter, token-bucket or gcra: did you mean token-bucket?',
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
      'acme.yaml:24: quotas.0.exact.over: must be a share such as 5%, or any',
    ],
    [
      'a tolerance that is too wide',
      'exact: true',
      'exact: {over: 150%}',
      'acme.yaml:24: quotas.0.exact.over: must be at most 100%: write at-least if too many are never a breach',
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
      'acme.yaml:24: quotas.0.exact: must be true, at-most, at-least, or a tolerance such as {over: 5%, early: 2%}',
    ],
    [
      'a cost of what does not count',
      'requests: [items, search]',
      'requests: [items]',
      'acme.yaml:25: quotas.0.cost.search: is not a request of this quota: add it to its requests, or remove its cost',
    ],
    [
      'a cost of what there is not',
      'cost: {search: 5}',
      'cost: {serach: 5}',
      'acme.yaml:25: quotas.0.cost.serach: there is no request serach: did you mean search?',
    ],
    [
      'a cost beyond the limit',
      'cost: {search: 5}',
      'cost: {search: 11}',
      'acme.yaml:25: quotas.0.cost.search: costs 11, more than the limit of 10: no such request could be admitted',
    ],
    [
      'a level that there is not',
      '    level: must\n',
      '    level: musst\n',
      'acme.yaml:26: quotas.0.level: must be one of must, should or observe: did you mean must?',
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
