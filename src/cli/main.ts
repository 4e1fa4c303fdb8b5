#!/usr/bin/env node
import yargs from 'yargs'
import { hideBin } from 'yargs/helpers'
import { exitCodes } from '../assembly/exit-code.js'
import { UsageError } from '../kit/usage-error.js'
import { addCommands } from './commands/all.js'
import { outliveReaders } from './output/lost-output.js'
import { checkGivenOnce } from './process/given-once.js'
import { toolVersion } from './process/package-root.js'
import { defectText, endOnUncaught, withoutKeys } from './process/uncaught-errors.js'

endOnUncaught()
outliveReaders()
const given = hideBin(process.argv)
// Whoever lists the processes of this machine sees the title, not the arguments: keys may be among those.
process.title = 'quotaspec'

const parser = yargs(given)
  .scriptName('quotaspec')
  .version(toolVersion)
  .usage('quotaspec proves that an HTTP API keeps its contract, quotas included.')
  .demandCommand(1, 'say what to do: quotaspec run --target URL is the usual one')
  .strict()
  .recommendCommands()
  .parserConfiguration({ 'greedy-arrays': false, 'duplicate-arguments-array': true })
  .help()
  .fail((message, error) => {
    // yargs words what it can't parse; whatever a command throws comes through as it was.
    throw error ?? new UsageError(message)
  })
  .exitProcess(false)

/** The flags of the command at hand that may be repeated; yargs tells them, and its types don't say so. */
const lists = (): readonly string[] =>
  (parser as unknown as { getOptions(): { readonly array: readonly string[] } }).getOptions().array
parser.middleware((args) => checkGivenOnce(args, lists()), true)

try {
  await addCommands(parser, given)
  await parser.parseAsync()
} catch (error) {
  if (error instanceof UsageError || (error instanceof Error && error.name === 'YError')) {
    process.stderr.write(withoutKeys(`quotaspec: ${error.message}\n`))
    process.exitCode = exitCodes.usage
  } else {
    process.stderr.write(defectText(error))
    process.exitCode = exitCodes.harness
  }
}
