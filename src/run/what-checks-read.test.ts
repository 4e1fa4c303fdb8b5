import { expect, it } from 'vitest'
import { probes } from './plan/probe-registry.js'
import { checks } from './registry.js'

it('checks read probes that there are', () => {
  const known = probes.map(({ id }) => id)
  for (const { reads } of checks) if (reads !== 'everything') expect(known).toEqual(expect.arrayContaining([...reads]))
})
