#!/usr/bin/env node
import module from 'node:module'
import { exitCodes } from '../assembly/exit-code.js'
import { UsageError } from '../kit/usage-error.js'
import { builtFile, toolVersion } from '../run/package.js'
import { surfaces } from './flags/all.js'
import { asksHelp, helpFor, scenarioDescription, scenarioNames } from './flags/help.js'
import { meantCommand, readWords } from './flags/words.js'
import { defectText, endOnUncaught, fileMistake, outliveReaders, withoutKeys } from './output/uncaught-errors.js'

// Node 22 and later cache compiled code, and start faster the next time.
if ('enableCompileCache' in module && typeof module.enableCompileCache === 'function') module.enableCompileCache()
endOnUncaught()
outliveReaders()
const words = process.argv.slice(2)
// A list of this machine's processes shows the title instead of the arguments, which may hold keys.
process.title = 'quotaspec'

const widest = 110

/** The word with which the shell's script asks for completions; what was typed follows it. */
const completionsAsked = '--get-yargs-completions'

/** Runs the command; everything beyond help and refusals is loaded only when needed. */
const main = async (): Promise<void> => {
  if (asksHelp(words)) {
    const scenarios = scenarioNames().map((name) => [name, scenarioDescription(name)] as const)
    const width = Math.min(process.stdout.columns ?? widest, widest)
    process.stdout.write(helpFor(words, { surfaces, scenarios, width }))
  } else if (words[0] === '--version') {
    process.stdout.write(`${toolVersion}\n`)
  } else if (words[0] === completionsAsked) {
    const { completions } = await import('./flags/completions.js')
    process.stdout.write((await completions(words.slice(2), surfaces)).map((each) => `${each}\n`).join(''))
  } else {
    const meant = meantCommand(words, surfaces, scenarioNames())
    const args = readWords(words.slice(1), meant)
    const act = await meant.load()
    await act(args as never)
  }
}

try {
  await main()
} catch (error) {
  const mistake = error instanceof UsageError ? error.message : fileMistake(error, builtFile())
  if (mistake !== undefined) {
    process.stderr.write(withoutKeys(`quotaspec: ${mistake}\n`))
    process.exitCode = exitCodes.usage
  } else {
    process.stderr.write(defectText(error))
    process.exitCode = exitCodes.harness
  }
}
