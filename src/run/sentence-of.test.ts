import { expect, it } from 'vitest'
import { statusAgrees } from '../petstore/checks/errors.js'
import { sentenceOf } from './sentence-of.js'

const told = (others: number) =>
  sentenceOf(statusAgrees, {
    verdict: 'fail',
    code: 'status-disagrees',
    facts: { case: 'GET /x', http: 404, body: '200', others },
    witnesses: [],
  })

it.each([
  [0, /status 200$/],
  [1, / \(and one more of the Error bodies with a status\)$/],
  [1_098, / \(and 1,098 more Error bodies with a status\)$/],
])('says of what there were %i more', (others, words) => {
  expect(told(others)).toMatch(words)
})
