import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Evidence, evidenceOf } from '../../evidence/evidence.js'
import { readRun } from '../../evidence/journal.js'
import { UsageError } from '../../kit/usage-error.js'

/** The evidence of a saved run. Throws a {@link UsageError} where the folder holds none. Tells what can't be read. */
export const savedEvidence = (folder: string, warn: (text: string) => void): Evidence => {
  if (!existsSync(join(folder, 'journal.jsonl'))) {
    throw new UsageError(
      `${folder} holds no saved run (no journal.jsonl): give the folder that a run was written to, such as reports/latest`,
    )
  }
  const saved = readRun(folder)
  for (const each of saved.unreadable) warn(`${folder}: left out, as it can't be read: ${each}`)
  try {
    return evidenceOf(saved)
  } catch (error) {
    throw new UsageError(
      `${folder}: ${error instanceof Error ? error.message : error}; it may come from another version`,
    )
  }
}
