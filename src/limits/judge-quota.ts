import { type ModelName, modelNames, type Refutation } from './explanation.js'
import { type History, outcomes, type QuotaWindow } from './history.js'
import { type Explanations, explainAll, explainingModels } from './models.js'

/** What else is known of the run that made the history. */
export interface Circumstances {
  /** False where somebody else spends the key: then no refusal can be proven early. */
  readonly keyIsQuiet: boolean
  /** Why the history holds too little for a pass: `generator-late`, `answers-lost`. Ids, the gravest first. */
  readonly doubts: readonly string[]
}

export type QuotaJudgement =
  | { readonly verdict: 'pass'; readonly models: readonly ModelName[]; readonly explanations: Explanations }
  | {
      readonly verdict: 'fail'
      readonly clause: 'QUOTA-1' | 'QUOTA-2'
      /** The model with the least to explain away. */
      readonly closest: ModelName
      /** Whether the models give different reasons, so that the closest one decided the clause. */
      readonly reasonsDiffer: boolean
      readonly refutation: Refutation
      readonly explanations: Explanations
    }
  | { readonly verdict: 'inconclusive'; readonly reason: string; readonly explanations: Explanations }

/**
 * The verdict on one key and window: fails only where no admissible model explains the history, passes only where one
 * does, the limit was put to the test, and nothing speaks against the history.
 */
export const judgeQuota = (
  history: History,
  window: QuotaWindow,
  { keyIsQuiet, doubts }: Circumstances = { keyIsQuiet: true, doubts: [] },
): QuotaJudgement => {
  const explanations = explainAll(keyIsQuiet ? history : withoutRefusals(history), window)
  return judgeExplained(explanations, history, window, { keyIsQuiet, doubts })
}

/** The same where what the models say is known already. */
export const judgeExplained = (
  explanations: Explanations,
  history: History,
  window: QuotaWindow,
  { keyIsQuiet, doubts }: Circumstances,
): QuotaJudgement => {
  const models = explainingModels(explanations)
  if (models.length === 0) return failure(explanations)
  const reason = keyIsQuiet ? doubts[0] : 'key-not-quiet'
  if (reason !== undefined) return { verdict: 'inconclusive', reason, explanations }
  if (!isTested(history, window)) return { verdict: 'inconclusive', reason: 'limit-never-reached', explanations }
  return { verdict: 'pass', models, explanations }
}

const withoutRefusals = (history: History): History => ({
  ...history,
  outcome: history.outcome.map((each) => (each === outcomes.refused ? outcomes.excused : each)),
})

/** Whether more than the limit was answered, one way or the other, within some window's length. */
const isTested = ({ size, sentMs, receivedMs, outcome }: History, { limit, windowMs }: QuotaWindow): boolean => {
  const judged = Array.from({ length: size }, (_, i) => i).filter(
    (i) => outcome[i] === outcomes.admitted || outcome[i] === outcomes.refused,
  )
  return judged.some((i, rank) => rank >= limit && receivedMs[i] - sentMs[judged[rank - limit]] <= windowMs)
}

const failure = (explanations: Explanations): QuotaJudgement => {
  const refutations = modelNames.flatMap((name) => {
    const explanation = explanations[name]
    return explanation.verdict === 'refuted' ? [{ name, explanation }] : []
  })
  const cost = ({ overAdmitted, earlyRefused }: Refutation) => overAdmitted + earlyRefused
  const closest = refutations.reduce((best, each) => (cost(each.explanation) < cost(best.explanation) ? each : best))
  const { overAdmitted, earlyRefused } = closest.explanation
  return {
    verdict: 'fail',
    clause: overAdmitted >= earlyRefused ? 'QUOTA-1' : 'QUOTA-2',
    closest: closest.name,
    reasonsDiffer: refutations.some(({ explanation }) => explanation.reason !== closest.explanation.reason),
    refutation: closest.explanation,
    explanations,
  }
}
