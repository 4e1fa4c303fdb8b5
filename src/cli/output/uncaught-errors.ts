import { readdirSync } from 'node:fs'
import { exitCodes } from '../../assembly/exit-code.js'
import { planNames } from '../../contract/plans.js'
import { createRedactor } from '../../evidence/redaction.js'
import { fewFiles, fileReasons } from '../../kit/usage-error.js'
import { asPattern } from '../../kit/words.js'
import { knownSecrets, readKeyFile } from '../../run/options/keys.js'
import { scenarioFolder } from '../../run/package.js'

/**
 * The words of a command line, each with the flag that it is the value of, if any, `--key=a` as `--key a`, and with the words
 * behind it, up to the next flag.
 */
const typedWords = (argv: readonly string[]) =>
  argv.map((word, at) => {
    const [, flag = argv[at - 1] ?? '', value = word] = /^(--[^=]+)=(.*)$/s.exec(word) ?? []
    const behind = argv.slice(at + 1)
    const next = behind.findIndex((each) => each.startsWith('-'))
    return { flag, value, behind: next < 0 ? behind : behind.slice(0, next) }
  })

type TypedWord = ReturnType<typeof typedWords>[number]

const keyForm = new RegExp(`(?:^|=)(?:${planNames.join('|')})=(.+)$`)
/** Behind `--key` stands a plan, or a credential of a contract, which may have any name. */
const anyName = /^[^=]+=(.+)$/
/** What stands behind a plan's name where a quota is due, and looks like one, however misspelt, is no key. */
const quotaForm = /^(?:(?:minute|day)\b.*|[\d:,.]+)$/i

const keyTyped = ({ flag, value }: TypedWord): string[] => {
  const key = (flag === '--key' ? anyName : keyForm).exec(value)?.[1]
  return key === undefined || (flag === '--quota' && quotaForm.test(key)) ? [] : [key]
}

/** The credential of `--header 'Authorization: Bearer …'`: its whole value, and what stands behind the scheme. */
const headerTyped = ({ flag, value }: TypedWord): string[] => {
  const shown = flag === '--header' ? value.slice(value.indexOf(':') + 1).trim() : ''
  // `--header none` is no secret.
  return /^(none)?$/i.test(shown) ? [] : [shown, shown.split(' ').at(-1) ?? shown]
}

/** A flag of which all but the secret was typed: a space stands before that, and one of the words behind is it. */
const cutShort: Readonly<Record<string, RegExp>> = { '--key': /^[^=]*=?$/, '--header': /:\s*$/ }
const cutOff = ({ flag, value, behind }: TypedWord): readonly string[] => (cutShort[flag]?.test(value) ? behind : [])

const fromKeyFile = (words: readonly TypedWord[]): string[] => {
  const path = words.find(({ flag }) => flag === '--key-file')?.value
  try {
    return readKeyFile(path).map(({ secret }) => secret)
  } catch {
    return []
  }
}

/** Every key that a process was given, wherever it stands: also where it was typed in a wrong place. */
export const secretsAtHand = (argv: readonly string[], environment: NodeJS.ProcessEnv): string[] => {
  const words = typedWords(argv)
  return [
    ...planNames.flatMap((plan) => environment[`QUOTASPEC_KEY_${plan.toUpperCase()}`] ?? []),
    ...words.flatMap(keyTyped),
    ...words.flatMap(headerTyped),
    ...words.flatMap(cutOff),
    ...fromKeyFile(words),
  ]
}

const mostWordCharacters = 24

/** Words, names such as RATE-5, or digits alone: no sentence can be searched for those without losing words and numbers of its own. */
const isWord = (secret: string): boolean =>
  secret.length <= mostWordCharacters && /^(?:[a-z]+(?:[-_.](?:[a-z]+|\d+))*|\d+)$/i.test(secret)

/** What the program says by itself, whatever it was given: where a key is such a word, saying it tells nothing of the key. */
const ownWords = (): ReadonlySet<string> => {
  const scenarios = readdirSync(scenarioFolder).map((name) => name.replace(/\.yaml$/, ''))
  return new Set([...planNames, ...scenarios, 'minute', 'quotaspec', 'target'])
}

/** The text, in which each of these values that were typed has `‹key›` in place of the secret that it is, or ends with. */
const withoutTyped = (text: string, secret: string, typed: readonly string[]): string => {
  const values = typed.filter((each) => each === secret || each.endsWith(`=${secret}`))
  return values.reduce((clean, value) => {
    const whole = new RegExp(`(?<![\\w-])${asPattern(value)}(?![\\w-])`, 'g')
    return clean.replace(whole, `${value.slice(0, -secret.length)}‹key›`)
  }, text)
}

/**
 * A text of the program without the secrets that it may repeat from what was typed. A secret that looks like one goes from
 * wherever it stands; one that is a word goes only where what was typed is repeated, so that no sentence loses a word.
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

/** What is said of an error that is a defect of quotaspec. */
export const defectText = (error: unknown): string =>
  withoutKeys(`quotaspec: a defect of quotaspec itself: ${error instanceof Error ? error.stack : error}\n`)

/**
 * An error that nobody catches ends the process as a fault of the harness, never as a verdict on the target. Where no file
 * may be opened, none is read to look for keys: that sentence repeats nothing.
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

/**
 * A sentence for an error of the file system that comes from what the user named: a folder that can't be written, a file
 * that is none. Undefined for any other error, and for a file of the program itself, which is a defect.
 */
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

/** What an output says once nobody reads it any more: the pipe was closed, or the terminal has gone. */
const readerIsGone = ['EPIPE', 'EIO', 'ECONNRESET', 'ERR_STREAM_DESTROYED']

/**
 * Outlives the reader of its output: `quotaspec faults | head -1` ends quietly, and a run whose summary nobody reads
 * still puts the inventory back, writes its reports and ends with its own exit code. Standard output that can't be
 * written for another reason, such as a full disk, is told in a sentence and is a fault of the harness.
 */
export const outliveReaders = (): void => {
  let isLost = false
  // Nothing can be told where standard error itself is lost.
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
