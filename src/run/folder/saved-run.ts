import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Evidence, evidenceOf } from '../../evidence/evidence.js'
import { readRun } from '../../evidence/journal.js'
import { UsageError } from '../../kit/usage-error.js'
import { renderJson } from '../../report/formats/json.js'
import { renderHtml } from '../../report/html/page.js'
import type { Report } from '../../report/model.js'

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

/** Writes files into a run's folder, which is made where there is none: each name with its text. */
export const writeFiles = (folder: string, files: Readonly<Record<string, string>>): void => {
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
}

/** Writes report.json and report.html into a run's folder. Returns the path of the latter. */
export const writeReports = (folder: string, report: Report): string => {
  writeFiles(folder, { 'report.json': renderJson(report), 'report.html': renderHtml(report) })
  return join(folder, 'report.html')
}
