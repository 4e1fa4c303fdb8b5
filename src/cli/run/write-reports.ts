import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderHtml } from '../../report/html/page.js'
import type { Report } from '../../report/model.js'
import { renderJson } from '../../report/render-json.js'

/** Writes report.json and report.html into a run's folder. Returns the path of the latter. */
export const writeReports = (folder: string, report: Report): string => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'report.json'), renderJson(report))
  const html = join(folder, 'report.html')
  writeFileSync(html, renderHtml(report))
  return html
}
