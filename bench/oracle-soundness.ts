import { type ModelName, modelNames } from '../src/contract/limiter-models.js'
import { explain, explainAll } from '../src/oracle/models/explain.js'
import { canKeep, type QuotaKind, quotaKinds, trueQuotaHistory } from '../src/oracle/testing/quota-histories.js'
import { type TrueHistoryOptions, trueHistory } from '../src/oracle/testing/scenarios.js'

interface Told {
  readonly exchanges: number
  readonly isRefuted: boolean
}

/** The result of one simulated history of a model. */
type Trial = (model: ModelName, seed: number) => Told

const asMinute =
  (options: TrueHistoryOptions): Trial =>
  (model, seed) => {
    const { history, window } = trueHistory(model, seed, options)
    return { exchanges: history.size, isRefuted: explain(model, history, window).verdict === 'refuted' }
  }

/** A quota with a burst, costs or a tolerance, judged as in a run. */
const asQuota =
  (kind: QuotaKind): Trial =>
  (model, seed) => {
    const { history, window } = trueQuotaHistory(model, seed, kind)
    // The other models are not asked: each says its own, whatever the others say.
    const told = explainAll(history, { ...window, models: [model] })[model]
    return { exchanges: history.size, isRefuted: told?.verdict !== 'explained' }
  }

const play = (name: string, model: ModelName, trial: Trial, histories: number, firstSeed: number): void => {
  const startedAt = performance.now()
  let exchanges = 0
  const refuted: number[] = []
  for (let seed = firstSeed; seed < firstSeed + histories; seed++) {
    const told = trial(model, seed)
    exchanges += told.exchanges
    if (told.isRefuted) refuted.push(seed)
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  const which = refuted.length > 0 ? `, seeds ${refuted.slice(0, 10).join(' ')}` : ''
  console.log(
    `${name.padEnd(38)} ${histories} histories, ${exchanges} exchanges, ${refuted.length} refuted${which} (${seconds} s)`,
  )
  if (refuted.length > 0) process.exitCode = 1
}

/**
 * Simulates true histories of each model and counts those that their own model refutes: each one is a defect.
 * `node oracle-soundness.js [HISTORIES] [FIRST_SEED] [MODEL...] [used] [small] [KIND...]`, by default 20,000 of every model;
 * `used`: only keys that others had used before; `small`: limits of up to 100, where small numbers matter most. Kinds:
 * `minute` (only a limit and a window), `burst`, `cost`, `tolerance`, `all` of these; by default all kinds.
 */
const main = (histories: number, firstSeed: number, words: readonly string[]): void => {
  const named = modelNames.filter((name) => words.includes(name))
  const models = named.length > 0 ? named : modelNames
  const kinds = (['minute', ...quotaKinds] as const).filter((kind) => words.includes(kind))
  const options: TrueHistoryOptions = {
    ...(words.includes('used') ? { usedBefore: true } : {}),
    ...(words.includes('small') ? { mostLimit: 100 } : {}),
  }
  for (const kind of kinds.length > 0 ? kinds : (['minute', ...quotaKinds] as const)) {
    for (const model of models) {
      if (kind === 'minute') play(model, model, asMinute(options), histories, firstSeed)
      else if (canKeep(model, kind)) play(`${model} (${kind})`, model, asQuota(kind), histories, firstSeed)
    }
  }
}

main(Number(process.argv[2] ?? 20_000), Number(process.argv[3] ?? 1), process.argv.slice(4))
