import { agreedBlockMs } from '../../contract/partitions.js'
import { contractOf } from '../../contract/petstore/petstore.js'
import { planName } from '../../contract/plans.js'
import type { Evidence } from '../../evidence/evidence.js'
import { formatDuration } from '../../kit/duration.js'
import { type JudgedKey, judgedKeys } from '../../oracle/judged-keys.js'
import { type SeenBlocks, seenBlocks } from '../../readings/blocks.js'
import { outcomes } from '../../readings/history.js'
import { isQuiet } from '../../readings/other-users.js'
import { viewOf } from '../../readings/quota-views.js'
import { byCode, defineCheck } from '../framework/check.js'
import { fail } from '../framework/finding.js'
import { concluded, spendingProbes, tellingCases } from '../framework/needs.js'
import { quotaNotJudged } from '../framework/unplayed.js'

const kept = 'a refusal in the second half of a block'
const ended = 'an admission soon after one'

/** The probe that asks while a block lasts: after others all that is known is when one ended. */
const askingInBlocks = ['burst']

/**
 * In how many windows after its last request a quota has room for another, at the latest and in any model: a counter that
 * weighs the window before has room for one once that has faded by as much, and by one more, for it may round.
 */
const windowsThatWeigh = ({ record: { cost }, window: { limit } }: JudgedKey): number => {
  const dearest = cost?.reduce((most, each) => Math.max(most, each), 1) ?? 1
  return Math.min(2, 1 + (dearest + 1) / limit)
}

/** The blocks of a key: here a refusal is a block's unless another quota may have given it. */
const blocksOf = (key: JudgedKey, evidence: Evidence): SeenBlocks => {
  const { blockedForMs: lastsMs, blockedAtLeastMs: leastMs } = viewOf(evidence)
  const { record, history, window } = key
  const outcome = history.outcome.map((each, i) => (record.blocked[i] === 1 ? outcomes.refused : each))
  return seenBlocks({ ...history, outcome }, { lastsMs, leastMs, weighsMs: windowsThatWeigh(key) * window.windowMs })
}

const agreedIn = (evidence: Evidence): number | undefined =>
  agreedBlockMs(contractOf(evidence.run)) === undefined ? undefined : viewOf(evidence).blockedForMs

export const blockAsAgreed = defineCheck({
  id: 'throttle.block-as-agreed',
  promise: 'A refused client is blocked for as long as agreed: no shorter and no longer.',
  clauses: ['THROTTLE-7'],
  of: 'contract-file',
  advice: byCode('Check the time for which a refused key is blocked: it is longer than agreed, or renewed.', {
    'block-ended-early': 'Check the time for which a refused key is blocked: it is shorter than agreed.',
  }),
  reads: spendingProbes,
  needs: { cases: 'requests that show how long a block lasts', least: 2 },
  judges: (contract) => agreedBlockMs(contract) !== undefined,
  judge(evidence, needs) {
    const telling = tellingCases()
    const agreedMs = agreedIn(evidence)
    for (const key of agreedMs === undefined ? [] : judgedKeys(evidence)) {
      const { record, plan, history } = key
      const seen = blocksOf(key, evidence)
      if (seen.breach) {
        if (!isQuiet(record)) return quotaNotJudged(plan, 'key-not-quiet')
        const { kind, refusal, next } = seen.breach
        const afterMs = Math.round(history.sentMs[next] - history.sentMs[refusal])
        const facts = {
          plan,
          agreedMs: kind === 'ended-early' ? viewOf(evidence).blockedAtLeastMs : (agreedMs ?? 0),
          afterMs,
        }
        const [from, to] = [record.witness(refusal), record.witness(next)]
        return kind === 'ended-early'
          ? fail('block-ended-early', facts, from, to)
          : fail('block-lasted', facts, from, to)
      }
      for (const i of seen.kept) telling.add(record.witness(i), kept)
      for (const i of seen.ended) telling.add(record.witness(i), ended)
    }
    return concluded(evidence, needs, telling, { kinds: { [kept]: askingInBlocks, [ended]: spendingProbes } })
  },
  sentences: {
    'block-ended-early': (f) =>
      `on the ${planName(f.plan)} key a request was admitted ${formatDuration(f.afterMs)} after a refusal that blocks for ${formatDuration(f.agreedMs)} at least`,
    'block-lasted': (f) =>
      `on the ${planName(f.plan)} key a request was refused ${formatDuration(f.afterMs)} after a refusal that blocks for ${formatDuration(f.agreedMs)} at most, with nothing sent that the quota could refuse for`,
  },
})
