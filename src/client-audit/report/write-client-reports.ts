import { join } from 'node:path'
import { renderJson } from '../../report/formats/json.js'
import { writeFiles } from '../../run/saved-run.js'
import type { ClientReport } from './model.js'
import { renderClientHtml } from './render-client-html.js'
import { renderClientJunit } from './render-client-junit.js'
import { renderClientMarkdown } from './render-client-markdown.js'

/** Writes an audit into its folder, as JSON, as a page, as JUnit XML and in Markdown. Returns the path of the page. */
export const writeClientReports = (folder: string, report: ClientReport): string => {
  writeFiles(folder, {
    'report.json': renderJson(report),
    'report.html': renderClientHtml(report),
    'junit.xml': renderClientJunit(report),
    'report.md': renderClientMarkdown(report),
  })
  return join(folder, 'report.html')
}
