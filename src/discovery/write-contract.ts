import { stringify } from 'yaml'
import type { CredentialSpec } from '../contract/api-contract.js'
import { spanText } from '../kit/words.js'
import type { Asked, Concluded, Discovered, DiscoveredQuota } from './discovered.js'

/** The most characters of a comment, which is one line, because a header may be long. */
const longestComment = 400

const comment = (indent: string, text: string): string =>
  // Header values come from the target: nothing in them may end the comment.
  `${indent}# ${text.replace(/[^\x20-\x7e‹›…]/g, '?').slice(0, longestComment)}`

/** A value as YAML on one line, without undefined fields. */
export const inYaml = (value: unknown): string =>
  stringify(value, { collectionStyle: 'flow', flowCollectionPadding: false, lineWidth: 0 }).trim()

/** A line of the file, below its evidence. */
const line = (indent: string, key: string, { is, because }: Concluded<unknown>): string[] => [
  comment(indent, because),
  `${indent}${key}: ${inYaml(is)}`,
]

const one = <T>(values: readonly T[]): T | readonly T[] => (values.length === 1 ? values[0] : values)

/** A credential in the file: `{scheme: bearer, env: ACME_KEY}`. */
const credentialEntry = ({ scheme, name, env }: CredentialSpec) => ({
  scheme: name === undefined ? scheme : `${scheme} ${name}`,
  env,
})

const credentialLines = ({ credentials }: Asked, { anonymous }: Discovered): string[] => [
  'credentials:',
  ...Object.entries(credentials).flatMap(([name, credential]) => {
    const because = `as given; put the secret into ${credential.env}, never into this file`
    return line('  ', name, { is: credentialEntry(credential), because })
  }),
  ...(anonymous ? [comment('  ', anonymous.because)] : []),
  ...(Object.keys(credentials).length === 0 || anonymous?.is === 'served' ? ['  anon: {scheme: none}'] : []),
]

const requestLines = ({ requests }: Asked): string[] => [
  'requests:',
  ...Object.entries(requests).flatMap(([name, { path, status }]) => {
    const isServed = status !== null && status >= 200 && status <= 299
    const seen = status === null ? 'it was not requested, or not answered' : `it was answered ${status}`
    const because = `${seen}: check that it is cheap and changes nothing`
    return line('  ', name, { is: { method: 'GET', path, ...(isServed && { expect: status }) }, because })
  }),
]

const headerLines = ({ asked }: Asked, { preset, fields }: Discovered): string[] => {
  if (fields.length === 0) {
    const because = asked === 0 ? 'no request was sent: see above' : 'no response header mentions a limit'
    return line('', 'headers', { is: 'none', because })
  }
  if (preset !== undefined)
    return [...fields.map(({ field, because }) => comment('', `${field.name}: ${because}`)), `headers: ${preset}`]
  const entries = fields.flatMap(({ field: { level, ...said }, because }) => [
    comment('  ', because),
    `  - ${inYaml(level === 'must' ? said : { ...said, level })}`,
  ])
  return ['headers:', ...entries]
}

const retryLines = ({ retryAfter: { is, because } }: Discovered): string[] =>
  line('', 'retryAfter', { is: is === null ? 'none' : { as: one(is.as), level: is.level }, because })

const refusalLines = ({ refusals: { is: rules, because } }: Discovered): string[] => [
  comment('', because),
  'refusals:',
  ...rules.map(({ is, status, when }) => {
    const told = Object.keys(when).length > 0 && { when }
    return `  - ${inYaml({ is, status: one(status), ...told })}`
  }),
]

/** A field that the user still has to write, because nothing showed it: until then this line makes the file invalid. */
const missing = (key: string, example: string): string[] => [
  comment('    ', `NOT KNOWN, and not guessed: write what the documentation says, such as ${key}: ${example}`),
  `    ${key}:`,
]

const quotaLines = ({ id, limit, windowMs, ...quota }: DiscoveredQuota): string[] => {
  const told = (key: string, concluded: Concluded<unknown> | undefined) =>
    concluded ? line('    ', key, concluded) : []
  const isSame = limit && new Set(Object.values(limit.is)).size === 1
  return [
    `  - id: ${id}`,
    ...told('by', quota.by),
    ...(limit ? told('limit', isSame ? { ...limit, is: Object.values(limit.is)[0] } : limit) : missing('limit', '60')),
    ...(windowMs ? told('window', { ...windowMs, is: spanText(windowMs.is) }) : missing('window', '1m')),
    ...told('requests', quota.requests),
    ...told('cost', quota.cost),
    ...told('policy', quota.policy),
  ]
}

const beginning = ({ asked, target }: Asked): string[] =>
  asked === 0
    ? [`What you said about ${target}; no request was sent to it. Compare this with its documentation.`]
    : [
        `${asked} gentle requests to ${target} showed this. The comment above each line gives the evidence for it.`,
        'Answers show what an API says about its limits, not what it promises: compare this with its documentation.',
      ]

/** The name of an API, for a file: the first suitable part of its host. */
export const nameOf = (target: string): string => {
  const { hostname } = new URL(target)
  const parts = hostname
    .toLowerCase()
    .split('.')
    .map((part) => part.replace(/[^a-z0-9-]/g, ''))
  return parts.find((part) => /^[a-z][a-z0-9-]{0,39}$/.test(part) && part !== 'api' && part !== 'www') ?? 'my-api'
}

/**
 * A contract file from what was discovered: above each line its evidence, at the top what is unknown. A limit or window that
 * no response shows is left empty, so that the file is invalid until somebody fills it in.
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
