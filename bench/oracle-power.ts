import { type DefectId, diagnose } from '../src/oracle/diagnosis/diagnosis.js'
import { judgeQuota } from '../src/oracle/judge-quota.js'
import { defects, type SimulatedDefect } from '../src/oracle/testing/defects.js'
import { defectiveHistory } from '../src/oracle/testing/scenarios.js'

const roundTripsMs = [0.1, 1, 10, 100]
const planLimits = { free: 60, pro: 300, business: 1000 }

interface Power {
  readonly refuted: number
  readonly named: number
  readonly otherNames: ReadonlyMap<string, number>
  readonly clauses: ReadonlyMap<string, number>
}

interface Series {
  readonly histories: number
  readonly firstSeed: number
  /** If false, any amount of the key's quota may have been used before the run. */
  readonly isUseKnown: boolean
}

const powerOf = (defect: SimulatedDefect, roundTripMs: number, { histories, firstSeed, isUseKnown }: Series): Power => {
  let [refuted, named] = [0, 0]
  const otherNames = new Map<string, number>()
  const clauses = new Map<string, number>()
  for (let seed = firstSeed; seed < firstSeed + histories; seed++) {
    const { history, window, companions } = defectiveHistory(defect, roundTripMs, seed, { isUseKnown })
    const judgement = judgeQuota(history, window)
    if (judgement.verdict !== 'fail') continue
    refuted++
    clauses.set(judgement.side, (clauses.get(judgement.side) ?? 0) + 1)
    const first: DefectId | 'nothing' =
      diagnose(history, window, { otherLimits: planLimits, companions }).next().value?.id ?? 'nothing'
    if (first === defect) named++
    else otherNames.set(first, (otherNames.get(first) ?? 0) + 1)
  }
  return { refuted: refuted / histories, named: named / histories, otherNames, clauses }
}

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`

/**
 * How many histories of each defective limiter every admissible model refutes, and how many get the right name first,
 * by round trip. Prints a Markdown table. `node oracle-power.js [HISTORIES] [FIRST_SEED] [DEFECT...] [used]`, by default 100
 * for each cell; `used`: nothing is known about the keys' use before the run.
 */
const main = (series: Series, only: readonly string[]): void => {
  console.log(
    `| defect | ${roundTripsMs.map((each) => `${each} ms`).join(' | ')} |\n|---|${'---|'.repeat(roundTripsMs.length)}`,
  )
  for (const defect of Object.keys(defects) as SimulatedDefect[]) {
    if (only.length > 0 && !only.includes(defect)) continue
    const row = roundTripsMs.map((each) => powerOf(defect, each, series))
    console.log(
      `| ${defect} | ${row.map(({ refuted, named }) => `${percent(refuted)}, ${percent(named)}`).join(' | ')} |`,
    )
    if (process.env.ORACLE_DETAIL === undefined) continue
    for (const { otherNames, clauses } of row)
      console.log('   ', Object.fromEntries(clauses), Object.fromEntries(otherNames))
  }
}

const isUseKnown = !process.argv.includes('used')
const only = process.argv.slice(4).filter((each) => each !== 'used')
main({ histories: Number(process.argv[2] ?? 100), firstSeed: Number(process.argv[3] ?? 1), isUseKnown }, only)
