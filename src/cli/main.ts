#!/usr/bin/env node
import { exitCodes } from '../assembly/exit-code.js'
import { UsageError } from '../kit/usage-error.js'
import { outliveReaders } from './output/lost-output.js'
import { fileMistake } from './process/file-mistakes.js'
import { builtFile, toolVersion } from './process/package-root.js'
import { defectText, endOnUncaught, withoutKeys } from './process/uncaught-errors.js'
import { surfaces } from './surface/all.js'
import { checkFlags } from './typed/check-flags.js'
import { asksHelp, helpFor } from './typed/help-text.js'
import { meantCommand } from './typed/meant-command.js'
import { scenarioDescription, scenarioNames } from './typed/scenario-names.js'

endOnUncaught()
outliveReaders()
const words = process.argv.slice(2)
// Whoever lists the processes of this machine sees the title, not the arguments: keys may be among those.
process.title = 'quotaspec'

const widest = 110

/** Does what the words say; what it takes beyond help and refusals is loaded when it is needed. */
const main = async (): Promise<void> => {
  if (asksHelp(words)) {
    const scenarios = scenarioNames().map((name) => [name, scenarioDescription(name)] as const)
    const width = Math.min(process.stdout.columns ?? widest, widest)
    process.stdout.write(helpFor(words, { surfaces, scenarios, width }))
  } else if (words[0] === '--version') {
    process.stdout.write(`${toolVersion}\n`)
  } else {
    const meant = meantCommand(words, surfaces, scenarioNames())
    if (meant) checkFlags(words.slice(1), meant)
    const { parserOf } = await import('./typed/parser.js')
    await parserOf(words, surfaces, meant).parseAsync()
  }
}

try {
  await main()
} catch (error) {
  if (error instanceof UsageError || (error instanceof Error && error.name === 'YError')) {
    process.stderr.write(withoutKeys(`quotaspec: ${error.message}\n`))
    process.exitCode = exitCodes.usage
  } else if (fileMistake(error, builtFile()) !== undefined) {
    process.stderr.write(withoutKeys(`quotaspec: ${fileMistake(error, builtFile())}\n`))
    process.exitCode = exitCodes.usage
  } else {
    process.stderr.write(defectText(error))
    process.exitCode = exitCodes.harness
  }
}
