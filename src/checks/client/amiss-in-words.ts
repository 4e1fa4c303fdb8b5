import type { Amiss } from '../../backoff/as-asked.js'

/** What a case asked for and what came, and that it is not tested by that. */
export const amissInWords = (amiss: Amiss): string => {
  if (amiss.kind === 'nothing') return 'nothing came: not tested'
  if (amiss.kind === 'operation') return `asked for ${amiss.asked}, got ${amiss.came}: not tested`
  if (amiss.kind === 'requests') return `asked for ${amiss.asked} requests, got ${amiss.came}: not tested`
  return `asked for ${amiss.asked} workers, got one: not tested`
}
