import { afterEach } from 'vitest'
import { petstore } from '../../../contract/petstore/petstore.js'
import { type Clock, systemClock } from '../../../kit/clock.js'
import { headReader } from '../../../readings/load-reader.js'
import type { LoadResult, LoadSpec } from '../load-order.js'
import { runLoad } from '../run-load.js'
import { startTarget, type Target } from './target.js'

/** So long that a busy machine never reaches it; a test of a time-out sets its own. */
const neverReachedMs = 60_000

export interface TrialLoads {
  /** A target that ends with its test. */
  readonly targetOf: (...parts: Parameters<typeof startTarget>) => Promise<Target>
  /** Sends it a load; `spec` says what differs from the file's usual one. A time-out needs a clock of its own. */
  readonly play: (target: { readonly url: string }, spec?: Partial<LoadSpec>, clock?: Clock) => Promise<LoadResult>
}

/** A clock that stands still, however slow the machine, until `passMs` moves it. */
export const stillClock = (): Clock & { readonly passMs: (ms: number) => void } => {
  let nowMs = 1_000
  return {
    ...systemClock,
    monotonicMs: () => nowMs,
    passMs: (ms) => {
      nowMs += ms
    },
  }
}

/** The targets for the tests of a file, and the file's usual load. Call it once, at the top of the file. */
export const trialLoads = (usual: Pick<LoadSpec, 'connections' | 'amount'> & Partial<LoadSpec>): TrialLoads => {
  const open: Target[] = []
  afterEach(async () => {
    for (const target of open.splice(0)) await target.close()
  })
  return {
    async targetOf(...parts) {
      const target = await startTarget(...parts)
      open.push(target)
      return target
    },
    play({ url }, spec = {}, clock = systemClock) {
      const given = { url, method: 'GET', headers: {}, timeoutMs: neverReachedMs, redact: (text: string) => text }
      const readHead = headReader(petstore, petstore.quotas[0])
      return runLoad({ ...given, readHead, ...usual, ...spec }, clock, 0)
    },
  }
}
