import type { Exchange, HeaderLine } from '../evidence/exchange.js'
import { type KeyLabel, splitAtKeyLabels } from '../evidence/redaction/key-label.js'
import { type KeysOfRun, keyVariable } from './key-variable.js'

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** What a key's label in the record stands for, taken from the environment. */
const fromEnvironment = ({ name, form }: KeyLabel, run: KeysOfRun): string => {
  const variable = keyVariable(run, name)
  if (form === 'whole') return `"$${variable}"`
  // In a contract file the variable holds user and password, as they are sent.
  const pair = run.contract ? '%s' : '%s:'
  if (form === 'basic-pair') return `"$(printf ${pair} "$${variable}" | base64 | tr -d '\\n')"`
  if (form === 'other-case') return `"$(printf %s "$${variable}" | tr 'a-zA-Z' 'A-Za-z')"`
  return `"\${${variable}%${'?'.repeat(form.cutOff)}}"`
}

/** Recorded text as a word for a shell, with each key's label as the environment variable that holds the key. */
const word = (text: string, run: KeysOfRun): string =>
  splitAtKeyLabels(text, (name) => keyVariable(run, name) !== undefined)
    .map((part) => (typeof part !== 'string' ? fromEnvironment(part, run) : part === '' ? '' : quoted(part)))
    .join('')

const bodyOf = ({ body, headers }: Exchange['request'], run: KeysOfRun): string[] => {
  if (!body) return []
  const isDeclared = headers.some(([name]) => name.toLowerCase() === 'content-type')
  // Without this curl would declare the body as a form.
  const declared = isDeclared ? [] : [`-H 'Content-Type:'`]
  const { encoding, content, truncated, bytes } = body
  if (encoding === 'utf8' && !truncated && !content.includes('\0'))
    return [...declared, `--data-raw ${word(content, run)}`]
  return [...declared, `--data-binary @body   # ${bytes} bytes, kept in the journal${truncated ? ' in part' : ''}`]
}

const methodOf = (method: string): string[] => {
  if (method === 'GET') return []
  return method === 'HEAD' ? ['-I'] : [`-X ${method}`]
}

const asksForCodings = ([name]: HeaderLine): boolean => name.toLowerCase() === 'accept-encoding'

/** A command that sends an exchange again; the key stays in its environment variable. */
export const curlOf = ({ request }: Exchange, run: KeysOfRun): string =>
  [
    // Without this curl would print a compressed body as it comes.
    `curl -sS -i${request.headers.some(asksForCodings) ? ' --compressed' : ''}`,
    ...methodOf(request.method),
    ...(/\/\.{1,2}(\/|\?|$)/.test(request.url) ? ['--path-as-is'] : []),
    word(request.url, run),
    ...request.headers.map(([name, value]: HeaderLine) => `-H ${word(`${name}: ${value}`, run)}`),
    ...bodyOf(request, run),
  ].join(' ')
