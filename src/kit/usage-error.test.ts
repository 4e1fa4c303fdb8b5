import { expect, it } from 'vitest'
import { UsageError } from './usage-error.js'

it('is told apart from a defect by its name, wherever it was made', () => {
  const error: unknown = new UsageError('--seed x: a whole number')
  expect(error).toBeInstanceOf(Error)
  expect(error).toMatchObject({ name: 'UsageError', message: '--seed x: a whole number' })
})
