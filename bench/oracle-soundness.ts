import { type ModelName, modelNames } from '../src/contract/any/limiter-models.js'
import { explain } from '../src/limits/models/explain.js'
import { type TrueHistoryOptions, trueHistory } from '../src/limits/testing/scenarios.js'

/**
 * Simulates true histories of each model and counts those that their own model refutes: each one is a defect.
 * `node oracle-soundness.js [HISTORIES] [FIRST_SEED] [MODEL...] [used] [small]`, 20,000 of every model unless told;
 * `used`: all of keys that others had used before, `small`: limits of up to 100, where small numbers tell most.
 */
const main = (
  histories: number,
  firstSeed: number,
  models: readonly ModelName[],
  options: TrueHistoryOptions,
): void => {
  for (const model of models) {
    const startedAt = performance.now()
    let exchanges = 0
    const refuted: number[] = []
    for (let seed = firstSeed; seed < firstSeed + histories; seed++) {
      const { history, window } = trueHistory(model, seed, options)
      exchanges += history.size
      if (explain(model, history, window).verdict === 'refuted') refuted.push(seed)
    }
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    const which = refuted.length > 0 ? `, seeds ${refuted.slice(0, 10).join(' ')}` : ''
    console.log(
      `${model.padEnd(27)} ${histories} histories, ${exchanges} exchanges, ${refuted.length} refuted${which} (${seconds} s)`,
    )
    if (refuted.length > 0) process.exitCode = 1
  }
}

const named = modelNames.filter((name) => process.argv.slice(4).includes(name))
const options: TrueHistoryOptions = {
  ...(process.argv.includes('used') ? { usedBefore: true } : {}),
  ...(process.argv.includes('small') ? { mostLimit: 100 } : {}),
}
main(Number(process.argv[2] ?? 20_000), Number(process.argv[3] ?? 1), named.length > 0 ? named : modelNames, options)
