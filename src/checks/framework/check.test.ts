import { describe, expectTypeOf, it } from 'vitest'
import type { Promised } from './check.js'

describe('the level of a check', () => {
  it('is that of its clauses, or observe: one that fails more mildly has a clause of its own', () => {
    expectTypeOf<Promised['level']>().toEqualTypeOf<'observe' | undefined>()
  })
})
