import { readFileSync, statSync } from 'node:fs'
import { UsageError } from '../../kit/usage-error.js'
import type { ExchangeLimits } from '../../wire/http/exchange-limits.js'
import type { RunOptions } from './run-options.js'

/** How a run is kept from harm. */
export interface Safety {
  readonly limits: Partial<ExchangeLimits>
  readonly timeLimitMs?: number
  readonly tls: { readonly ca?: string; readonly insecure?: boolean }
}

const mostCertificateBytes = 2 ** 20

const certificates = (path: string, name: string): string => {
  try {
    if (statSync(path).size > mostCertificateBytes) throw new Error(`it is larger than ${mostCertificateBytes} bytes`)
    const pem = readFileSync(path, 'utf8')
    if (!pem.includes('-----BEGIN CERTIFICATE-----')) throw new Error('it holds no certificate in PEM form')
    return pem
  } catch (error) {
    throw new UsageError(`${name} ${path} can't be used: ${error instanceof Error ? error.message : error}`)
  }
}

/** Whom a command trusts. Throws a {@link UsageError} where the file of certificates, called `name`, can't be used. */
export const tlsOf = ({ ca, insecure }: Safety['tls'], name = '--ca'): Safety['tls'] => {
  if (ca !== undefined && insecure)
    throw new UsageError('--ca and --insecure contradict each other: --insecure checks no certificate at all')
  return {
    ...(ca !== undefined && { ca: certificates(ca, name) }),
    ...(insecure && { insecure: true }),
  }
}

const inMs = (seconds: number): number => Math.round(seconds * 1000)

/** What the options say of the limits of exchanges, and of trust. Throws a {@link UsageError} alike. */
export const safetyOf = (
  { timeouts: { connect, head, body, run }, ca, insecure }: Pick<RunOptions, 'timeouts' | 'ca' | 'insecure'>,
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
