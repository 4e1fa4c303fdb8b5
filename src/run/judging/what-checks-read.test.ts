import { expect, it } from 'vitest'
import { checks } from '../../petstore/checks/all.js'
import { probes } from '../plan/probe-registry.js'

it('checks read probes that there are', () => {
  const known = probes.map(({ id }) => id)
  for (const { reads } of checks) if (reads !== 'everything') expect(known).toEqual(expect.arrayContaining([...reads]))
})
