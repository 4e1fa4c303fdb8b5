import { planName } from '../../contract/plans.js'
import { type Evidence, exchangesOf } from '../../evidence/evidence.js'
import { type Ledger, ledgerFlags, rowWitness } from '../../evidence/ledger.js'
import { formatDuration } from '../../kit/duration.js'
import { count, listInWords } from '../../kit/words.js'
import { saidBy } from '../../readings/readings.js'
import { defineCheck } from '../framework/check.js'
import { notTested, observed } from '../framework/finding.js'
import { fieldNames, shownParts } from '../rate/field-names.js'

/** Whole seconds, and the time that an answer takes: by more than this a refusal has put off what it named before. */
const roundingMs = 1_500

/**
 * The first answer that was neither served nor an ordinary refusal: another status, or a refusal that names a later
 * moment than those before it; and the refusals in a row before it.
 */
const triggerIn = ({ rows }: Ledger): { row: number; refusedBefore: number } | undefined => {
  const order = Uint32Array.from({ length: rows.length }, (_, i) => i)
  order.sort((a, b) => rows.receivedUs[a] - rows.receivedUs[b])
  let refusedBefore = 0
  // A date is a moment by the target's clock, seconds are one by ours: the two are not held against each other.
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
    'no-ban-seen': (f) =>
      `the ${planName(f.plan)} key was not banned: ${count(f.refused)} refused requests changed nothing`,
  },
})
