import { UsageError } from '../../kit/usage-error.js'
import type { Report } from '../../report/model.js'

export const formatNames = ['html', 'json', 'junit', 'markdown', 'openmetrics', 'otlp', 'sarif'] as const

/** Reads --link, which ends up in text that others read. Throws a {@link UsageError} that repeats none of it. */
export const parseLink = (text: string): string => {
  if (!URL.canParse(text)) throw new UsageError('--link is not an address: use one such as https://ci.example/runs/42')
  const { protocol, href } = new URL(text)
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new UsageError('--link: the address must begin with http:// or https://')
  return href
}

interface SavedRun {
  readonly report: () => Report
  /** The address of the report; absent if the user gave none. */
  readonly link?: string
  /** The file that findings are attached to, relative to the repository's root. */
  readonly file: string
}

/** The renderer of each format, loaded on demand. */
export const formats: Readonly<Record<(typeof formatNames)[number], (saved: SavedRun) => Promise<string>>> = {
  html: async ({ report }) => (await import('../../report/html/page.js')).renderHtml(report()),
  json: async ({ report }) => (await import('../../report/formats/json.js')).renderJson(report()),
  junit: async ({ report }) => (await import('../../report/formats/junit.js')).renderJunit(report()),
  markdown: async ({ report }) => (await import('../../report/formats/markdown.js')).renderMarkdown(report()),
  openmetrics: async ({ report }) => (await import('../../report/formats/metrics.js')).renderOpenMetrics(report()),
  otlp: async ({ report }) => (await import('../../report/formats/metrics.js')).renderOtlp(report()),
  sarif: async (saved) => (await import('../../report/formats/sarif.js')).renderSarif(saved.report(), saved),
}
