import { planName } from '../../contract/plans.js'
import { countBelow } from '../../kit/numbers.js'
import { count } from '../../kit/words.js'
import { keepsWhatIsSpent } from '../../oracle/gives-back-at-once.js'
import { type JudgedKey, judgedKeys } from '../../oracle/judged-keys.js'
import { heldBackKey } from '../../readings/other-users.js'
import { defineCheck } from '../framework/check.js'
import { fail } from '../framework/finding.js'
import { concluded, spendingWhole, tellingCases } from '../framework/needs.js'
import { heldByAnotherKey } from '../framework/unplayed.js'
import { allCostOne } from './costs.js'
import { countingBack, showsLeft } from './shown-left.js'

/** Where more is admitted than the limit that is another clause's matter, and so is a day that can't be told from it. */
const keepsLimit = ({ judgement, window }: JudgedKey): boolean =>
  judgement?.verdict === 'pass' && window.limit !== window.longer?.limit

/** An answer that says how much remains, and as many or more that were admitted behind it. */
interface Spent {
  readonly answer: number
  readonly remaining: number
  /** Those that were sent once the answer was there, and admitted before anything came back. */
  readonly admitted: readonly number[]
}

/** The answers that say how much remains, and behind which that was spent, while certainly nothing came back. */
function* spentBehind(key: JudgedKey): Generator<Spent> {
  const { record } = key
  const [isKept, mayBeCountedBack] = [keepsWhatIsSpent(key), countingBack(key)]
  const admissions = Uint32Array.from(record.status.keys()).filter(
    (i) => record.status[i] === 200 && record.ordinary[i] === 1,
  )
  const sent = Float64Array.from(admissions, (i) => record.sentMs[i])
  for (const answer of admissions.filter((i) => showsLeft(key, i))) {
    const remaining = record.remaining[answer]
    const behind = admissions.subarray(countBelow(sent, record.receivedMs[answer]))
    const nth = (n: number): boolean => n > 0 && n <= behind.length && isKept(answer, behind[n - 1])
    if (!nth(remaining) && !nth(remaining + 1)) continue
    // Only where one too many seems to be admitted are all of them looked at: a load has a million of these answers.
    const most = nth(remaining + 1) ? behind.length : remaining
    const admitted = Array.from(behind.subarray(0, most)).filter((each) => isKept(answer, each))
    if (admitted.length < remaining || mayBeCountedBack(answer, admitted[admitted.length - 1])) continue
    yield { answer, remaining, admitted }
  }
}

/** Too little is as wrong as too much: an obedient client waits for a quota that it has. */
export const remainingNotTooLow = defineCheck({
  id: 'rate.remaining-not-too-low',
  promise:
    'Where an admitted request says how much remains, no more is admitted while nothing of the quota comes back.',
  clauses: ['RATE-4'],
  advice: 'Check what Remaining is computed from: it counts requests that the limiter does not count, or no longer.',
  reads: spendingWhole,
  needs: { cases: 'answers behind which all was spent that they said remains', least: 1 },
  judges: allCostOne,
  yields: true,
  judge(evidence, needs) {
    const shared = heldBackKey(evidence)
    if (shared) return heldByAnotherKey(shared.plan, shared.x)
    const telling = tellingCases()
    for (const key of judgedKeys(evidence).filter(keepsLimit)) {
      const { record, plan, window } = key
      for (const { answer, remaining, admitted } of spentBehind(key)) {
        if (admitted.length > remaining) {
          const facts = { plan, limit: window.limit, remaining, admitted: admitted.length }
          return fail('more-admitted-than-remained', facts, record.witness(answer), record.witness(admitted[remaining]))
        }
        telling.add(record.witness(answer))
      }
    }
    return concluded(evidence, needs, telling)
  },
  sentences: {
    'more-admitted-than-remained': (f) =>
      `on the ${planName(f.plan)} key an admitted request said that ${count(f.remaining)} of ${count(f.limit)} remain, and ${count(f.admitted)} more were admitted before any of the quota came back`,
  },
})
