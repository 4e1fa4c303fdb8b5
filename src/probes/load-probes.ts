/** The probes that put a load on a key, rather than one request after the other. */
export const loadProbes: ReadonlySet<string> = new Set([
  'ban',
  'boundary',
  'burst',
  'cold-start',
  'compliant-clients',
  'cost',
  'daily',
  'isolation',
  'last-slot',
  'overload',
  'recovery',
  'same-plan',
  'split',
  'steady',
  'while-refused',
])
