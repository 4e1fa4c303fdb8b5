import { planNames } from '../contract/plans.js'
import type { Exchange, HeaderLine } from '../evidence/exchange.js'

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const keyName = `(?:${planNames.join('|')})(?:-\\d+)?`
const cutOff = ', its last (?:character|\\d+ characters) cut off'
const swapped = ' in other letter case'
const labels = new RegExp(`(‹(?:Basic pair of the )?${keyName} key(?:${cutOff}|${swapped})?›)`)
const parts = new RegExp(`^‹(Basic pair of the )?(${keyName}) key(?:(${cutOff})|(${swapped}))?›$`)

/** What a key's label in the record stands for, taken from the environment. */
const fromEnvironment = (label: string): string => {
  const [, pair, name = '', cut, swap] = parts.exec(label) ?? []
  const variable = `QUOTASPEC_KEY_${name.toUpperCase().replace('-', '_')}`
  if (pair) return `"$(printf %s: "$${variable}" | base64 | tr -d '\\n')"`
  if (swap) return `"$(printf %s "$${variable}" | tr 'a-zA-Z' 'A-Za-z')"`
  return cut ? `"\${${variable}%${'?'.repeat(Number(/\d+/.exec(cut)?.[0] ?? 1))}}"` : `"$${variable}"`
}

/** Recorded text as a word of a shell, each key's label turned into the variable that holds the key. */
const word = (text: string): string =>
  text
    .split(labels)
    .map((part, i) => (i % 2 === 1 ? fromEnvironment(part) : part === '' ? '' : quoted(part)))
    .join('')

const bodyOf = ({ body, headers }: Exchange['request']): string[] => {
  if (!body) return []
  const isDeclared = headers.some(([name]) => name.toLowerCase() === 'content-type')
  // Of itself curl would declare a form.
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
    // Of itself curl would print a coded body as it comes.
    `curl -sS -i${request.headers.some(asksForCodings) ? ' --compressed' : ''}`,
    ...methodOf(request.method),
    ...(/\/\.{1,2}(\/|\?|$)/.test(request.url) ? ['--path-as-is'] : []),
    word(request.url),
    ...request.headers.map(([name, value]: HeaderLine) => `-H ${word(`${name}: ${value}`)}`),
    ...bodyOf(request),
  ].join(' ')
