import type { ApiContract, CredentialSpec } from '../../contract/api-contract.js'
import type { Asked, Discovered } from '../../contract/discovered.js'
import { type Exchange, isAnswered } from '../../evidence/exchange.js'
import { createRedactor } from '../../evidence/redaction/redaction.js'
import type { Clock } from '../../kit/clock.js'
import { seededRandom } from '../../kit/random.js'
import { UsageError } from '../../kit/usage-error.js'
import { conclude } from '../../readings/discovery/conclude.js'
import type { SeenAnswer } from '../../readings/discovery/seen-answer.js'
import { valuesOfHeaders, waitUntilReset } from '../../readings/limit-values.js'
import { limitReader } from '../../readings/read-limits.js'
import type { Safety } from '../../run/options/safety.js'
import { createCredentials } from '../../wire/http/credentials.js'
import { defaultExchangeLimits } from '../../wire/http/exchange-limits.js'
import { createExchangeSender } from '../../wire/http/exchange-sender.js'
import { pinAddress } from '../../wire/http/pin-address.js'
import { askGently } from './ask-gently.js'
import type { GivenCredential } from './given-credential.js'

export interface Discovery {
  readonly target: string
  /** Paths by the names that they get. */
  readonly probes: ReadonlyMap<string, string>
  readonly credential: GivenCredential | undefined
  readonly safety: Safety
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** What was asked, and what it showed. */
export interface DiscoveredApi {
  readonly asked: Asked
  readonly found: Discovered
  /** Why asking ended early; undefined where it did not. */
  readonly ended: string | undefined
}

const keyName = 'key'

const seenIn = (x: Exchange): SeenAnswer | undefined =>
  isAnswered(x)
    ? {
        probe: x.probe,
        credential: x.key,
        sentAt: x.sentAt,
        receivedAt: x.receivedAt,
        status: x.response.status,
        headers: x.response.headers,
      }
    : undefined

/** How long until the window ends that the last answer names, in milliseconds. */
const untilRenewed = (answers: readonly SeenAnswer[], wallStartMs: number): number | undefined => {
  const last = answers.at(-1)
  if (!last) return undefined
  const headers: ApiContract['headers'] = conclude(answers, wallStartMs, [last.probe]).fields.map(({ field }) => field)
  const { reset } = limitReader({ headers }, { windowMs: Number.NaN, limit: {} })(valuesOfHeaders(last.headers))
  const seconds = waitUntilReset(reset, (wallStartMs + last.receivedAt) / 1000)
  return seconds === undefined ? undefined : seconds * 1000
}

const credentialsOf = (credential: GivenCredential | undefined) => {
  const redactor = createRedactor()
  const secrets = new Map(credential ? [[keyName, credential.secret]] : [])
  const agreed: Record<string, CredentialSpec> = credential ? { [keyName]: credential.spec } : {}
  // No credential is made up here: nothing of chance is asked for.
  return { redactor, credentials: createCredentials(secrets, redactor, seededRandom(0), agreed) }
}

/** Throws where nothing can be concluded: no answer came, or the credential was turned away. */
const refuseSilence = (answers: readonly SeenAnswer[], failures: readonly string[], target: string): void => {
  const [first] = answers
  if (!first) throw new UsageError(`${target} did not answer (${failures[0] ?? 'nothing came'}): is the address right?`)
  if (first.status === 401 && first.credential !== null)
    throw new UsageError('--header: the target answered 401 to it: is the credential right, and whole?')
}

/** Asks an API gently, and concludes what its answers show. */
export const discoverApi = async ({
  target,
  probes,
  credential,
  safety,
  clock,
  signal,
}: Discovery): Promise<DiscoveredApi> => {
  const { redactor, credentials } = credentialsOf(credential)
  const { connectMs: withinMs = defaultExchangeLimits.connectMs } = safety.limits
  const pinned = await pinAddress(target, { withinMs })
  const [startedAt, wallStartMs] = [clock.monotonicMs(), clock.wallMs()]
  const limits = { ...safety.limits }
  const sender = createExchangeSender({
    baseUrl: target,
    credentials,
    redactor,
    clock,
    // Nothing is judged by these requests: what they show is concluded at once.
    record: () => {},
    startedAt,
    limits,
    pinned,
    ...safety.tls,
  })
  const failures: string[] = []
  const statuses = new Map<string, number>()
  try {
    const names = [...probes.keys()]
    const { answers, requests, ended } = await askGently({
      probes: names,
      hasCredential: credential !== undefined,
      clock,
      signal,
      untilRenewed: (seen) => untilRenewed(seen, wallStartMs),
      send: async ({ probe, anonymous }) => {
        const isBare = anonymous || !credential
        const x = await sender.send(
          {
            probe,
            step: 'discover',
            intent: {},
            operation: null,
            method: 'GET',
            path: probes.get(probe) ?? '/',
            credential: isBare ? { form: 'none' } : { form: 'agreed', key: keyName },
          },
          signal,
        )
        if (x.error) failures.push(x.error.message)
        const seen = seenIn(x)
        if (seen && !statuses.has(probe)) statuses.set(probe, seen.status)
        return seen
      },
    })
    signal.throwIfAborted()
    refuseSilence(answers, failures, target)
    const entries = names.map((name) => {
      const path = redactor.redact(probes.get(name) ?? '/')
      return [name, { path, status: statuses.get(name) ?? null }] as const
    })
    const asked = { target, credential: credential?.spec, requests: Object.fromEntries(entries), asked: requests }
    return { asked, found: conclude(answers, wallStartMs, names), ended }
  } finally {
    await sender.close()
  }
}
