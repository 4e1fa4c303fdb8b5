import { UsageError } from '../../kit/usage-error.js'
import type { Report } from '../../report/model.js'

/** The formats of `report --as`. */
export const formatNames = ['html', 'json', 'junit', 'markdown', 'openmetrics', 'otlp', 'sarif'] as const
type FormatName = (typeof formatNames)[number]

/** Reads --link, as it is written into what others read. Throws a {@link UsageError} that repeats nothing of it. */
export const parseLink = (text: string): string => {
  if (!URL.canParse(text)) throw new UsageError('--link is not an address: use one such as https://ci.example/runs/42')
  const { protocol, href } = new URL(text)
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new UsageError('--link: the address must begin with http:// or https://')
  return href
}

/** A saved run, of which a format takes what it needs. */
interface SavedRun {
  readonly report: () => Report
  /** The address at which the report can be read; absent where the user gave none. */
  readonly link?: string
  /** The file that findings are pinned to, from the root of a repository. */
  readonly file: string
}

/** What makes the text of each format, loaded when it is asked for. */
export const formats: Readonly<Record<FormatName, (saved: SavedRun) => Promise<string>>> = {
  html: async ({ report }) => (await import('../../report/html/page.js')).renderHtml(report()),
  json: async ({ report }) => (await import('../../report/formats/json.js')).renderJson(report()),
  junit: async ({ report }) => (await import('../../report/formats/junit.js')).renderJunit(report()),
  markdown: async ({ report }) => (await import('../../report/formats/markdown.js')).renderMarkdown(report()),
  openmetrics: async ({ report }) => (await import('../../report/formats/metrics.js')).renderOpenMetrics(report()),
  otlp: async ({ report }) => (await import('../../report/formats/metrics.js')).renderOtlp(report()),
  sarif: async (saved) => (await import('../../report/formats/sarif.js')).renderSarif(saved.report(), saved),
}
