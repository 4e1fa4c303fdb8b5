import { isAbsolute, join, relative, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { UsageError } from '../../kit/usage-error.js'
import type { ArgsOf } from '../flags/command.js'
import type { reportSurface } from '../flags/saved-runs.js'
import { formats, type SavedRun } from '../output/report-formats.js'
import { savedReport } from '../output/saved-report.js'

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
    throw new UsageError(`--link works only with --as sarif, not with --as ${as}`)
  if (file !== undefined && as !== 'sarif')
    throw new UsageError(`--file works only with --as sarif, not with --as ${as}`)
}

/** Prints the report of a saved run in a format. */
export const report = async (args: Args): Promise<void> => {
  refuseUseless(args)
  const text = await formats[args.as](savedIn(args))
  // A reader that has gone is no failure, and what else can be wrong with the output is told where it is looked after.
  await pipeline(Readable.from([text]), process.stdout, { end: false }).catch(() => {})
}
