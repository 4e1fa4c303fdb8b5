import type { Exchange } from '../evidence/exchange.js'

type Failure = NonNullable<Exchange['error']>

const insecure = '--insecure checks none, and sends the keys to whoever answers'
const atFault = `Whoever runs the target has to renew it there; ${insecure}.`
const nameAuthority = `If that is meant, name it in a PEM file: --ca FILE; ${insecure}.`

/** What is wrong with a certificate, by the code of OpenSSL or Node, and what to do about it. */
const certificateWords: readonly (readonly [RegExp, (host: string) => string])[] = [
  [/HAS_EXPIRED/, () => `has expired. ${atFault}`],
  [/NOT_YET_VALID/, () => `is not valid yet: is the clock of this machine right? ${atFault}`],
  [/ALTNAME/, (host) => `is for other names than ${host}: is --target spelt as the certificate has it? ${insecure}.`],
  [/REVOKED/, () => `was revoked. ${atFault}`],
  [/DEPTH_ZERO_SELF_SIGNED/, () => `is self-signed, so that nobody vouches for it. ${nameAuthority}`],
  [/SELF_SIGNED_CERT_IN_CHAIN/, () => `is signed by an authority that this machine does not know. ${nameAuthority}`],
  [
    /UNABLE_TO|ISSUER|UNTRUSTED/,
    () =>
      `is signed by an authority that this machine does not know, or the target leaves out a certificate in between. Name the authority in a PEM file: --ca FILE; ${insecure}.`,
  ],
]

/** What is wrong with the certificate that a target shows. The message of OpenSSL is not repeated: it may hold names that the target chose. */
export const certificateInWords = (baseUrl: string, { code }: Pick<Failure, 'code'>): string => {
  const host = new URL(baseUrl).hostname
  const [, say] = certificateWords.find(([codes]) => codes.test(code)) ?? []
  return `The certificate that ${baseUrl} shows ${say ? say(host) : `is not trusted (${code}). ${nameAuthority}`}`
}

const isTls = ({ code }: Failure): boolean => code === 'EPROTO' || code.startsWith('ERR_SSL')

/** The number and name of an alert, out of what OpenSSL says of itself: no more of that is for people. */
const alertOf = ({ code, message }: Failure): string => /alert (?!number)([a-z ]+)/i.exec(message)?.[1]?.trim() ?? code

const tlsInWords = (baseUrl: string, failure: Failure): string => {
  // OpenSSL takes an answer in plain HTTP for a wrong version of TLS.
  if (/wrong version number/i.test(failure.message))
    return `Nobody speaks TLS at ${baseUrl}: did you mean --target ${baseUrl.replace('https:', 'http:')}?`
  if (/certificate.?required/i.test(`${failure.code} ${failure.message}`))
    return `${baseUrl} asks for a certificate of the client (mutual TLS), and quotaspec has none to show: give it an address that does not.`
  return `${baseUrl} and this machine agree on no way to speak TLS (${alertOf(failure)}): it may offer only versions or ciphers that Node.js leaves out.`
}

const isRunning = 'Is the target running, and is --target its base address?'

/** Why a target could not be reached at all, by the code of the system. */
const unreachableWords: Readonly<Record<string, (baseUrl: string, host: string) => string>> = {
  ECONNREFUSED: (baseUrl) => `Nothing answered at ${baseUrl}: the connection was refused. ${isRunning}`,
  ENOTFOUND: (_, host) =>
    `No address has the name ${host}: is --target spelt right, and does this machine know the names of that network?`,
  EAI_AGAIN: (_, host) => `The name ${host} could not be looked up: is this machine on the network?`,
  EHOSTUNREACH: (baseUrl) => `No way leads to ${baseUrl}: is this machine on the right network, or its VPN up?`,
  ENETUNREACH: (baseUrl) => `No way leads to ${baseUrl}: is this machine on the right network, or its VPN up?`,
}

/** Why nothing came from a target, and what to look at. It asks whether the target runs only where that is in doubt. */
export const silenceInWords = (baseUrl: string, failure: Exchange['error']): string => {
  if (failure === null) return `Nothing answered at ${baseUrl}. ${isRunning}`
  if (isTls(failure)) return tlsInWords(baseUrl, failure)
  const known = unreachableWords[failure.code]
  if (known) return known(baseUrl, new URL(baseUrl).hostname)
  if (failure.phase === 'connect') return `Nothing answered at ${baseUrl} (${failure.message}). ${isRunning}`
  return `${baseUrl} took the connection, and gave no whole answer (${failure.message}): is that the address of an HTTP API?`
}
