import { describe } from 'vitest'
import { from, refusalTable } from './testing/spoiled-contracts.js'

describe('refusals are refused for', () => {
  refusalTable([
    [
      'an empty list',
      from('refusals:', 'quotas:'),
      'refusals: []\n',
      'acme.yaml:14: refusals: is an empty list: leave it out if every refusal is a 429',
    ],
    [
      'a kind that there is not',
      'is: quota',
      'is: block',
      'acme.yaml:16: refusals.1.is: must be quota or ban; a block for a fixed time is one of them with lasts: 5m',
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
      'acme.yaml:16: refusals.1.status: must be a status from 200 to 599',
    ],
    [
      'a quota that fits what is served',
      'is: quota, status: 429',
      'is: quota, status: [429, 200]',
      'acme.yaml:16: refusals.1: fits every answer that serves the request items: add when or body, to say what else a refusal has',
    ],
    [
      'a ban that fits every answer',
      'status: 403, body: blocked',
      'status: [200, 403, 429]',
      'acme.yaml:15: refusals.0: fits every answer that serves the request items: add when or body, to say what else a refusal has',
    ],
    [
      'a rule that never fits',
      'status: 403, body: blocked',
      'status: [403, 429]',
      'acme.yaml:16: refusals.1: never fits, because refusals.0 fits all of its answers first: put it before that one',
    ],
    [
      'a time that is none',
      'status: 429',
      'status: 429, lasts: soon',
      'acme.yaml:16: refusals.1.lasts: must be a whole number and one unit, such as 30s, 1m, 1h or 1d',
    ],
    [
      'a time without its unit',
      'lasts: 5m',
      'lasts: 300',
      'acme.yaml:15: refusals.0.lasts: must be a time with its unit, such as 30s, 1m, 1h or 1d',
    ],
    [
      'a least time beyond the time',
      'lasts: 5m',
      'lasts: 5m, atLeast: 6m',
      'acme.yaml:15: refusals.0.atLeast: must be no longer than lasts, which says how long it lasts at most',
    ],
    [
      'a header that is none',
      'status: 429',
      "status: 429, when: {'x remaining': 0}",
      'acme.yaml:16: refusals.1.when.x remaining: must be the name of a header: letters, digits and hyphens',
    ],
    [
      'a list of a header',
      'status: 429',
      'status: 429, when: {x-remaining: [0]}',
      'acme.yaml:16: refusals.1.when.x-remaining: must be text',
    ],
  ])
})
