import { appendFileSync } from 'node:fs'
import type { ClientReport } from '../../client-audit/report/model.js'
import { renderClientAnnotations } from '../../client-audit/report/render-client-annotations.js'
import { renderClientMarkdown } from '../../client-audit/report/render-client-markdown.js'
import { renderAnnotations } from '../../report/formats/annotations.js'
import { renderMarkdown } from '../../report/formats/markdown.js'
import type { Report } from '../../report/model.js'

/** Adds Markdown to the job's summary where the pipeline offers a file for it; a summary that can't be written is no failure. */
export const summarise = (markdown: string): void => {
  const file = process.env.GITHUB_STEP_SUMMARY
  if (!file) return
  try {
    appendFileSync(file, `${markdown}\n`)
  } catch (error) {
    process.stderr.write(`the job summary can't be written: ${error instanceof Error ? error.message : error}\n`)
  }
}

interface Output {
  write(text: string): unknown
}

const tell = (annotations: string, markdown: string, output: Output): void => {
  if (process.env.GITHUB_ACTIONS === 'true') output.write(annotations)
  summarise(markdown)
}

/** Tells a pipeline what a run came to, in its own words: annotations and the job's summary, where it has them. */
export const tellPipeline = (report: Report, output: Output = process.stdout): void =>
  tell(renderAnnotations(report), renderMarkdown(report), output)

/** The same of an audit of a client. */
export const tellPipelineOfClient = (report: ClientReport, output: Output = process.stdout): void =>
  tell(renderClientAnnotations(report), renderClientMarkdown(report), output)
