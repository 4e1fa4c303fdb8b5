import { planNames } from '../contract/plans.js'
import { createRedactor } from '../evidence/redaction.js'
import { exitCodes } from './exit-code.js'
import { readKeyFile } from './key-file.js'

const keyForm = new RegExp(`(?:^|=)(?:${planNames.join('|')})=(.+)$`)

const fromKeyFile = (argv: readonly string[]): string[] => {
  const at = argv.findIndex((each) => /^--key-file(=|$)/.test(each))
  const path = argv[at]?.includes('=') ? argv[at].slice('--key-file='.length) : argv[at + 1]
  if (at < 0 || path === undefined) return []
  try {
    return readKeyFile(path).map((line) => line.slice(line.indexOf('=') + 1))
  } catch {
    return []
  }
}

/** Every key that this process was given, wherever it stands: also where it was typed in a wrong place. */
const secretsAtHand = (): string[] => [
  ...planNames.flatMap((plan) => process.env[`QUOTASPEC_KEY_${plan.toUpperCase()}`] ?? []),
  ...process.argv.flatMap((each) => keyForm.exec(each)?.[1] ?? []),
  ...fromKeyFile(process.argv),
]

/** A text for standard error, without any key that the process was given. */
export const withoutKeys = (text: string): string => {
  const redactor = createRedactor()
  for (const secret of secretsAtHand()) redactor.hide(secret, '‹key›')
  return redactor.redact(text)
}

/** What is said of an error that is a defect of quotaspec. */
export const defectText = (error: unknown): string =>
  withoutKeys(`quotaspec: a defect of quotaspec itself: ${error instanceof Error ? error.stack : error}\n`)

/** An error that nobody catches ends the process as a fault of the harness, never as a verdict on the target. */
export const endOnUncaught = (): void => {
  const end = (error: unknown) => {
    process.stderr.write(defectText(error))
    process.exit(exitCodes.harness)
  }
  process.on('uncaughtException', end)
  process.on('unhandledRejection', end)
}
