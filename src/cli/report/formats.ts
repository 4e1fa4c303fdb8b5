import type { Evidence } from '../../evidence/evidence.js'
import type { Report } from '../../report/model.js'
import type { FormatName } from './format-names.js'

/** A saved run, of which a format takes what it needs. */
export interface SavedRun {
  readonly report: () => Report
  readonly evidence: () => Evidence
  /** Where the report can be read: an address, or the path of its page. */
  readonly readAt: string
  /** The same as an address of the web; absent where the user gave none. */
  readonly link?: string
  /** The file that findings are pinned to, from the root of a repository. */
  readonly file: string
}

interface Format {
  /** What a receiver is told that it is sent. */
  readonly contentType: string
  /** The text in pieces, for that of a load may be longer than one text can be. */
  readonly pieces: (saved: SavedRun) => Promise<Iterable<string>>
}

/** Each format with the renderer that makes it, loaded when it is asked for. */
export const formats: Readonly<Record<FormatName, Format>> = {
  html: {
    contentType: 'text/html; charset=utf-8',
    pieces: async ({ report }) => [(await import('../../report/formats/html/page/page.js')).renderHtml(report())],
  },
  json: {
    contentType: 'application/json',
    pieces: async ({ report }) => [(await import('../../report/formats/render-json.js')).renderJson(report())],
  },
  junit: {
    contentType: 'application/xml',
    pieces: async ({ report }) => [(await import('../../report/formats/junit/render-junit.js')).renderJunit(report())],
  },
  markdown: {
    contentType: 'text/markdown; charset=utf-8',
    pieces: async ({ report }) => [
      (await import('../../report/formats/markdown/render-markdown.js')).renderMarkdown(report()),
    ],
  },
  openmetrics: {
    contentType: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
    pieces: async ({ report }) => [
      (await import('../../report/formats/metrics/render-openmetrics.js')).renderOpenMetrics(report()),
    ],
  },
  otlp: {
    contentType: 'application/json',
    pieces: async ({ report }) => [(await import('../../report/formats/metrics/render-otlp.js')).renderOtlp(report())],
  },
  sarif: {
    contentType: 'application/sarif+json',
    pieces: async (saved) => [
      (await import('../../report/formats/sarif/render-sarif.js')).renderSarif(saved.report(), saved),
    ],
  },
  csv: {
    contentType: 'text/csv; charset=utf-8; header=present',
    pieces: async ({ evidence }) => {
      const { loadRequests } = await import('../../assembly/figures/load-requests.js')
      const { renderCsv } = await import('../../report/formats/csv/render-csv.js')
      return renderCsv(loadRequests(evidence()))
    },
  },
  badge: {
    contentType: 'image/svg+xml',
    pieces: async ({ report }) => [(await import('../../report/formats/badge/render-badge.js')).renderBadge(report())],
  },
  webhook: {
    contentType: 'application/json',
    pieces: async ({ report, readAt }) => [
      (await import('../../report/formats/webhook/render-webhook.js')).renderWebhook(report(), readAt),
    ],
  },
}
