import { planNames } from '../contract/plans.js'
import type { Exchange, HeaderLine } from '../evidence/exchange.js'
import { type KeyLabel, splitAtKeyLabels } from '../evidence/key-label.js'

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const isName = (name: string): boolean => planNames.some((plan) => name === plan || name.startsWith(`${plan}-`))

/** What a key's label in the record stands for, taken from the environment. */
const fromEnvironment = ({ name, form }: KeyLabel): string => {
  const variable = `QUOTASPEC_KEY_${name.toUpperCase().replace('-', '_')}`
  if (form === 'whole') return `"$${variable}"`
  if (form === 'basic-pair') return `"$(printf %s: "$${variable}" | base64 | tr -d '\\n')"`
  if (form === 'other-case') return `"$(printf %s "$${variable}" | tr 'a-zA-Z' 'A-Za-z')"`
  return `"\${${variable}%${'?'.repeat(form.cutOff)}}"`
}

/** Recorded text as a word for a shell, with each key's label as the environment variable that holds the key. */
const word = (text: string): string =>
  splitAtKeyLabels(text, isName)
    .map((part) => (typeof part !== 'string' ? fromEnvironment(part) : part === '' ? '' : quoted(part)))
    .join('')

const bodyOf = ({ body, headers }: Exchange['request']): string[] => {
  if (!body) return []
  const isDeclared = headers.some(([name]) => name.toLowerCase() === 'content-type')
  // Without this curl would declare the body as a form.
  const declared = isDeclared ? [] : [`-H 'Content-Type:'`]
  const { encoding, content, truncated, bytes } = body
  if (encoding === 'utf8' && !truncated && !content.includes('\0')) return [...declared, `--data-raw ${word(content)}`]
  return [...declared, `--data-binary @body   # ${bytes} bytes, kept in the journal${truncated ? ' in part' : ''}`]
}

const methodOf = (method: string): string[] => {
  if (method === 'GET') return []
  return method === 'HEAD' ? ['-I'] : [`-X ${method}`]
}

const asksForCodings = ([name]: HeaderLine): boolean => name.toLowerCase() === 'accept-encoding'

/** A command that sends an exchange again; the key stays in its environment variable. */
export const curlOf = ({ request }: Exchange): string =>
  [
    // Without this curl would print a compressed body as it comes.
    `curl -sS -i${request.headers.some(asksForCodings) ? ' --compressed' : ''}`,
    ...methodOf(request.method),
    ...(/\/\.{1,2}(\/|\?|$)/.test(request.url) ? ['--path-as-is'] : []),
    word(request.url),
    ...request.headers.map(([name, value]: HeaderLine) => `-H ${word(`${name}: ${value}`)}`),
    ...bodyOf(request),
  ].join(' ')
