import type { Evidence } from '../evidence/evidence.js'
import type { Exchange } from '../evidence/exchange.js'
import { firstLookProbe, type Obstacle } from '../evidence/journal.js'
import { headlineOf } from '../report/headline.js'
import type { Report } from '../report/model.js'
import { readVariable } from './repeating.js'

type Failure = NonNullable<Exchange['error']>

const insecure = '--insecure skips this check, and sends the keys to whoever answers'
const atFault = `The operator of the target must renew it; ${insecure}.`
const nameAuthority = `If that is meant, name it in a PEM file: --ca FILE; ${insecure}.`

/** What is wrong with a certificate, by OpenSSL's or Node's code, and what to do about it. */
const certificateWords: readonly (readonly [RegExp, (host: string) => string])[] = [
  [/HAS_EXPIRED/, () => `has expired. ${atFault}`],
  [/NOT_YET_VALID/, () => `is not valid yet: is the clock of this machine right? ${atFault}`],
  [/ALTNAME/, (host) => `is for names other than ${host}: is --target spelt as in the certificate? ${insecure}.`],
  [/REVOKED/, () => `was revoked. ${atFault}`],
  [/DEPTH_ZERO_SELF_SIGNED/, () => `is self-signed, so nobody vouches for it. ${nameAuthority}`],
  [/SELF_SIGNED_CERT_IN_CHAIN/, () => `is signed by an authority that this machine does not know. ${nameAuthority}`],
  [
    /UNABLE_TO|ISSUER|UNTRUSTED/,
    () =>
      `is signed by an authority that this machine does not know, or the target leaves out an intermediate certificate. Name the authority in a PEM file: --ca FILE; ${insecure}.`,
  ],
]

/** What is wrong with a target's certificate. OpenSSL's message is not repeated: it may hold names chosen by the target. */
export const certificateInWords = (baseUrl: string, { code }: Pick<Failure, 'code'>): string => {
  const host = new URL(baseUrl).hostname
  const [, say] = certificateWords.find(([codes]) => codes.test(code)) ?? []
  return `The certificate that ${baseUrl} shows ${say ? say(host) : `is not trusted (${code}). ${nameAuthority}`}`
}

/** The name of a TLS alert, from OpenSSL's message: the rest of that is not for people. */
const alertOf = ({ code, message }: Failure): string => /alert (?!number)([a-z ]+)/i.exec(message)?.[1]?.trim() ?? code

const tlsInWords = (baseUrl: string, failure: Failure): string => {
  // OpenSSL mistakes an answer in plain HTTP for a wrong TLS version.
  if (/wrong version number/i.test(failure.message))
    return `${baseUrl} does not speak TLS. Did you mean --target ${baseUrl.replace('https:', 'http:')}?`
  if (/certificate.?required/i.test(`${failure.code} ${failure.message}`))
    return `${baseUrl} requires a client certificate (mutual TLS), which quotaspec cannot send. Give an address that requires none.`
  return `The TLS handshake with ${baseUrl} failed (${alertOf(failure)}). The target may offer only versions or ciphers that Node.js does not support.`
}

const isRunning = 'Is the target running, and is --target its base address?'

/** Why a target could not be reached at all, by system error code. */
const unreachableWords: Readonly<Record<string, (baseUrl: string, host: string) => string>> = {
  ECONNREFUSED: (baseUrl) => `Nothing answered at ${baseUrl}: the connection was refused. ${isRunning}`,
  ENOTFOUND: (_, host) =>
    `The name ${host} has no address. Check the spelling of --target and the DNS of this machine.`,
  EAI_AGAIN: (_, host) => `The name ${host} could not be looked up. Check the network.`,
  EHOSTUNREACH: (baseUrl) => `No route to ${baseUrl}. Check network and VPN.`,
  ENETUNREACH: (baseUrl) => `No route to ${baseUrl}. Check network and VPN.`,
}

/** Why nothing came from a target, and what to check. Asks whether the target is running only if that is in doubt. */
export const silenceInWords = (baseUrl: string, failure: Exchange['error']): string => {
  if (failure === null) return `Nothing answered at ${baseUrl}. ${isRunning}`
  if (failure.code === 'EPROTO' || failure.code.startsWith('ERR_SSL')) return tlsInWords(baseUrl, failure)
  const known = unreachableWords[failure.code]
  if (known) return known(baseUrl, new URL(baseUrl).hostname)
  if (failure.phase === 'connect') return `Nothing answered at ${baseUrl} (${failure.message}). ${isRunning}`
  return `${baseUrl} accepted the connection but sent no complete answer (${failure.message}). Is that the address of an HTTP API?`
}

type Looked = Pick<Evidence, 'firstLook' | 'exchanges'>

/** How much of an answer's body fits into a headline. */
const mostAnswerCharacters = 160

const shownBy = ({ firstLook, exchanges }: Looked, kind: Obstacle['kind']): Exchange[] =>
  (firstLook?.obstacles ?? []).flatMap((each) => {
    const x = each.kind === kind && 'exchange' in each ? exchanges.find(({ id }) => id === each.exchange) : undefined
    return x ? [x] : []
  })

/** The given keys that the target did not accept, by name. */
export const rejectedKeysOf = (looked: Looked): string[] => shownBy(looked, 'key-rejected').map(({ key }) => `${key}`)

const answerOf = ({ response }: Exchange): string => {
  const body = response?.body.encoding === 'utf8' ? response.body.content.replace(/\s+/g, ' ').trim() : ''
  const text = body.length > mostAnswerCharacters ? `${body.slice(0, mostAnswerCharacters)}…` : body
  return `${response?.status}${text === '' ? '' : `: ${text}`}`
}

const words: Readonly<
  Record<Exclude<Obstacle['kind'], 'load-not-allowed'>, (baseUrl: string, seen: readonly Exchange[]) => string>
> = {
  unreachable: (baseUrl, [x]) => silenceInWords(baseUrl, x.error),
  untrusted: (baseUrl, [x]) => certificateInWords(baseUrl, { code: x.error?.code ?? '' }),
  'other-base': (baseUrl) =>
    `The inventory is not at ${baseUrl}, but at ${baseUrl}/v1: did you mean --target ${baseUrl}/v1?`,
  'no-inventory': (baseUrl, [x]) =>
    `${x.request.url} answered 404: not a Petstore API? Pass a contract file: quotaspec discover --target ${baseUrl} --out contract.yaml writes one, and --contract contract.yaml plays it.`,
  'key-rejected': (_baseUrl, seen) =>
    seen.map((x) => `The ${x.key} key was not accepted: ${x.request.url} answered ${answerOf(x)}.`).join(' '),
  'server-error': (_baseUrl, seen) =>
    seen.map((x) => `With the ${x.key} key, ${x.request.url} answered ${x.response?.status}.`).join(' '),
}

const tell = (looked: Looked, baseUrl: string, kind: keyof typeof words): string[] => {
  const seen = shownBy(looked, kind)
  return seen.length > 0 ? [words[kind](baseUrl, seen)] : []
}

const aboutKeys = (looked: Looked, { run, exchanges }: Pick<Evidence, 'run' | 'exchanges'>): string[] => {
  const rejected = rejectedKeysOf(looked)
  if (rejected.length === 0) return []
  const variables = [...new Set(rejected.flatMap((key) => readVariable(run, key) ?? []))]
  // A credential without a key has no variable.
  const where =
    variables.length > 0 ? `--key, --key-file and ${variables.join(', ')}` : 'the credentials of the contract'
  const asked = new Set(exchanges.flatMap(({ probe, key }) => (probe === firstLookProbe ? [key] : [])))
  const all = asked.size === rejected.length
  const none = all ? [`No key was accepted: ${run.baseUrl} answered 401 to each of them.`] : []
  const rest = all ? '' : ', or leave it out; --without-rejected-keys continues with the others, and still ends with 2'
  return [...none, ...tell(looked, run.baseUrl, 'key-rejected'), `Check ${where}${rest}.`]
}

const aboutLoad = ({ firstLook }: Looked, baseUrl: string): string[] =>
  (firstLook?.obstacles ?? []).flatMap((each) =>
    each.kind === 'load-not-allowed'
      ? `The scenario puts load on ${baseUrl} (${each.probes.join(', ')}), but load is not allowed: add --allow-load, or --without-load to play the rest, which ends with 2; conformance plays no load.`
      : [],
  )

/** Problems with an address rather than a key, in the order of reporting. */
const ofAddress = ['unreachable', 'untrusted', 'other-base', 'no-inventory'] as const

/** Why nothing can be requested at a run's address, in sentences; empty if something can. */
export const addressInWords = (evidence: Pick<Evidence, 'firstLook' | 'exchanges' | 'run'>): string[] =>
  ofAddress.flatMap((kind) => tell(evidence, evidence.run.baseUrl, kind))

/** A run's headline, including what its first look found: what was in the way, and what to type. */
export const headlineWithLook = (evidence: Evidence, settled: Omit<Report, 'headline' | 'rerun'>): string => {
  const { firstLook, run } = evidence
  if (firstLook?.ended) {
    const seen = [...addressInWords(evidence), ...tell(evidence, run.baseUrl, 'server-error')]
    const missing = run.withoutLoad ? [] : aboutLoad(evidence, run.baseUrl)
    return [...seen, ...aboutKeys(evidence, evidence), ...missing, 'Nothing else was played.'].join(' ')
  }
  const elsewhere = tell(evidence, run.baseUrl, 'no-inventory')
  const rejected = tell(evidence, run.baseUrl, 'key-rejected')
  if (rejected.length === 0) return [headlineOf(settled), ...elsewhere].join(' ')
  const isOpenByThat =
    settled.outcome === 'inconclusive' && settled.clauses.every(({ verdict }) => verdict !== 'inconclusive')
  const told = isOpenByThat ? 'Everything that was tested with the other keys holds.' : headlineOf(settled)
  const them = rejectedKeysOf(evidence).length === 1 ? 'it' : 'them'
  return [told, ...rejected, `Nothing was tested with ${them}.`].join(' ')
}
