import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClientReport } from '../../client-audit/report/model.js'
import { renderClientHtml } from '../../client-audit/report/render-client-html.js'
import { renderClientJunit } from '../../client-audit/report/render-client-junit.js'
import { renderClientMarkdown } from '../../client-audit/report/render-client-markdown.js'
import { renderHtml } from '../../report/formats/html/page/page.js'
import { renderJson } from '../../report/formats/render-json.js'
import type { Report } from '../../report/model.js'

const write = (folder: string, report: Report | ClientReport, page: string): string => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'report.json'), renderJson(report))
  const html = join(folder, 'report.html')
  writeFileSync(html, page)
  return html
}

/** Writes report.json and report.html into a run's folder. Returns the path of the latter. */
export const writeReports = (folder: string, report: Report): string => write(folder, report, renderHtml(report))

/** Writes the same of an audit, and it as JUnit XML and in Markdown. Returns the path of the page. */
export const writeClientReports = (folder: string, report: ClientReport): string => {
  const html = write(folder, report, renderClientHtml(report))
  writeFileSync(join(folder, 'junit.xml'), renderClientJunit(report))
  writeFileSync(join(folder, 'report.md'), renderClientMarkdown(report))
  return html
}
