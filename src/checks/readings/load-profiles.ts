import type { ProbeId } from '../../contract/probe-catalogue.js'

/** The probes whose loads put the limit of a minute to the test: the oracle reads all of them together. */
export const loadProfiles: readonly ProbeId[] = [
  'burst',
  'other-requests',
  'split',
  'cold-start',
  'last-slot',
  'boundary',
  'steady',
  'recovery',
  'overload',
  'compliant-clients',
  'spread',
]

export const isLoadProfile = (probe: string): boolean => loadProfiles.some((each) => each === probe)
