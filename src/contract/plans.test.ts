import { expect, it } from 'vitest'
import { fixedQuotas, planNames, windowLengthMs } from './plans.js'

it.each([
  ['free', 60, 1_000],
  ['pro', 300, 10_000],
  ['business', 1_000, 100_000],
] as const)('the %s plan allows %d requests a minute and %d a day (§8)', (plan, minute, day) => {
  expect(fixedQuotas[plan]).toEqual({ minute, day })
})

it('knows the Enterprise plan without numbers of its own', () => {
  expect(planNames).toEqual(['free', 'pro', 'business', 'enterprise'])
  expect(Object.keys(fixedQuotas)).not.toContain('enterprise')
})

it('divides every window by the time scale', () => {
  expect([windowLengthMs('minute'), windowLengthMs('day')]).toEqual([60_000, 86_400_000])
  expect([windowLengthMs('minute', 10), windowLengthMs('day', 10)]).toEqual([6_000, 8_640_000])
})
