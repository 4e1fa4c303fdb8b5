import { readdirSync } from 'node:fs'
import { exitCodes } from '../../assembly/exit-code.js'
import { planNames } from '../../contract/plans.js'
import { createRedactor } from '../../evidence/redaction.js'
import { attempt, fileReasons, whyOf } from '../../kit/usage-error.js'
import { asPattern } from '../../kit/words.js'
import { knownSecrets, readKeyFile } from '../../run/options/keys.js'
import { scenarioFolder } from '../../run/package.js'

/** The words of a command line, each with its flag, if any, and the words after it up to the next flag. */
const typedWords = (argv: readonly string[]) =>
  argv.map((word, at) => {
    const [, flag = argv[at - 1] ?? '', value = word] = /^(--[^=]+)=(.*)$/s.exec(word) ?? []
    const behind = argv.slice(at + 1)
    const next = behind.findIndex((each) => each.startsWith('-'))
    return { flag, value, behind: next < 0 ? behind : behind.slice(0, next) }
  })

type TypedWord = ReturnType<typeof typedWords>[number]

const keyForm = new RegExp(`(?:^|=)(?:${planNames.join('|')})=(.+)$`)
/** The value of `--key`: a plan, or a credential of a contract with any name. */
const anyName = /^[^=]+=(.+)$/
/** A text after a plan's name that looks like a quota, even a misspelt one: in `--quota` it is no key. */
const quotaForm = /^(?:(?:minute|day)\b.*|[\d:,.]+)$/i

const keyTyped = ({ flag, value }: TypedWord): string[] => {
  const key = (flag === '--key' ? anyName : keyForm).exec(value)?.[1]
  return key === undefined || (flag === '--quota' && quotaForm.test(key)) ? [] : [key]
}

/** The credential of `--header 'Authorization: Bearer …'`: its whole value, and the part after the scheme. */
const headerTyped = ({ flag, value }: TypedWord): string[] => {
  const shown = flag === '--header' ? value.slice(value.indexOf(':') + 1).trim() : ''
  // `--header none` has no secret.
  return /^(none)?$/i.test(shown) ? [] : [shown, shown.split(' ').at(-1) ?? shown]
}

/** A flag whose value ends before the secret, because a space precedes it: one of the next words is the secret. */
const cutShort: Readonly<Record<string, RegExp>> = { '--key': /^[^=]*=?$/, '--header': /:\s*$/ }

const fromKeyFile = (words: readonly TypedWord[]): string[] => {
  const path = words.find(({ flag }) => flag === '--key-file')?.value
  return attempt(() => readKeyFile(path).map(({ secret }) => secret)) ?? []
}

/** Every key that a process was given, even one typed in the wrong place. */
export const secretsAtHand = (argv: readonly string[], environment: NodeJS.ProcessEnv): string[] => {
  const words = typedWords(argv)
  return [
    ...planNames.flatMap((plan) => environment[`QUOTASPEC_KEY_${plan.toUpperCase()}`] ?? []),
    ...words.flatMap(keyTyped),
    ...words.flatMap(headerTyped),
    ...words.flatMap(({ flag, value, behind }) => (cutShort[flag]?.test(value) ? behind : [])),
    ...fromKeyFile(words),
  ]
}

const mostWordCharacters = 24

/** A word, a name such as RATE-5, or digits: hiding it everywhere would also remove a sentence's own words and numbers. */
const isWord = (secret: string): boolean =>
  secret.length <= mostWordCharacters && /^(?:[a-z]+(?:[-_.](?:[a-z]+|\d+))*|\d+)$/i.test(secret)

/** Words that the program uses anyway: if a key is such a word, printing it reveals nothing. */
const ownWords = (): ReadonlySet<string> => {
  const scenarios = readdirSync(scenarioFolder).map((name) => name.replace(/\.yaml$/, ''))
  return new Set([...planNames, ...scenarios, 'minute', 'quotaspec', 'target'])
}

/** The text with `‹key›` for the secret in each typed value that is or ends with it. */
const withoutTyped = (text: string, secret: string, typed: readonly string[]): string => {
  const values = typed.filter((each) => each === secret || each.endsWith(`=${secret}`))
  return values.reduce((clean, value) => {
    const whole = new RegExp(`(?<![\\w-])${asPattern(value)}(?![\\w-])`, 'g')
    return clean.replace(whole, `${value.slice(0, -secret.length)}‹key›`)
  }, text)
}

/**
 * A text without the secrets that it may repeat from the command line. A secret that looks like one is hidden everywhere;
 * one that is a word only where typed text is repeated, so that no sentence loses a word.
 */
export const hideIn = (text: string, secrets: readonly string[], typed: readonly string[]): string => {
  const redactor = createRedactor()
  for (const secret of secrets) if (!isWord(secret)) redactor.hide(secret, '‹key›')
  const own = secrets.some(isWord) ? ownWords() : new Set()
  const words = secrets.filter((each) => isWord(each) && !own.has(each.toLowerCase()))
  return words.reduce((clean, secret) => withoutTyped(clean, secret, typed), redactor.redact(text))
}

/** A text for standard error, without any key that the process was given. */
export const withoutKeys = (text: string): string =>
  hideIn(text, [...secretsAtHand(process.argv, process.env), ...knownSecrets()], process.argv.slice(2))

export const defectText = (error: unknown): string =>
  withoutKeys(`quotaspec: a defect of quotaspec itself: ${error instanceof Error ? error.stack : error}\n`)

/** The message when no more files may be opened, whichever it was: a machine setting, not a defect, not a verdict. */
const fewFiles = (thrown: unknown): string | undefined =>
  thrown instanceof Error && 'code' in thrown && /^E[MN]FILE$/.test(String(thrown.code)) ? whyOf(thrown) : undefined

/**
 * Makes an uncaught error end the process as a fault of the harness, never as a verdict on the target. If no more files can
 * be opened, none is read to look for keys: that message repeats nothing.
 */
export const endOnUncaught = (): void => {
  const end = (error: unknown) => {
    const mistake = fewFiles(error)
    process.stderr.write(mistake === undefined ? defectText(error) : `quotaspec: ${mistake}\n`)
    process.exit(mistake === undefined ? exitCodes.harness : exitCodes.usage)
  }
  process.on('uncaughtException', end)
  process.on('unhandledRejection', end)
}

const doing = (syscall: unknown): string =>
  ['mkdir', 'write', 'rename', 'unlink', 'rmdir', 'copyfile', 'link'].includes(String(syscall)) ? 'written' : 'used'

/** A sentence for a file system error about a path of the user's; undefined for any other error, which is a defect. */
export const fileMistake = (error: unknown, ownFolder: string): string | undefined => {
  const tooFew = fewFiles(error)
  if (tooFew !== undefined) return tooFew
  if (!(error instanceof Error && 'code' in error && 'path' in error)) return undefined
  const { code, path } = error
  const reason = fileReasons[String(code)]
  if (reason === undefined || typeof path !== 'string' || path.startsWith(ownFolder)) return undefined
  const syscall = 'syscall' in error ? error.syscall : undefined
  return `${path} can't be ${doing(syscall)}: ${reason}; name another`
}

/** Error codes of an output without a reader: the pipe was closed, or the terminal is gone. */
const readerIsGone = ['EPIPE', 'EIO', 'ECONNRESET', 'ERR_STREAM_DESTROYED']

/**
 * Survives the loss of its output's reader: `quotaspec faults | head -1` ends quietly, and a run whose summary nobody reads
 * still restores the inventory, writes its reports and ends with its own exit code. Any other failure of standard output,
 * such as a full disk, is reported in a sentence and is a fault of the harness.
 */
export const outliveReaders = (): void => {
  let isLost = false
  // If standard error itself is lost, nothing can be reported.
  process.stderr.on('error', () => {})
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (isLost || readerIsGone.includes(error.code ?? '')) return
    isLost = true
    process.stderr.write(`quotaspec: standard output can't be written: ${error.message}\n`)
    process.once('exit', () => {
      process.exitCode = exitCodes.harness
    })
  })
}
