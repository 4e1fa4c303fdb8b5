import { defectsFor } from '../certificate/defects.js'
import { limitRange, type Range, windowRange } from '../certificate/measured.js'
import { type Replayed, toldOfDefect } from '../certificate/replays.js'
import type { ModelName } from '../contract/limiter-models.js'
import { withCosts } from '../oracle/costs.js'
import { explainAll, explainingModels } from '../oracle/models/explain.js'
import { isExact } from '../oracle/models/explanation.js'
import type { CountedQuota } from './counted-quota.js'
import type { TellingKey } from './judge-traffic.js'

/** What the traffic says of a plan, by the key that tells most. */
export interface LogCertificate {
  readonly telling: TellingKey
  readonly models: readonly ModelName[]
  readonly replayed: readonly Replayed[]
  readonly measured: { readonly limit: Range; readonly windowMs: Range | null }
}

/** The same traffic is replayed in the same way each time. */
const seed = 1

/** Replays of each plan the traffic of the key that tells most through defective limiters. */
export const logCertificates = (counted: CountedQuota, telling: readonly TellingKey[]): LogCertificate[] =>
  telling.map((key) => {
    const { window, excerpt, plan } = key
    const { burst = window.limit } = window
    const costed = excerpt.cost ? withCosts(excerpt.history, excerpt.cost, burst) : undefined
    const history = costed?.history ?? excerpt.history
    const rowOf = (i: number) => costed?.rows[i] ?? i
    const models = explainingModels(explainAll(history, window))
    const others = Object.entries(counted.quota.limit).filter(
      ([name, limit]) => name !== plan && limit !== window.limit,
    )
    const routeOf = (i: number) => String(excerpt.request[rowOf(i)])
    const routes = new Set(excerpt.request).size
    const replayable = { history, window, models, routeOf, seed }
    const replayed = defectsFor(window, Object.fromEntries(others), routes).map((defect) =>
      toldOfDefect(replayable, defect),
    )
    const measured = {
      limit: limitRange(history, window),
      windowMs: isExact(window) ? windowRange(history, window) : null,
    }
    return { telling: key, models, replayed, measured }
  })
