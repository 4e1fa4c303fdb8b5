import { isScalar } from 'yaml'
import { formatDuration, suggestion } from '../../kit/words.js'
import {
  checkYaml,
  lineIn,
  parseYaml,
  readNamedYaml,
  refusalAt,
  renameKey,
  type YamlFile,
} from '../../kit/yaml-file.js'
import {
  type ApiContract,
  type CredentialSpec,
  fieldsShowing,
  type HeaderField,
  type RefusalRule,
} from '../api-contract.js'
import { headerPresets } from '../header-presets.js'
import { beyondReach, contractForQuota, windowOfQuota } from '../partitions.js'
import { secondsMatterMs } from '../plans.js'
import { type ContractFile, type ContractFileInput, contractFileSchema } from './contract-file-schema.js'
import { isToken } from './measures.js'
import { type OpenApiDocument, readOpenApi } from './openapi-document.js'
import { refused, settling } from './refused.js'
import { settleQuotas } from './settle-quotas.js'
import { settleRequests } from './settle-requests.js'

/** Renames old words in a quota or at the file's top level. Returns whether there were any. */
const renamed = (place: YamlFile, path: readonly PropertyKey[]): boolean => {
  const isRenamed = renameKey(place, path, 'probes', 'requests')
  if (place.document.getIn([...path, 'by']) !== 'credential+probe') return isRenamed
  place.document.setIn([...path, 'by'], 'credential+request')
  return true
}

/** Renames `probes`, the old word for requests, in a contract file, with a notice. Line numbers stay. */
const inWordsOfToday = (given: YamlFile): { readonly place: YamlFile; readonly notes: readonly string[] } => {
  const { quotas } = (given.value ?? {}) as { readonly quotas?: unknown }
  const paths = [[], ...(Array.isArray(quotas) ? quotas : []).map((_, index) => ['quotas', index])]
  if (paths.filter((path) => renamed(given, path)).length === 0) return { place: given, notes: [] }
  const note = `${lineIn(given, ['requests'])}: probes is the old name of requests: rename it (quotaspec still reads the old name)`
  return { place: { ...given, value: given.document.toJS({ maxAliasCount: 20 }) }, notes: [note] }
}

const shown = ({ scheme, name }: ApiContract['credentials'][string]): string =>
  name === undefined ? scheme : `${scheme} ${name}`

/** Notes on credentials whose scheme the OpenAPI document does not declare: it or the contract may be wrong. */
const schemeNotes = (
  place: YamlFile,
  credentials: ApiContract['credentials'],
  { name: document, schemes }: OpenApiDocument,
): string[] => {
  const known = schemes.filter((each) => each !== undefined)
  if (known.length === 0 || known.length < schemes.length) return []
  const lower = known.map((each) => each.toLowerCase())
  return Object.entries(credentials).flatMap(([name, spec]) =>
    spec.scheme === 'none' || lower.includes(shown(spec).toLowerCase())
      ? []
      : [
          `${lineIn(place, ['credentials', name, 'scheme'])}: credentials.${name}.scheme: ${document} has ${known.join(', ')}, but not ${shown(spec)}`,
        ],
  )
}

type Entry = ContractFile['credentials'][string]

const specOf = ({ scheme: text, env }: Entry): CredentialSpec => {
  const [scheme, name] = text.split(' ') as [CredentialSpec['scheme'], string | undefined]
  return { scheme, ...(name === undefined ? {} : { name }), ...(env === undefined ? {} : { env }) }
}

/** Suggests a name for a variable that was left out: `ACME_KEY_FREE`. */
const envFor = (api: string, credential: string): string =>
  `${api}_KEY_${credential}`.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')

/**
 * The credentials of a contract. Throws if one lacks its variable or has one it does not need, or if two are the same
 * caller: the target would count their requests together, but they would be judged separately.
 */
const settleCredentials = (file: ContractFile): Record<string, CredentialSpec> => {
  const callers = new Map<string, string>()
  const settled = Object.entries(file.credentials).map(([name, entry]): [string, CredentialSpec] => {
    const path = ['credentials', name]
    const spec = specOf(entry)
    if (spec.scheme === 'none' && spec.env !== undefined)
      throw refused([...path, 'env'], 'does not go with scheme: none, which sends nothing: remove it')
    if (spec.scheme !== 'none' && spec.env === undefined) {
      throw refused(
        path,
        `needs the name of the environment variable that holds its secret: add env: ${envFor(file.name, name)}`,
      )
    }
    if (spec.scheme !== 'query' && spec.name !== undefined && !isToken(spec.name)) {
      throw refused(
        [...path, 'scheme'],
        `${spec.name} can't be the name of a ${spec.scheme}: write letters, digits and hyphens`,
      )
    }
    const other = callers.get(spec.env ?? '')
    if (other !== undefined) {
      const same = spec.env === undefined ? 'show nothing' : `have the secret in ${spec.env}`
      throw refused(
        path,
        `is the same caller as ${other}, because both ${same}: leave one out, or give it a secret of its own`,
      )
    }
    callers.set(spec.env ?? '', name)
    return [name, spec]
  })
  if (settled.length === 0)
    throw refused(['credentials'], 'needs at least one credential: anon: {scheme: none} if requests carry none')
  return Object.fromEntries(settled)
}

/** The fields that tell about quotas, presets expanded. Throws if one is listed twice with the same meaning. */
const settleHeaders = ({ headers, quotas }: ContractFile): HeaderField[] => {
  if (typeof headers === 'string') return [...headerPresets[headers]]
  if (!Array.isArray(headers)) {
    const { level } = headers
    return headerPresets[headers.preset].map((field) => (level === undefined ? field : { ...field, level }))
  }
  const seen = new Set<string>()
  const ids = quotas.map(({ id }) => id)
  return headers.map(({ as, of, ...field }, index) => {
    if (of !== undefined && !ids.includes(of))
      throw refused(['headers', index, 'of'], `there is no quota ${of}: ${suggestion(of, ids)}`)
    const slot = `${field.name.toLowerCase()} ${field.is} ${of}`
    if (seen.has(slot)) throw refused(['headers', index], `lists ${field.name} as ${field.is} a second time: remove it`)
    seen.add(slot)
    return { ...field, ...(as === undefined ? {} : { as }), ...(of === undefined ? {} : { quota: of }) }
  })
}

const isBare = ({ when, body }: RefusalRule): boolean => Object.keys(when).length === 0 && body === undefined

/** Whether every response that fits the other rule also fits this one. */
const covers = (rule: RefusalRule, other: RefusalRule): boolean =>
  other.status.every((status) => rule.status.includes(status)) &&
  Object.entries(rule.when).every(([name, value]) => other.when[name] === value) &&
  (rule.body === undefined || (other.body?.includes(rule.body) ?? false))

const servedBy = ({ expect }: ApiContract['requests'][string], status: number): boolean =>
  expect.length === 0 ? status < 300 : expect.includes(status)

/** The text of a single value as typed: `007` stays that, though its value is the number 7. */
const scalarText = ({ document }: YamlFile, path: readonly PropertyKey[]): string => {
  const node = document.getIn(path, true)
  return isScalar(node) && typeof node.value !== 'string'
    ? (node.source ?? String(node.value))
    : String(document.getIn(path))
}

/**
 * The rules that recognise refusals. Throws if a rule matches served responses, if an earlier rule always matches first,
 * or if no rule is for a quota.
 */
const settleRefusals = (place: YamlFile, file: ContractFile, requests: ApiContract['requests']): RefusalRule[] => {
  const rules = file.refusals.map(
    ({ is, status, when, body, lasts, atLeast }, index): RefusalRule => ({
      is,
      status,
      when: Object.fromEntries(
        Object.keys(when ?? {}).map((name) => [
          name.toLowerCase(),
          scalarText(place, ['refusals', index, 'when', name]),
        ]),
      ),
      ...(body === undefined ? {} : { body }),
      ...(lasts === undefined ? {} : { lastsMs: lasts }),
      ...(atLeast === undefined ? {} : { leastMs: atLeast }),
    }),
  )
  for (const [index, rule] of rules.entries()) {
    const { lastsMs = 0, leastMs = 0 } = rule
    if (leastMs > lastsMs)
      throw refused(
        ['refusals', index, 'atLeast'],
        'must be no longer than lasts, which says how long it lasts at most',
      )
    const served = Object.entries(requests).find(([, request]) =>
      rule.status.some((status) => servedBy(request, status)),
    )
    if (served && isBare(rule)) {
      throw refused(
        ['refusals', index],
        `fits every answer that serves the request ${served[0]}: add when or body, to say what else a refusal has`,
      )
    }
    const earlier = rules.slice(0, index).findIndex((each) => covers(each, rule))
    if (earlier !== -1) {
      throw refused(
        ['refusals', index],
        `never fits, because refusals.${earlier} fits all of its answers first: put it before that one`,
      )
    }
  }
  if (!rules.some(({ is }) => is === 'quota'))
    throw refused(['refusals'], 'has no rule of a quota: add one such as - {is: quota, status: 429}')
  return rules
}

/** Notes on quotas whose windows are too short for a Reset in whole seconds: only by chance is it right. */
const shortWindowNotes = (place: YamlFile, headers: HeaderField[], quotas: ApiContract['quotas']): string[] =>
  quotas.flatMap((quota, index) => {
    const shown = fieldsShowing(contractForQuota({ headers }, quota), 'reset').filter(({ on }) => on === undefined)
    if (windowOfQuota(quota, 1) >= secondsMatterMs || shown.length === 0) return []
    const where = ['quotas', index, 'window']
    return [
      `${lineIn(place, where)}: ${where.join('.')}: a Reset in whole seconds says little about a window below ${formatDuration(secondsMatterMs)}: RATE-6 is likely to stay inconclusive unless Reset shows fractions: add --skip RATE-6, or a longer window`,
    ]
  })

/** The quotas that no mix of their requests can spend, for the limits of those beside. */
const beyondReachNotes = (place: YamlFile, contract: Pick<ApiContract, 'quotas'>): string[] =>
  contract.quotas.flatMap((quota, index) => {
    const [first] = beyondReach(contract, quota)
    if (!first) return []
    const where = ['quotas', index, 'limit']
    return [
      `${lineIn(place, where)}: ${where.join('.')}: the other quotas let its requests spend only ${first.most} of ${first.limit} in a window, so it is never reached: give it more requests, or a lower limit`,
    ]
  })

interface LoadedContract {
  readonly contract: ApiContract
  readonly notes: readonly string[]
}

/**
 * Reads and settles a contract file: expands presets, turns operations into requests, gives each credential its limit. It
 * sends nothing and reads no environment variable. Throws a {@link UsageError} that names file, line and field, and says
 * what to write instead.
 */
export const loadContract = async (path: string): Promise<LoadedContract> =>
  settleContract(readNamedYaml('--contract', path, 'a contract'))

const settleContract = async (given: YamlFile): Promise<LoadedContract> => {
  const { place, notes } = inWordsOfToday(given)
  return settling(
    () => settledContract(place, notes),
    (path, why) => refusalAt(place, path, why),
  )
}

const settledContract = async (place: YamlFile, notes: readonly string[]): Promise<LoadedContract> => {
  const { file: path } = place
  const file = checkYaml(place, contractFileSchema, place.value, [])
  const document = file.openapi === undefined ? undefined : await readOpenApi(path, file.openapi)
  const credentials = settleCredentials(file)
  const requests = settleRequests(file, { credentials, document })
  const headers = settleHeaders(file)
  const refusals = settleRefusals(place, file, requests)
  const quotas = settleQuotas(file, { credentials, requests, headers })
  return {
    contract: {
      name: file.name,
      credentials,
      requests,
      headers,
      retryAfter: file.retryAfter === 'none' ? null : file.retryAfter,
      ...(file.backoff === undefined ? {} : { backoff: file.backoff }),
      refusals,
      quotas,
      ...(file.events && { events: file.events }),
    },
    notes: [
      ...notes,
      ...(document ? schemeNotes(place, credentials, document) : []),
      ...shortWindowNotes(place, headers, quotas),
      ...beyondReachNotes(place, { quotas }),
    ],
  }
}

/** What errors call a contract that is not in a file. */
const givenName = 'contract'

/**
 * Settles a contract given as a value with the fields of a file. Its paths are relative to the working directory. Throws a
 * {@link UsageError} that names the field.
 */
export const settleGivenContract = async (given: ContractFileInput): Promise<LoadedContract> =>
  settleContract({ ...parseYaml(JSON.stringify(given), givenName, 'a contract'), isValue: true })
