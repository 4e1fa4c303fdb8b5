import { effectiveLimit, effectiveWindowMs } from './effective-window.js'
import type { History, QuotaWindow } from './history.js'
import { explainAll, explainingModels } from './models.js'
import { explainedByRace } from './race.js'
import { explainedByRenewal, explainedWithoutReturn } from './renewal.js'
import { firstAdmissionFree, merged, refusalsCounted } from './retelling.js'

/** What a broken limiter looks like. */
export type DefectId =
  | 'keys-share-bucket'
  | 'quota-never-returns'
  | 'first-request-free'
  | 'limit-lower-by-one'
  | 'limit-higher-by-one'
  | 'limit-of-another-plan'
  | 'requests-count-twice'
  | 'nodes-count-alone'
  | 'window-shorter'
  | 'window-longer'
  | 'every-request-renews'
  | 'refusals-push-window'
  | 'refusals-count'
  | 'check-apart-from-count'
  | 'other-limit'

export interface Diagnosis {
  readonly id: DefectId
  /** Numbers and names that the sentence needs: `limit`, `plan`, `nodes`, `windowMs`. */
  readonly facts: Readonly<Record<string, number | string>>
}

export interface DiagnosisContext {
  /** The limits of the other plans for this window, by plan. */
  readonly otherLimits?: Readonly<Record<string, number>>
  /** What other keys did in the same run, on the same clock. */
  readonly companions?: readonly History[]
}

const mostNodes = 16

/**
 * The defective limiters that explain a history which no admissible one does, the most particular first: the first one
 * is what the target looks like. Empty where nothing known fits.
 */
export const diagnose = (history: History, window: QuotaWindow, context: DiagnosisContext = {}): Diagnosis[] => {
  const found: Diagnosis[] = []
  for (const each of candidates(history, window, context)) {
    found.push(each)
    if (found.length === mostDiagnoses) break
  }
  return found
}

/** Each further one costs a search, and says little beside the first. */
const mostDiagnoses = 2

const fits = (history: History, window: QuotaWindow): boolean =>
  explainingModels(explainAll(history, window)).length > 0

function* candidates(history: History, window: QuotaWindow, context: DiagnosisContext): Generator<Diagnosis> {
  const { limit } = window
  const companions = context.companions ?? []
  if (companions.length > 0 && fits(merged(history, companions), window)) yield { id: 'keys-share-bucket', facts: {} }
  if (fits(firstAdmissionFree(history), window)) yield { id: 'first-request-free', facts: {} }
  yield* otherLimits(history, window, context)
  if (explainedWithoutReturn(history, limit)) yield { id: 'quota-never-returns', facts: {} }
  const windowMs = effectiveWindowMs(history, window)
  if (windowMs !== null)
    yield { id: windowMs < window.windowMs ? 'window-shorter' : 'window-longer', facts: { windowMs } }
  if (explainedByRace(history, window)) yield { id: 'check-apart-from-count', facts: {} }
  if (explainedByRenewal(history, window, 'every')) yield { id: 'every-request-renews', facts: {} }
  if (fits(refusalsCounted(history), window)) yield { id: 'refusals-count', facts: {} }
  if (explainedByRenewal(history, window, 'refused')) yield { id: 'refusals-push-window', facts: {} }
  const other = effectiveLimit(history, window)
  if (other !== null) yield { id: 'other-limit', facts: { limit: other } }
}

function* otherLimits(
  history: History,
  { limit, windowMs }: QuotaWindow,
  context: DiagnosisContext,
): Generator<Diagnosis> {
  const holds = (each: number) => each >= 1 && fits(history, { limit: each, windowMs })
  if (holds(limit - 1)) yield { id: 'limit-lower-by-one', facts: { limit: limit - 1 } }
  if (holds(limit + 1)) yield { id: 'limit-higher-by-one', facts: { limit: limit + 1 } }
  for (const [plan, each] of Object.entries(context.otherLimits ?? {})) {
    if (each !== limit && holds(each)) yield { id: 'limit-of-another-plan', facts: { plan, limit: each } }
  }
  for (const each of new Set([Math.floor(limit / 2), Math.ceil(limit / 2)])) {
    if (each < limit - 1 && holds(each)) yield { id: 'requests-count-twice', facts: { limit: each } }
  }
  for (let nodes = 2; nodes <= mostNodes; nodes++) {
    if (holds(nodes * limit)) yield { id: 'nodes-count-alone', facts: { nodes, limit: nodes * limit } }
  }
}
