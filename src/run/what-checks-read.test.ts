import { expect, it } from 'vitest'
import { checks, probes } from './registry.js'

it('checks read probes that there are', () => {
  const known = probes.map(({ id }) => id)
  for (const { reads } of checks) if (reads !== 'everything') expect(known).toEqual(expect.arrayContaining([...reads]))
})
