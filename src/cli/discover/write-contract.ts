import type { CredentialSpec, HeaderField, RefusalRule } from '../../contract/api-contract.js'
import { spanText } from '../../kit/words.js'
import type { Asked, Concluded, Discovered, DiscoveredQuota } from './discovered.js'

/** In characters: what a comment says is on one line, and a header may be long. */
const longestComment = 400

const comment = (indent: string, text: string): string =>
  // Header values come from the target: nothing of them may end the comment.
  `${indent}# ${text.replace(/[^\x20-\x7e‹›…]/g, '?').slice(0, longestComment)}`

/** A text as YAML: as it is where nothing in it means something, else in quotes. */
export const scalar = (text: string): string =>
  /^[A-Za-z][\w./-]*$/.test(text) && !/^(true|false|null|yes|no|on|off)$/i.test(text) ? text : JSON.stringify(text)

/** Fields on one line, without those that are not there. */
const flow = (fields: Readonly<Record<string, string | number | undefined>>): string => {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  return `{${entries.map(([key, value]) => `${key}: ${value}`).join(', ')}}`
}

const list = (values: readonly (string | number)[]): string =>
  values.length === 1 ? String(values[0]) : `[${values.join(', ')}]`

/** What still has to be written where nothing showed it: the file is refused until then, with this line. */
const missing = (indent: string, key: string, example: string): string[] => [
  comment(indent, `NOT KNOWN, and not guessed: write what the documentation says, such as ${key}: ${example}`),
  `${indent}${key}:`,
]

/** How a credential is shown, as it stands in a contract file: `{scheme: bearer, env: ACME_KEY}`. */
export const credentialEntry = ({ scheme, name, env }: CredentialSpec): string => {
  return flow({ scheme: name === undefined ? scheme : `${scheme} ${name}`, env })
}

const credentialLines = ({ credentials }: Asked, { anonymous }: Discovered): string[] => {
  const lines = ['credentials:']
  for (const [name, credential] of Object.entries(credentials)) {
    lines.push(comment('  ', `as given; put the secret into ${credential.env}, never into this file`))
    lines.push(`  ${name}: ${credentialEntry(credential)}`)
  }
  if (anonymous) lines.push(comment('  ', anonymous.because))
  if (Object.keys(credentials).length === 0 || anonymous?.is === 'served') lines.push('  anon: {scheme: none}')
  return lines
}

const requestLines = ({ requests }: Asked): string[] => [
  'requests:',
  ...Object.entries(requests).flatMap(([name, { path, status }]) => {
    const expect = status !== null && status >= 200 && status <= 299 ? status : undefined
    const entry = flow({ method: 'GET', path: JSON.stringify(path), expect })
    const said =
      status === null
        ? 'it was not asked for, or not answered: see that it is cheap, and changes nothing'
        : `it was answered ${status}: see that it is cheap, and changes nothing`
    return [comment('  ', said), `  ${name}: ${entry}`]
  }),
]

const fieldEntry = ({ name, is, as, level }: HeaderField): string =>
  flow({ name: scalar(name), is, as, level: level === 'must' ? undefined : level })

const headerLines = ({ asked }: Asked, { preset, fields }: Discovered): string[] => {
  if (fields.length === 0) {
    const said = asked === 0 ? 'nothing was asked: see above' : 'no response header mentions a limit'
    return [comment('', said), 'headers: none']
  }
  const because = (name: string, text: string) => `${name}: ${text}`
  if (preset !== undefined) {
    return [...fields.map((each) => comment('', because(each.field.name, each.because))), `headers: ${preset}`]
  }
  return ['headers:', ...fields.flatMap((each) => [comment('  ', each.because), `  - ${fieldEntry(each.field)}`])]
}

const retryLines = ({ retryAfter: { is, because } }: Discovered): string[] => {
  const entry = is === null ? 'none' : flow({ as: list(is.as), level: is.level })
  return [comment('', because), `retryAfter: ${entry}`]
}

const refusalEntry = ({ is, status, when }: RefusalRule): string => {
  const headers = Object.entries(when).map(([name, value]) => [scalar(name), JSON.stringify(value)])
  return flow({ is, status: list(status), when: headers.length > 0 ? flow(Object.fromEntries(headers)) : undefined })
}

const refusalLines = ({ refusals: { is, because } }: Discovered): string[] => [
  comment('', because),
  'refusals:',
  ...is.map((rule) => `  - ${refusalEntry(rule)}`),
]

const limitText = (limit: Readonly<Record<string, number>>): string => {
  const [first, ...others] = new Set(Object.values(limit))
  return others.length === 0 ? String(first) : flow(limit)
}

const told = <T>(key: string, concluded: Concluded<T> | undefined, text: (value: T) => string): string[] =>
  concluded === undefined ? [] : [comment('    ', concluded.because), `    ${key}: ${text(concluded.is)}`]

const quotaLines = ({ id, by, limit, windowMs, requests, cost, policy }: DiscoveredQuota): string[] => [
  `  - id: ${id}`,
  ...told('by', by, (each) => each),
  ...(limit ? told('limit', limit, limitText) : missing('    ', 'limit', '60')),
  ...(windowMs ? told('window', windowMs, spanText) : missing('    ', 'window', '1m')),
  ...told('requests', requests, (names) => `[${names.join(', ')}]`),
  ...told('cost', cost, flow),
  ...told('policy', policy, (name) => JSON.stringify(name)),
]

/** What the file rests on. */
const beginning = ({ asked, target }: Asked): string[] =>
  asked === 0
    ? [`What was said of ${target}; nothing was asked of it. Compare it with its documentation.`]
    : [
        `What ${asked} gentle requests showed of ${target}. The comment above each line says what it was concluded from.`,
        'Answers show what an API says about its limits, not what it promises: compare this with its documentation.',
      ]

/** The name of an API, for a file: the first part of its host that is one. */
export const nameOf = (target: string): string => {
  const { hostname } = new URL(target)
  const parts = hostname
    .toLowerCase()
    .split('.')
    .map((part) => part.replace(/[^a-z0-9-]/g, ''))
  return parts.find((part) => /^[a-z][a-z0-9-]{0,39}$/.test(part) && part !== 'api' && part !== 'www') ?? 'my-api'
}

/**
 * A contract file of what was discovered: above each line what it was concluded from, at its top what is not known. A limit
 * or a window that no answer shows is left empty, so that the file is refused until somebody writes it.
 */
export const writeContract = (asked: Asked, found: Discovered): string =>
  [
    ...beginning(asked).map((each) => comment('', each)),
    ...(found.unknown.length === 0 ? [] : [comment('', ''), comment('', 'Not known:')]),
    ...found.unknown.map((each) => comment('', `- ${each}`)),
    '',
    'quotaspec: 1',
    `name: ${nameOf(asked.target)}`,
    ...credentialLines(asked, found),
    ...requestLines(asked),
    ...headerLines(asked, found),
    ...retryLines(found),
    ...refusalLines(found),
    'quotas:',
    ...found.quotas.flatMap(quotaLines),
    '',
  ].join('\n')
