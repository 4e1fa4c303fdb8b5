import { isAbsolute, join, relative, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { exitCodes } from '../../assembly/exit-code.js'
import { UsageError } from '../../kit/usage-error.js'
import { savedReport } from '../folder/saved-report.js'
import { formats, type SavedRun } from '../report/formats.js'
import { sendReport } from '../report/send-report.js'
import type { reportSurface } from '../surface/saved-runs.js'
import type { ArgsOf } from '../surface/surface.js'

type Args = ArgsOf<typeof reportSurface>

/** The page of a run as a path from here; its name alone where it lies elsewhere. */
const pageOf = (dir: string): string => {
  const path = relative(process.cwd(), join(dir, 'report.html'))
  return path.startsWith('..') || isAbsolute(path) ? 'report.html' : path.split(sep).join('/')
}

const savedIn = ({ dir, link, file }: Args): SavedRun => ({
  report: () => savedReport(dir, (text) => process.stderr.write(`${text}\n`)),
  file: file ?? pageOf(dir),
  ...(link !== undefined && { link }),
})

const refuseUseless = ({ as, link, file }: Args): void => {
  if (link !== undefined && as !== 'sarif')
    throw new UsageError(`--link goes with --as sarif: --as ${as} has no place for it`)
  if (file !== undefined && as !== 'sarif')
    throw new UsageError(`--file goes with --as sarif: --as ${as} has no place for it`)
}

const send = async (url: URL, contentType: string, body: string): Promise<void> => {
  const authorization = process.env.QUOTASPEC_TO_AUTHORIZATION
  const { isSent, sentence } = await sendReport({ url, contentType, body, ...(authorization && { authorization }) })
  if (isSent) {
    process.stdout.write(`${sentence}\n`)
    return
  }
  process.stderr.write(`quotaspec: ${sentence}\n`)
  process.exitCode = exitCodes.harness
}

/** Prints the report of a saved run in a format, or sends it to an address. */
export const report = async (args: Args): Promise<void> => {
  refuseUseless(args)
  const { contentType, text: textOf } = formats[args.as]
  const text = await textOf(savedIn(args))
  if (args.to !== undefined) return send(args.to, contentType, text)
  // A reader that has gone is no failure, and what else can be wrong with the output is told where it is looked after.
  await pipeline(Readable.from([text]), process.stdout, { end: false }).catch(() => {})
}
