import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Evidence } from '../../evidence/evidence.js'
import { savedEvidence } from '../../run/folder/saved-run.js'

/** How often it is read until no load has ended meanwhile. */
const mostTimes = 5

const ledgersIn = (folder: string): string => {
  const ledgers = join(folder, 'ledgers')
  return existsSync(ledgers) ? readdirSync(ledgers).sort().join() : ''
}

/**
 * The evidence of a run that goes on, as it was at one moment. A load that ended while it was read would stand there
 * without the requests before it, or they without the load, and what was counted right would look wrong: then it is read
 * again. Throws where loads end faster than it can be read.
 *
 * @param read by what it is read: {@link savedEvidence} unless told.
 */
export const evidenceOfOneMoment = (
  folder: string,
  read: (folder: string) => Evidence = (from) => savedEvidence(from, () => {}),
): Evidence => {
  for (let times = 1; times <= mostTimes; times += 1) {
    const before = ledgersIn(folder)
    const evidence = read(folder)
    if (ledgersIn(folder) === before) return evidence
  }
  throw new Error(`${folder} changes faster than it can be read`)
}
