import { appendFileSync } from 'node:fs'
import { renderMarkdown } from '../../report/formats/markdown/render-markdown.js'
import { renderAnnotations } from '../../report/formats/render-annotations.js'
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

/** Tells a pipeline what a run came to, in its own words: annotations and the job's summary, where it has them. */
export const tellPipeline = (report: Report, output: { write(text: string): unknown } = process.stdout): void => {
  if (process.env.GITHUB_ACTIONS === 'true') output.write(renderAnnotations(report))
  summarise(renderMarkdown(report))
}
