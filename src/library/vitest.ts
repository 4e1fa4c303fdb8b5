import { join } from 'node:path'
import { expect } from 'vitest'
import { renderTerminal } from '../report/formats/terminal.js'
import type { Report } from '../report/model.js'
import type { RunOptions } from './options.js'
import { run } from './run.js'
import { targetAddress } from './target-address.js'

export type { NodeServer, Target } from './target-address.js'

/** What a matcher is told beside the target, which `expect` is given. */
export type MatcherOptions = Omit<RunOptions, 'target'>

interface QuotaMatchers {
  /**
   * Spends the quotas of the target, and holds it to them: no more is admitted than is promised, nothing is refused too
   * early, and what it says of its limits is true. Plays `release-gate`, of the Petstore only what is about quotas.
   */
  toKeepQuotas(options: MatcherOptions): Promise<void>
  /** Holds the target to every clause that single requests can show, or to those of `only`. Plays `conformance`. */
  toConform(options: MatcherOptions): Promise<void>
}

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: the declaration that is added to has it so.
  interface Matchers<T = any> extends QuotaMatchers {}
}

const linesOf = ({ out }: MatcherOptions, report: Report): string =>
  renderTerminal(report, {
    colour: false,
    width: 100,
    reportPath: out === undefined ? null : join(out, 'report.html'),
  }).trim()

/** Where nothing is proven, neither the one nor its contrary holds. */
const holds = ({ outcome }: Report, isNot: boolean): boolean => (isNot ? outcome !== 'fail' : outcome === 'pass')

const matcher =
  (usual: Pick<RunOptions, 'scenario' | 'only'>) =>
  async ({ isNot }: { readonly isNot: boolean }, received: unknown, options: MatcherOptions) => {
    const report = await run({ ...usual, ...options, target: await targetAddress(received) })
    return { pass: holds(report, isNot), message: () => linesOf(options, report) }
  }

/** What the Petstore promises of quotas: counts, what refusals say, what headers say. */
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
