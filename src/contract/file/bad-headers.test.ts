import { describe } from 'vitest'
import { from, refusalTable } from './testing/spoiled-contracts.js'

describe('headers are refused for', () => {
  const list = from('headers:', 'retryAfter')
  refusalTable([
    [
      'a preset that there is not',
      list,
      'headers: x-ratelimit-epochs\n',
      'acme.yaml:10: headers: must be one of x-ratelimit-epoch, x-ratelimit-epoch-ms, x-ratelimit-delta, x-ratelimit-delta-ms, x-ratelimit-duration, x-ratelimit-iso-8601, x-ratelimit-http-date, draft-03, draft-06, draft-07, draft-11, none, or a list of fields such as - {name: X-Shop-Limit, is: used/limit}: did you mean x-ratelimit-epoch?',
    ],
    [
      'a preset misspelt beside its level',
      list,
      'headers: {preset: draft-12, level: must}\n',
      'acme.yaml:10: headers.preset: must be one of x-ratelimit-epoch, x-ratelimit-epoch-ms, x-ratelimit-delta, x-ratelimit-delta-ms, x-ratelimit-duration, x-ratelimit-iso-8601, x-ratelimit-http-date, draft-03, draft-06, draft-07, draft-11 or none: did you mean draft-11?',
    ],
    [
      'an empty list',
      list,
      'headers: []\n',
      'acme.yaml:10: headers: is an empty list: write headers: none if no header shows quotas',
    ],
    [
      'a name that is none',
      'name: X-RateLimit-Limit',
      'name: X RateLimit Limit',
      'acme.yaml:11: headers.0.name: must be the name of a header: letters, digits and hyphens',
    ],
    [
      'a meaning that there is not',
      'is: limit',
      'is: remainig',
      'acme.yaml:11: headers.0.is: must be one of limit, remaining, used, used/limit, reset, policy, draft-07-policy, draft-07, draft-11-policy or draft-11: did you mean remaining?',
    ],
    [
      'a reset that does not say how it is written',
      ', as: epoch-s',
      '',
      'acme.yaml:12: headers.1.is: is a reset, so it must say how it is written: add as: with one of epoch-s, epoch-ms, delta-s, delta-ms, duration, iso-8601, http-date',
    ],
    [
      'a unit of what is no moment',
      'is: limit',
      'is: limit, as: epoch-s',
      'acme.yaml:11: headers.0.as: belongs only to is: reset: remove it',
    ],
    [
      'a unit that there is not',
      'as: epoch-s',
      'as: epoch',
      'acme.yaml:12: headers.1.as: must be one of epoch-s, epoch-ms, delta-s, delta-ms, duration, iso-8601 or http-date: did you mean epoch-s?',
    ],
    [
      'one listed twice',
      'X-RateLimit-Reset, is: reset, as: epoch-s',
      'x-ratelimit-limit, is: limit',
      'acme.yaml:12: headers.1: lists x-ratelimit-limit as limit a second time: remove it',
    ],
    [
      'a Retry-After in no form',
      'as: [seconds, http-date]',
      'as: minutes',
      'acme.yaml:13: retryAfter.as: must be seconds, http-date, or [seconds, http-date]',
    ],
    [
      'a Retry-After without forms',
      'as: [seconds, http-date]',
      'as: []',
      'acme.yaml:13: retryAfter.as: must not be empty',
    ],
  ])
})
