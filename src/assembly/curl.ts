import type { ApiContract } from '../contract/any/api-contract.js'
import { planNames } from '../contract/plans.js'
import type { Exchange, HeaderLine } from '../evidence/exchange.js'
import { type KeyLabel, splitAtKeyLabels } from '../evidence/redaction/key-label.js'

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** The environment variable that holds a key of this name; undefined where no key has it. */
const variableOf = (name: string, contract: ApiContract | undefined): string | undefined => {
  if (contract) return contract.credentials[name]?.env
  const isName = planNames.some((plan) => name === plan || name.startsWith(`${plan}-`))
  return isName ? `QUOTASPEC_KEY_${name.toUpperCase().replace('-', '_')}` : undefined
}

/** What a key's label in the record stands for, taken from the environment. */
const fromEnvironment = ({ name, form }: KeyLabel, contract: ApiContract | undefined): string => {
  const variable = variableOf(name, contract)
  if (form === 'whole') return `"$${variable}"`
  // In a contract file the variable holds user and password, as they are sent.
  const pair = contract ? '%s' : '%s:'
  if (form === 'basic-pair') return `"$(printf ${pair} "$${variable}" | base64 | tr -d '\\n')"`
  if (form === 'other-case') return `"$(printf %s "$${variable}" | tr 'a-zA-Z' 'A-Za-z')"`
  return `"\${${variable}%${'?'.repeat(form.cutOff)}}"`
}

/** Recorded text as a word for a shell, with each key's label as the environment variable that holds the key. */
const word = (text: string, contract?: ApiContract): string =>
  splitAtKeyLabels(text, (name) => variableOf(name, contract) !== undefined)
    .map((part) => (typeof part !== 'string' ? fromEnvironment(part, contract) : part === '' ? '' : quoted(part)))
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
export const curlOf = ({ request }: Exchange, contract?: ApiContract): string =>
  [
    // Without this curl would print a compressed body as it comes.
    `curl -sS -i${request.headers.some(asksForCodings) ? ' --compressed' : ''}`,
    ...methodOf(request.method),
    ...(/\/\.{1,2}(\/|\?|$)/.test(request.url) ? ['--path-as-is'] : []),
    word(request.url, contract),
    ...request.headers.map(([name, value]: HeaderLine) => `-H ${word(`${name}: ${value}`, contract)}`),
    ...bodyOf(request),
  ].join(' ')
