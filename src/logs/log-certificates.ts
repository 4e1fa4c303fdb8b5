import type { Certificate } from '../certificate/certificates.js'
import { apartDefects } from '../certificate/counts-apart.js'
import { defectsFor } from '../certificate/defects.js'
import { limitRange, windowRange } from '../certificate/measured.js'
import { toldOfDefect } from '../certificate/replays.js'
import { count } from '../kit/words.js'
import { withCosts } from '../oracle/costs.js'
import { explainAll, explainingModels } from '../oracle/models/explain.js'
import { isExact } from '../oracle/models/explanation.js'
import type { CountedQuota } from './counted-quota.js'
import type { TellingKey } from './judge-traffic.js'

/** The name of a key in the report: no log says who it is, its lines do. */
export const keyName = (plan: string, key: number): string => `client ${count(key)} (${plan})`

/** The same traffic is replayed in the same way each time. */
const seed = 1

/** Replays of each plan the traffic of the key that tells most through defective limiters. */
export const logCertificates = (counted: CountedQuota, telling: readonly TellingKey[]) =>
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
    const replayable = { history, window, models, seed }
    const defects = [...defectsFor(window, Object.fromEntries(others)), ...apartDefects(history, window, routeOf)]
    const replayed = defects.map((defect) => toldOfDefect(replayable, defect))
    const measured = {
      limit: limitRange(history, window),
      windowMs: isExact(window) ? windowRange(history, window) : null,
    }
    const name = keyName(plan, key.key)
    const certificate: Certificate = { key: name, plan: name, replayed, measured }
    return { ...certificate, telling: key, models }
  })
