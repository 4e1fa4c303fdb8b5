import { readFileSync, statSync } from 'node:fs'
import { UsageError } from '../../kit/usage-error.js'
import type { ExchangeLimits } from '../../wire/http/exchange-limits.js'

/** Flags of `run` and `plan` that keep a run from harm: its own, its target's and its keys'. */
export interface SafetyFlags {
  readonly 'connect-timeout'?: number
  readonly 'head-timeout'?: number
  readonly 'body-timeout'?: number
  readonly 'time-limit'?: number
  readonly 'key-file'?: string
  readonly ca?: string
  readonly insecure?: boolean
  readonly yes?: boolean
}

/** How a run is kept from harm. */
export interface Safety {
  readonly limits: Partial<ExchangeLimits>
  readonly timeLimitMs?: number
  readonly tls: { readonly ca?: string; readonly insecure?: boolean }
}

/** A day: no phase and no run has a reason to take longer. */
const mostSeconds = 86_400
const mostCertificateBytes = 2 ** 20

const inMs = (flags: SafetyFlags, name: 'connect-timeout' | 'head-timeout' | 'body-timeout' | 'time-limit') => {
  const given = flags[name]
  if (given === undefined) return undefined
  if (!(given >= 0.01 && given <= mostSeconds)) {
    throw new UsageError(`--${name} ${given}: seconds, from 0.01 to ${mostSeconds}; 10 is ten seconds`)
  }
  return Math.round(given * 1000)
}

const certificates = (path: string): string => {
  try {
    if (statSync(path).size > mostCertificateBytes) throw new Error(`it is larger than ${mostCertificateBytes} bytes`)
    const pem = readFileSync(path, 'utf8')
    if (!pem.includes('-----BEGIN CERTIFICATE-----')) throw new Error('it holds no certificate in PEM form')
    return pem
  } catch (error) {
    throw new UsageError(`--ca ${path} can't be used: ${error instanceof Error ? error.message : error}`)
  }
}

/** Reads the flags. Throws a {@link UsageError} that says what to type instead. */
export const safetyOf = (flags: SafetyFlags): Safety => {
  const [connectMs, headMs, bodyMs] = [
    inMs(flags, 'connect-timeout'),
    inMs(flags, 'head-timeout'),
    inMs(flags, 'body-timeout'),
  ]
  if (flags.ca !== undefined && flags.insecure)
    throw new UsageError('--ca and --insecure contradict each other: --insecure checks no certificate at all')
  return {
    limits: {
      ...(connectMs === undefined ? {} : { connectMs }),
      ...(headMs === undefined ? {} : { headMs }),
      ...(bodyMs === undefined ? {} : { bodyMs }),
    },
    timeLimitMs: inMs(flags, 'time-limit'),
    tls: {
      ...(flags.ca === undefined ? {} : { ca: certificates(flags.ca) }),
      ...(flags.insecure ? { insecure: true } : {}),
    },
  }
}

/** The flags as they are to be typed again. */
export const safetyArguments = (flags: SafetyFlags, quoted: (text: string) => string): string[] => [
  ...(['connect-timeout', 'head-timeout', 'body-timeout', 'time-limit'] as const).flatMap((name) =>
    flags[name] === undefined ? [] : [`--${name} ${flags[name]}`],
  ),
  ...(flags.ca === undefined ? [] : [`--ca ${quoted(flags.ca)}`]),
  ...(flags.insecure ? ['--insecure'] : []),
]
