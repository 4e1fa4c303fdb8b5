import { cpus } from 'node:os'
import type { RunHead } from '../../evidence/journal.js'

/** What a run is played on, as its head has it. */
export const thisMachine = (): RunHead['environment'] => ({
  node: process.version,
  platform: `${process.platform} ${process.arch}`,
  cpus: cpus().length,
})
