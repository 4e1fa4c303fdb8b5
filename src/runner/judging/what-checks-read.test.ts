import { expect, it } from 'vitest'
import { checks } from '../../checks/all.js'
import { probes } from '../../probes/all.js'

it('checks read probes that there are', () => {
  const known = probes.map(({ id }) => id)
  for (const { reads } of checks) if (reads !== 'everything') expect(known).toEqual(expect.arrayContaining([...reads]))
})
