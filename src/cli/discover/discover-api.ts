import type { ApiContract, CredentialSpec } from '../../contract/api-contract.js'
import { span } from '../../contract/file/measures.js'
import { askGently, mostRequests } from '../../discovery/ask-gently.js'
import { conclude } from '../../discovery/conclude.js'
import { type Asked, callersOf, type Discovered, type DiscoveredQuota, withGiven } from '../../discovery/discovered.js'
import type { SeenAnswer } from '../../discovery/seen-fields.js'
import { writeContract } from '../../discovery/write-contract.js'
import { isAnswered } from '../../evidence/exchange.js'
import { createRedactor } from '../../evidence/redaction.js'
import { systemClock } from '../../kit/clock.js'
import { seededRandom } from '../../kit/random.js'
import { UsageError } from '../../kit/usage-error.js'
import { present, spanText } from '../../kit/words.js'
import { limitReader } from '../../readings/answers.js'
import { waitUntilReset } from '../../readings/limit-values.js'
import { createCredentials } from '../../wire/http/credentials.js'
import { createExchangeSender } from '../../wire/http/exchange-sender.js'
import { pinAddress } from '../../wire/http/pin-address.js'
import type { Trust } from '../../wire/http/trust.js'
import { atHand, type CredentialAnswer, type GivenCredential, namedCredentials } from './credential.js'

export interface Discovery {
  readonly target: string
  /** Paths by their names in the file. */
  readonly probes: ReadonlyMap<string, string>
  readonly credentials: ReadonlyMap<string, GivenCredential>
  readonly tls: Trust
  readonly signal: AbortSignal
}

/** Milliseconds until the window's end that the last response names. */
const untilRenewed = (answers: readonly SeenAnswer[], wallStartMs: number): number | undefined => {
  const last = answers.at(-1)
  if (!last) return undefined
  const headers: ApiContract['headers'] = conclude(answers, wallStartMs, [last.probe]).fields.map(({ field }) => field)
  const { reset } = limitReader({ headers }, { windowMs: Number.NaN, limit: {} })(last.headers)
  const seconds = waitUntilReset(reset, (wallStartMs + last.receivedAt) / 1000)
  return seconds === undefined ? undefined : seconds * 1000
}

/** How each credential is sent, by its name in the file. */
export const specsOf = (given: ReadonlyMap<string, CredentialAnswer>): Record<string, CredentialSpec> =>
  Object.fromEntries([...given].map(([name, { spec }]) => [name, spec]))

/** Throws if nothing can be concluded: no response came, or a credential was rejected. */
const refuseSilence = (answers: readonly SeenAnswer[], failures: readonly string[], target: string): void => {
  const [first] = answers
  if (!first) throw new UsageError(`${target} did not answer (${failures[0] ?? 'nothing came'}): is the address right?`)
  const turnedAway = answers.find(({ status, credential }) => status === 401 && credential !== null)
  if (turnedAway)
    throw new UsageError(
      `--header: the target answered 401 to the credential ${turnedAway.credential}: is it correct and complete?`,
    )
}

/** Asks an API gently, and concludes from its responses. `ended`: why asking ended early. */
export const discoverApi = async ({ target, probes, credentials: given, tls, signal }: Discovery) => {
  const redactor = createRedactor()
  const secrets = new Map([...given].map(([name, { secret }]) => [name, secret]))
  // No credential is made up here, so the seed does not matter.
  const credentials = createCredentials(secrets, redactor, seededRandom(0), specsOf(given))
  const clock = systemClock
  const pinned = await pinAddress(target)
  const [startedAt, wallStartMs] = [clock.monotonicMs(), clock.wallMs()]
  const sender = createExchangeSender({
    baseUrl: target,
    credentials,
    redactor,
    clock,
    // These requests are not judged, so they need no record.
    record: () => {},
    startedAt,
    limits: {},
    pinned,
    ...tls,
  })
  const failures: string[] = []
  try {
    const names = [...probes.keys()]
    const { answers, requests, ended } = await askGently({
      probes: names,
      credentials: [...given.keys()],
      clock,
      signal,
      untilRenewed: (seen) => untilRenewed(seen, wallStartMs),
      send: async ({ probe, credential }) => {
        const x = await sender.send(
          {
            probe,
            step: 'discover',
            intent: {},
            operation: null,
            method: 'GET',
            path: probes.get(probe) ?? '/',
            credential: credential === null ? { form: 'none' } : { form: 'agreed', key: credential },
          },
          signal,
        )
        if (x.error) failures.push(x.error.message)
        if (!isAnswered(x)) return undefined
        const { sentAt, receivedAt, response } = x
        return { probe, credential, sentAt, receivedAt, status: response.status, headers: response.headers }
      },
    })
    signal.throwIfAborted()
    refuseSilence(answers, failures, target)
    const entries = names.map((name) => {
      const path = redactor.redact(probes.get(name) ?? '/')
      const first = answers.find(({ probe }) => probe === name)
      return [name, { path, status: first?.status ?? null }] as const
    })
    const asked = { target, credentials: specsOf(given), requests: Object.fromEntries(entries), asked: requests }
    return { asked, found: conclude(answers, wallStartMs, names), ended }
  } finally {
    await sender.close()
  }
}

const limitText = (limit: DiscoveredQuota['limit']): string =>
  limit ? [...new Set(Object.values(limit.is))].join(' or ') : 'an unknown number'

const quotaText = ({ id, by, limit, windowMs, requests }: DiscoveredQuota): string =>
  `quota   ${id}: ${limitText(limit)} in ${windowMs ? spanText(windowMs.is) : 'an unknown time'}, counted by ${by.is}, for ${requests.is.join(', ')}`

/** Whether only one caller is known, which can't show whether two are counted together. */
const needsSecond = ({ credentials }: Asked, { anonymous }: Discovered): boolean =>
  Object.keys(credentials).length === 1 && anonymous?.is !== 'served'

export const summaryOf = ({ asked, found, ended }: Awaited<ReturnType<typeof discoverApi>>): string => {
  const { preset, fields, quotas, unknown } = found
  const named = fields.map(({ field }) => field.name).join(', ')
  const dialect = preset !== undefined && preset !== 'none' ? `${preset}: ${named}` : named || 'none about limits'
  return [
    `asked   ${asked.asked} requests${ended === undefined ? '' : `; stopped because ${ended}`}`,
    `headers ${dialect}`,
    ...quotas.map(quotaText),
    ...unknown.map((each) => `unknown ${each}`),
    ...present(
      needsSecond(asked, found) &&
        'second  one credential cannot show whether each has a count of its own (QUOTA-4): give --header twice, the second time with the key of another user or plan',
    ),
  ].join('\n')
}

const nameOf = (path: string): string => {
  const words = path
    .split('?')[0]
    .toLowerCase()
    .split('/')
    .map((part) => part.replace(/[^a-z0-9]+/g, '-'))
  const named = words.map((word) => word.replace(/^[^a-z]+|-+$/g, '')).filter((word) => word !== '')
  return (named.at(-1) ?? 'root').slice(0, 36)
}

/** The most paths that can each be requested often enough to be compared. */
const mostProbes = 3

/** Names each path after its last word. Throws a {@link UsageError} for an invalid path, or for too many. */
export const namedProbes = (paths: readonly string[]): ReadonlyMap<string, string> => {
  if (paths.length > mostProbes) {
    throw new UsageError(
      `--probe was given ${paths.length} times: ${mostRequests} requests can compare at most ${mostProbes} paths`,
    )
  }
  const probes = new Map<string, string>()
  for (const path of paths) {
    if (!/^\/(?!\/)[!-~]*$/.test(path) || /[#{}]/.test(path)) {
      throw new UsageError(
        `--probe ${path}: write a path below the target that begins with a slash, such as /items?limit=1`,
      )
    }
    const name = nameOf(path)
    probes.set(probes.has(name) ? `${name}-${probes.size + 1}` : name, path)
  }
  return probes
}

/** Reads `--window 1m`, in milliseconds. Throws a {@link UsageError} that says what to type instead. */
export const readWindow = (text: string): number => {
  const read = span.safeParse(text)
  if (read.success) return read.data
  throw new UsageError(`--window ${text}: ${read.error.issues[0].message}`)
}

/** What to ask an API for its first contract file, as typed. */
type Drafting = Pick<Discovery, 'target' | 'tls'> &
  Readonly<Record<'header' | 'paths', readonly string[]>> & {
    readonly limit?: number
    readonly window?: string
  }

/** Drafts a contract file. Checks the flags at once; the returned function asks the API. */
export const drafting = ({ target, header, paths, limit, window, tls }: Drafting) => {
  const windowMs = window === undefined ? undefined : readWindow(window)
  const probes = namedProbes(paths)
  const credentials = atHand(namedCredentials(header, target, process.env))
  return async (signal: AbortSignal) => {
    const api = await discoverApi({ target, probes, credentials, tls, signal })
    const found = withGiven({ limit, windowMs }, api.found, callersOf(api.asked))
    return { asked: api.asked, text: writeContract(api.asked, found), summary: summaryOf({ ...api, found }) }
  }
}
