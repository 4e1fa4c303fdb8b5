import { readFileSync, statSync } from 'node:fs'
import { UsageError, whyOf } from '../../kit/usage-error.js'
import type { ExchangeLimits } from '../../wire/http/exchange-limits.js'
import { isLoopbackAddress } from '../../wire/http/pin-address.js'
import type { Trust } from '../../wire/http/trust.js'

/** Reads a base address, or says why it is none, without repeating the text, which may hold a secret. */
export const readAddress = (text: string): { readonly baseUrl: string } | { readonly why: string } => {
  if (!URL.canParse(text)) return { why: 'must be an address such as http://127.0.0.1:8080/v1' }
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return { why: 'must not contain a user name or a password' }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { why: 'must begin with http:// or https://' }
  if (url.search !== '' || url.hash !== '') return { why: 'must not have a query or a fragment' }
  return { baseUrl: `${url.origin}${url.pathname.replace(/\/+$/, '')}` }
}

/** Reads the address given to a flag. Throws a {@link UsageError} that says what to type instead. */
export const parseTarget = (text: string | undefined, flag = '--target'): string => {
  if (text === undefined || text === '')
    throw new UsageError(`${flag} is missing: give the base address, such as http://127.0.0.1:8080/v1`)
  const read = readAddress(text)
  if ('why' in read) throw new UsageError(`${flag} ${read.why}`)
  return read.baseUrl
}

/** Whether an address is this machine's own: load needs no permission there. */
export const isLoopback = (baseUrl: string): boolean => {
  const { hostname } = new URL(baseUrl)
  return hostname === 'localhost' || isLoopbackAddress(hostname.replace(/^\[|\]$/g, ''))
}

/** What keeps a run from doing harm. */
export interface Safety {
  readonly limits: Partial<ExchangeLimits>
  /** The run's time limit. Default: three times its planned time, plus the time for repeats, plus a minute. */
  readonly timeLimitMs?: number
  readonly tls: Trust
}

const mostCertificateBytes = 2 ** 20

const certificates = (path: string, name: string): string => {
  try {
    if (statSync(path).size > mostCertificateBytes) throw new Error(`it is larger than ${mostCertificateBytes} bytes`)
    const pem = readFileSync(path, 'utf8')
    if (!pem.includes('-----BEGIN CERTIFICATE-----')) throw new Error('it contains no certificate in PEM form')
    return pem
  } catch (error) {
    throw new UsageError(`${name} ${path} can't be used: ${whyOf(error)}`)
  }
}

/** Which certificates a command trusts. Throws a {@link UsageError} if the file given by `name` can't be used. */
export const tlsOf = ({ ca, insecure }: Safety['tls'], name = '--ca'): Safety['tls'] => {
  if (ca !== undefined && insecure)
    throw new UsageError('--ca and --insecure contradict each other: --insecure checks no certificate at all')
  return { ...(ca !== undefined && { ca: certificates(ca, name) }), ...(insecure && { insecure: true }) }
}

type Seconds = Readonly<Partial<Record<'connect' | 'head' | 'body' | 'run', number>>>

const inMs = (seconds: number): number => Math.round(seconds * 1000)

/** The limits and the trust that the options set. Throws a {@link UsageError} like {@link tlsOf}. */
export const safetyOf = (
  { timeouts: { connect, head, body, run }, ca, insecure }: Safety['tls'] & { readonly timeouts: Seconds },
  nameOfCa: string,
): Safety => ({
  limits: {
    ...(connect !== undefined && { connectMs: inMs(connect) }),
    ...(head !== undefined && { headMs: inMs(head) }),
    ...(body !== undefined && { bodyMs: inMs(body) }),
  },
  timeLimitMs: run === undefined ? undefined : inMs(run),
  tls: tlsOf({ ca, insecure }, nameOfCa),
})
