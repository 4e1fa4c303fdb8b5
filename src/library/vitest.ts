import { once } from 'node:events'
import { join } from 'node:path'
import { expect } from 'vitest'
import { UsageError } from '../kit/usage-error.js'
import { renderTerminal } from '../report/formats/terminal.js'
import type { Report } from '../report/model.js'
import type { RunOptions } from './options.js'
import { run } from './run.js'

/** A server of Node's own kind, such as what `app.listen(0)` returns. */
export interface NodeServer {
  readonly listening: boolean
  address(): { readonly address: string; readonly port: number } | string | null
}

/** The base address of a target, an object with its `url`, or a server of this process. */
export type Target = string | URL | { readonly url: string } | NodeServer

const hasField = <K extends string>(value: unknown, field: K): value is Readonly<Record<K, unknown>> =>
  typeof value === 'object' && value !== null && field in value

const isNodeServer = (value: unknown): value is NodeServer & NodeJS.EventEmitter =>
  hasField(value, 'address') && typeof value.address === 'function' && hasField(value, 'listening')

/** A server that listens on every address of this machine is reached at 127.0.0.1. */
const reachable = (address: string): string => {
  if (address === '::' || address === '0.0.0.0') return '127.0.0.1'
  return address.includes(':') ? `[${address}]` : address
}

/** The address of a target. Waits until a server listens. Throws a {@link UsageError} if there is none. */
export const targetAddress = async (target: unknown): Promise<string> => {
  if (typeof target === 'string') return target
  if (target instanceof URL) return target.href
  if (hasField(target, 'url')) return String(target.url)
  if (!isNodeServer(target))
    throw new UsageError('expect takes the base address of a target, or a server that listens: expect(app.listen(0))')
  if (!target.listening) await once(target, 'listening')
  const address = target.address()
  if (address === null || typeof address === 'string')
    throw new UsageError('the server that was given to expect listens to no port: give app.listen(0)')
  return `http://${reachable(address.address)}:${address.port}`
}

/** The options of a matcher; `expect` gets the target. */
export type MatcherOptions = Omit<RunOptions, 'target'>

interface QuotaMatchers {
  /**
   * Tests the quotas of the target: it admits no more than it promises, refuses nothing too early, and its headers are
   * true. Plays `release-gate`; for the Petstore, only the part about quotas.
   */
  toKeepQuotas(options: MatcherOptions): Promise<void>
  /** Tests every clause that single requests can show, or those in `only`. Plays `conformance`. */
  toConform(options: MatcherOptions): Promise<void>
}

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: the declaration that this extends has it.
  interface Matchers<T = any> extends QuotaMatchers {}
}

const linesOf = ({ out }: MatcherOptions, report: Report): string =>
  renderTerminal(report, {
    colour: false,
    width: 100,
    reportPath: out === undefined ? null : join(out, 'report.html'),
  }).trim()

/** The matcher's `pass`: an inconclusive run fails both the assertion and its negation. */
const holds = ({ outcome }: Report, isNot: boolean): boolean => (isNot ? outcome !== 'fail' : outcome === 'pass')

const matcher =
  (usual: Pick<RunOptions, 'scenario' | 'only'>) =>
  async ({ isNot }: { readonly isNot: boolean }, received: unknown, options: MatcherOptions) => {
    const report = await run({ ...usual, ...options, target: await targetAddress(received) })
    return { pass: holds(report, isNot), message: () => linesOf(options, report) }
  }

/** The Petstore's clauses about quotas: counts, refusals, headers. */
const ofQuotas = ['QUOTA', 'THROTTLE', 'RATE']

expect.extend({
  toKeepQuotas(received: unknown, options: MatcherOptions) {
    const only = options.contract === undefined ? { only: ofQuotas } : {}
    return matcher({ scenario: 'release-gate', ...only })(this, received, options)
  },
  toConform(received: unknown, options: MatcherOptions) {
    return matcher({ scenario: 'conformance' })(this, received, options)
  },
})
