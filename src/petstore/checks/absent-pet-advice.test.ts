import { expect, it } from 'vitest'
import { adviceFor } from '../../checks/framework/check.js'
import { absentPetAdvice } from './inventory-refusals.js'

it.each([
  [200, /does: it must end in 404, never create one\.$/],
  [400, /which status a missing row gets/],
  [429, /which status a missing row gets/],
  [500, /what fails/],
])('of a missing pet that was answered %i speaks of what that may come from', (got, advice) => {
  const told = adviceFor(absentPetAdvice, { code: 'unexpected-status', facts: { got } })
  expect(told).toMatch(advice)
  expect(told.split(' ').length).toBeLessThanOrEqual(20)
})
