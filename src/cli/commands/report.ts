import type { CommandModule } from 'yargs'
import { renderHtml } from '../../report/html/page.js'
import type { Report } from '../../report/model.js'
import { renderJson } from '../../report/render-json.js'
import { renderJunit } from '../../report/render-junit.js'
import { renderMarkdown } from '../../report/render-markdown.js'
import { savedReport } from '../folder/saved-report.js'

const formats = { html: renderHtml, json: renderJson, junit: renderJunit, markdown: renderMarkdown } satisfies Record<
  string,
  (report: Report) => string
>
type Format = keyof typeof formats

interface Args {
  readonly dir: string
  readonly as: Format
}

/** Prints the report of a saved run in a format. */
export const reportCommand: CommandModule<object, Args> = {
  command: 'report <dir>',
  describe: 'Print a saved run as HTML, JSON, JUnit XML or Markdown',
  builder: (yargs) =>
    yargs
      .positional('dir', { type: 'string', demandOption: true, describe: 'The folder of the run' })
      .option('as', { choices: Object.keys(formats) as Format[], demandOption: true, describe: 'The format' }),
  handler: ({ dir, as }) => {
    process.stdout.write(formats[as](savedReport(dir, (text) => process.stderr.write(`${text}\n`))))
  },
}
