import { agreedBlockMs } from '../../contract/partitions.js'
import { contractOf } from '../../contract/petstore/petstore.js'
import { planName } from '../../contract/plans.js'
import { type Evidence, exchangesOf } from '../../evidence/evidence.js'
import { type Ledger, ledgerFlags, rowWitness } from '../../evidence/ledger.js'
import { placesOf } from '../../kit/numbers.js'
import { count, formatDuration, listInWords } from '../../kit/words.js'
import { isKeyQuiet, type JudgedKey, judgedKeys } from '../../oracle/judged-keys.js'
import { seenBlocks } from '../../readings/blocks.js'
import { outcomes, withOutcomes } from '../../readings/history.js'
import { viewOf } from '../../readings/quota-views.js'
import { saidBy } from '../../readings/readings.js'
import { byCode, defineCheck } from '../framework/check.js'
import { breach, broken, notTested, observed } from '../framework/finding.js'
import { spendingProbes } from '../framework/needs.js'
import { quotaNotJudged } from '../framework/unplayed.js'
import { fieldNames, shownParts } from '../rate/field-names.js'

/** Room for whole seconds and for the time that an answer takes: a moment later by more than this has been put off. */
const roundingMs = 1_500

/**
 * The first answer that was neither served nor an ordinary refusal: another status, or a refusal that names a later
 * moment than those before it; and the refusals in a row before it.
 */
const triggerIn = ({ rows }: Ledger): { row: number; refusedBefore: number } | undefined => {
  const order = placesOf(rows.length).sort((a, b) => rows.receivedUs[a] - rows.receivedUs[b])
  let refusedBefore = 0
  // A date is a moment by the target's clock, seconds are one by ours: the two are not compared with each other.
  let promisedMs = { date: Number.NaN, seconds: Number.NaN }
  for (const row of order) {
    const status = rows.status[row]
    if (status === 0) continue
    if (status === 200) {
      refusedBefore = 0
      promisedMs = { date: Number.NaN, seconds: Number.NaN }
    } else if (status !== 429) return { row, refusedBefore }
    else {
      const form = rows.flags[row] & ledgerFlags.retryAfterIsDate ? 'date' : 'seconds'
      const namedMs = rows.retryAfter[row] * 1000 + (form === 'date' ? 0 : rows.receivedUs[row] / 1000)
      if (namedMs > promisedMs[form] + roundingMs) return { row, refusedBefore }
      promisedMs[form] = Number.isNaN(promisedMs[form]) ? namedMs : Math.min(promisedMs[form], namedMs)
      refusedBefore += 1
    }
  }
  return undefined
}

const headersOf = (evidence: Evidence): string[] => {
  const [x] = exchangesOf(evidence, 'ban', 'banned')
  if (!x?.response) return []
  const said = saidBy(evidence, x)
  const names = fieldNames(evidence)
  const fields = shownParts.flatMap((part) => (said[part].state === 'absent' ? [] : (names[part] ?? [])))
  return said.retryAfter.form === 'absent' ? fields : [...fields, 'Retry-After']
}

export const banCheck = defineCheck({
  id: 'throttle.ban',
  promise: 'The report says what triggers a ban, how it shows, how long it lasts and whether it is lifted.',
  clauses: ['THROTTLE-7'],
  level: 'observe',
  reads: ['ban'],
  judge(evidence) {
    const ledger = evidence.ledgers.find(({ head }) => head.probe === 'ban')
    if (!ledger) return notTested('nothing-to-judge', { wanted: 'key that was hammered' })
    const plan = evidence.run.keys.find(({ name }) => name === ledger.head.key)?.plan ?? 'none'
    const trigger = triggerIn(ledger)
    const refused = ledger.rows.status.reduce((sum, status) => sum + (status === 429 ? 1 : 0), 0)
    if (!trigger) return observed('no-ban-seen', { plan, refused })
    const asked = exchangesOf(evidence, 'ban')
    const lifted = asked.find((x) => x.response?.status === 200)
    const facts = {
      plan,
      refusedBefore: trigger.refusedBefore,
      status: ledger.rows.status[trigger.row],
      headers: headersOf(evidence),
      lengthMs: lifted ? Math.round(lifted.sentAt - ledger.rows.receivedUs[trigger.row] / 1000) : null,
      askedMeanwhile: asked.filter((x) => x !== lifted).length,
    }
    return observed('ban-seen', facts, rowWitness(ledger, trigger.row), ...asked.slice(0, 4))
  },
  sentences: {
    'nothing-to-judge': ({ wanted }) => `there was nothing to judge: the run has no ${wanted}`,
    'ban-seen': (f) =>
      `the ${planName(f.plan)} key was banned after ${count(f.refusedBefore)} refusals in a row: ${f.status} with ${listInWords(f.headers)}; ${f.lengthMs === null ? 'not lifted while the run waited' : `lifted within ${formatDuration(f.lengthMs)}`} (asked ${f.askedMeanwhile} times meanwhile)`,
    'no-ban-seen': (f) => `the ${planName(f.plan)} key was not banned after ${count(f.refused)} refused requests`,
  },
})

const kept = 'a refusal in the second half of a block'
const ended = 'an admission soon after one'

/** The probe that asks during a block; after the others it is only known when one ended. */
const askingInBlocks = ['burst']

/**
 * How many windows after its last request a quota has room for another, at the latest, in any model. A sliding counter
 * has room once the window before has faded by the request's cost, and by one more, because it may round.
 */
const windowsThatWeigh = ({ record: { cost }, window: { limit } }: JudgedKey): number => {
  const dearest = cost?.reduce((most, each) => Math.max(most, each), 1) ?? 1
  return Math.min(2, 1 + (dearest + 1) / limit)
}

/** The blocks of a key; a refusal belongs to a block unless another quota may have given it. */
const blocksOf = (key: JudgedKey, evidence: Evidence) => {
  const { blockedForMs: lastsMs, blockedAtLeastMs: leastMs } = viewOf(evidence)
  const { record, history, window } = key
  const refused = withOutcomes(history, (each, i) => (record.blocked[i] === 1 ? outcomes.refused : each))
  return seenBlocks(refused, { lastsMs, leastMs, weighsMs: windowsThatWeigh(key) * window.windowMs })
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
  judge(evidence, telling) {
    const agreedMs = agreedIn(evidence)
    for (const key of agreedMs === undefined ? [] : judgedKeys(evidence)) {
      const { record, plan, history } = key
      const seen = blocksOf(key, evidence)
      if (seen.breach) {
        if (!isKeyQuiet(key)) return quotaNotJudged(plan, 'key-not-quiet')
        const { kind, refusal, next } = seen.breach
        const afterMs = Math.round(history.sentMs[next] - history.sentMs[refusal])
        const facts = {
          plan,
          agreedMs: kind === 'ended-early' ? viewOf(evidence).blockedAtLeastMs : (agreedMs ?? 0),
          afterMs,
        }
        const [from, to] = [record.witness(refusal), record.witness(next)]
        return broken(breach(kind === 'ended-early' ? 'block-ended-early' : 'block-lasted', facts), from, to)
      }
      for (const i of seen.kept) telling.add(record.witness(i), kept)
      for (const i of seen.ended) telling.add(record.witness(i), ended)
    }
    return telling.conclude({ kinds: { [kept]: askingInBlocks, [ended]: spendingProbes } })
  },
  sentences: {
    'block-ended-early': (f) =>
      `on the ${planName(f.plan)} key a request was admitted ${formatDuration(f.afterMs)} after a refusal that must block for at least ${formatDuration(f.agreedMs)}`,
    'block-lasted': (f) =>
      `on the ${planName(f.plan)} key a request was refused ${formatDuration(f.afterMs)} after a refusal that may block for at most ${formatDuration(f.agreedMs)}, and nothing sent since then could have spent the quota`,
  },
})
