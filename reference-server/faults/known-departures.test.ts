import { describe, expect, it } from 'vitest'
import { blocking } from '../testing/keystone-contracts.js'
import { requireDepartures } from './catalogue.js'

describe('a departure that is asked for', () => {
  it.each([
    [
      'of petstore',
      'limit-plus-two',
      undefined,
      '--fault limit-plus-two: there is no such fault; did you mean limit-plus-one?',
    ],
    ['of petstore, far from any', 'x', undefined, '--fault x: there is no such fault; quotaspec faults lists them'],
    ['of a contract', 'limit-plus-two', blocking, 'did you mean limit-plus-one?'],
    [
      'of a contract to which it means nothing',
      'cost-ignored',
      blocking,
      '--fault cost-ignored: it means nothing to blocking; known are limit-plus-one,',
    ],
  ])('%s has to be known', (_, id, contract, told) => {
    expect(() => requireDepartures({ fault: [id], variation: [] }, contract)).toThrow(told)
    expect(() => requireDepartures({ fault: ['limit-plus-one'], variation: [] }, contract)).not.toThrow()
  })
})
