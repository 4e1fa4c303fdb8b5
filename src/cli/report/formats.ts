import type { Report } from '../../report/model.js'
import type { FormatName } from './format-names.js'

/** A saved run, of which a format takes what it needs. */
export interface SavedRun {
  readonly report: () => Report
  /** The address at which the report can be read; absent where the user gave none. */
  readonly link?: string
  /** The file that findings are pinned to, from the root of a repository. */
  readonly file: string
}

interface Format {
  /** What a receiver is told that it is sent. */
  readonly contentType: string
  readonly text: (saved: SavedRun) => Promise<string>
}

/** Each format with the renderer that makes it, loaded when it is asked for. */
export const formats: Readonly<Record<FormatName, Format>> = {
  html: {
    contentType: 'text/html; charset=utf-8',
    text: async ({ report }) => (await import('../../report/formats/html/page/page.js')).renderHtml(report()),
  },
  json: {
    contentType: 'application/json',
    text: async ({ report }) => (await import('../../report/formats/render-json.js')).renderJson(report()),
  },
  junit: {
    contentType: 'application/xml',
    text: async ({ report }) => (await import('../../report/formats/junit/render-junit.js')).renderJunit(report()),
  },
  markdown: {
    contentType: 'text/markdown; charset=utf-8',
    text: async ({ report }) =>
      (await import('../../report/formats/markdown/render-markdown.js')).renderMarkdown(report()),
  },
  openmetrics: {
    contentType: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
    text: async ({ report }) =>
      (await import('../../report/formats/metrics/render-openmetrics.js')).renderOpenMetrics(report()),
  },
  otlp: {
    contentType: 'application/json',
    text: async ({ report }) => (await import('../../report/formats/metrics/render-otlp.js')).renderOtlp(report()),
  },
  sarif: {
    contentType: 'application/sarif+json',
    text: async (saved) =>
      (await import('../../report/formats/sarif/render-sarif.js')).renderSarif(saved.report(), saved),
  },
}
