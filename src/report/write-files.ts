import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderJson } from './formats/json.js'
import { renderHtml } from './html/page.js'
import type { Report } from './model.js'

/** Writes files into a run's folder, creating it if needed: each name with its text. */
export const writeFiles = (folder: string, files: Readonly<Record<string, string>>): void => {
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
}

/** Writes report.json and report.html into a run's folder. Returns the path of the latter. */
export const writeReports = (folder: string, report: Report): string => {
  writeFiles(folder, { 'report.json': renderJson(report), 'report.html': renderHtml(report) })
  return join(folder, 'report.html')
}
