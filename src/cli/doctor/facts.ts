import type { ShownCertificate } from '../../wire/http/shown-certificate.js'

/** What came of a cheap request with one key. */
export interface KeyFacts {
  readonly name: string
  /** The variable that it comes from. */
  readonly variable: string
  /** Null where no answer came. */
  readonly status: number | null
  /** Why its limit is not that of its plan, in a sentence; null where it is, or none is shown. */
  readonly wrongLimit: string | null
  /** What `X-RateLimit-Limit`, or the field of the contract, shows. */
  readonly limit: number | null
  /** What it shows to be left of that. */
  readonly left: number | null
  /** How long a refusal asks to wait, seconds; null where it says nothing, or nothing was refused. */
  readonly waitS: number | null
}

/** What was found out of a target and of this machine. Times are milliseconds. */
export interface DoctorFacts {
  readonly baseUrl: string
  /** The address that its name stands for; or why that could not be found out. */
  readonly address: { readonly address: string } | { readonly error: string }
  /** Absent where the target speaks no TLS; undefined in it: none was shown. */
  readonly tls?: { readonly certificate: ShownCertificate | undefined; readonly isChecked: boolean }
  /** Why nothing else could be asked: nobody answers, no trust, no /v1. In sentences. */
  readonly inTheWay: string | null
  /** False where no key was given, and one was made up to see whether anybody answers. */
  readonly hasKeys: boolean
  readonly keys: readonly KeyFacts[]
  /** How far the target's clock is ahead of this machine's, and whether it said so itself. */
  readonly clock: { readonly fromMs: number; readonly toMs: number; readonly told: boolean } | null
  /** To the head of the first answer, the connection included; then of each further one. */
  readonly answersMs: readonly number[]
  /** How late this machine sends what is due, at so many a second. */
  readonly lateness: { readonly perSecond: number; readonly ms: { readonly p50: number; readonly p99: number } | null }
  readonly nowMs: number
}
