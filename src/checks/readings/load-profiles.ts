/** The probes whose loads put the limit of a minute to the test: the oracle reads all of them together. */
export const loadProfiles: readonly string[] = [
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
