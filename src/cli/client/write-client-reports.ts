import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClientReport } from '../../report/client/model.js'
import { renderClientHtml } from '../../report/client/render-client-html.js'
import { renderClientJson } from '../../report/client/render-client-json.js'
import { renderClientJunit } from '../../report/client/render-client-junit.js'
import { renderClientMarkdown } from '../../report/client/render-client-markdown.js'

/** How a client's report can be had. */
const clientFormats = {
  html: renderClientHtml,
  json: renderClientJson,
  junit: renderClientJunit,
  markdown: renderClientMarkdown,
} satisfies Record<string, (report: ClientReport) => string>

const names = { html: 'report.html', json: 'report.json', junit: 'junit.xml', markdown: 'report.md' } as const

/** Writes the report in every format into the audit's folder. Returns the path of the page. */
export const writeClientReports = (folder: string, report: ClientReport): string => {
  mkdirSync(folder, { recursive: true })
  for (const [format, name] of Object.entries(names)) {
    writeFileSync(join(folder, name), clientFormats[format as keyof typeof names](report))
  }
  return join(folder, names.html)
}
