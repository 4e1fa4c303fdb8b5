import { judgeQuota } from '../src/oracle/judge-quota.js'
import { brokenQuotaHistory, type QuotaDefect, quotaDefects } from '../src/oracle/testing/quota-defects.js'

const roundTripsMs = [0.1, 1, 10, 100]

const refutedShare = (defect: QuotaDefect, roundTripMs: number, histories: number, firstSeed: number): number => {
  let refuted = 0
  for (let seed = firstSeed; seed < firstSeed + histories; seed++) {
    const { history, window } = brokenQuotaHistory(defect, roundTripMs, seed)
    if (judgeQuota(history, window).verdict === 'fail') refuted++
  }
  return refuted / histories
}

/**
 * How many histories of broken quotas every admissible model refutes, by round trip: quotas with a burst, costs or
 * tolerances. Prints a Markdown table. `node oracle-quota-power.js [HISTORIES] [FIRST_SEED]`, by default 100 for each cell.
 */
const main = (histories: number, firstSeed: number): void => {
  console.log(`| quota: what it does | ${roundTripsMs.map((each) => `${each} ms`).join(' | ')} |`)
  console.log(`|---|${'---|'.repeat(roundTripsMs.length)}`)
  for (const defect of quotaDefects) {
    const cells = roundTripsMs.map((each) => `${(100 * refutedShare(defect, each, histories, firstSeed)).toFixed(0)} %`)
    console.log(`| ${defect} | ${cells.join(' | ')} |`)
  }
}

main(Number(process.argv[2] ?? 100), Number(process.argv[3] ?? 1))
