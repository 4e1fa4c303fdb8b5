import { planName } from '../../contract/plans.js'
import type { Evidence } from '../../evidence/evidence.js'
import type { Ledger, LedgerHead } from '../../evidence/ledger.js'
import { count } from '../../kit/count.js'
import { windowsOf } from '../../readings/quota-views.js'
import { defineCheck } from '../framework/check.js'
import { fail } from '../framework/finding.js'
import { concluded, tellingCases } from '../framework/needs.js'
import { ordinaryCostsOne } from './costs.js'

interface BurstFall {
  readonly admitted: number
  readonly highest: number
  readonly lowest: number
  readonly lowestRow: number
  /** How far the Resets that were shown lie apart, in seconds. */
  readonly resetSpread: number
}

/** How far Remaining fell over the admitted rows that show `limit`. */
const fallOf = ({ rows }: Ledger, limit: number): BurstFall => {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const fall = { admitted: 0, highest: Number.NEGATIVE_INFINITY, lowest: Number.POSITIVE_INFINITY, lowestRow: 0 }
  for (let i = 0; i < rows.length; i += 1) {
    if (rows.status[i] !== 200 || rows.limit[i] !== limit || !Number.isFinite(rows.remaining[i])) continue
    fall.admitted += 1
    if (Number.isFinite(rows.reset[i])) {
      first = Math.min(first, rows.reset[i])
      last = Math.max(last, rows.reset[i])
    }
    fall.highest = Math.max(fall.highest, rows.remaining[i])
    if (rows.remaining[i] < fall.lowest) {
      fall.lowest = rows.remaining[i]
      fall.lowestRow = i
    }
  }
  return { ...fall, resetSpread: last - first }
}

/** Fewer admissions may all have been decided together, and show one value; of a load over few connections, half as many. */
const leastAdmitted = ({ id, probe, key }: LedgerHead): number | undefined =>
  id === `burst-${key}` ? 10 : probe === 'other-requests' ? 8 : undefined

/** The loads that spend a quota at once: how many admissions they take to tell, and what each of their requests costs. */
const spendingLedgers = (evidence: Evidence) =>
  evidence.ledgers.flatMap((ledger) => {
    const { head, rows } = ledger
    const key = evidence.run.keys.find(({ name }) => name === head.key)
    const least = leastAdmitted(head)
    if (!key || least === undefined || rows.length === 0) return []
    return [{ ledger, key, least, cost: evidence.view?.quota.cost[head.operation ?? ''] ?? 1 }]
  })

/**
 * How far Remaining has to fall at least. Below 0 it can't; answers that were decided together may show one value twice, and
 * a boundary that no Reset shows may part the load in two: half of it has to show.
 */
const leastFallOf = ({ admitted, highest }: BurstFall, cost: number, refilled: number): number =>
  Math.floor((Math.min(cost * (admitted - 2) + 1, highest) - refilled) / 2)

const needs = { cases: 'loads within one window, faster than a bucket could give back', least: 1 }

/** A window's boundary in the middle of a load gives everything back, so only loads within one window are judged. */
export const remainingInBurst = defineCheck({
  id: 'rate.remaining-in-burst',
  promise: 'Over a load at once Remaining falls with what was admitted, less what a refill may have given back.',
  clauses: ['RATE-4'],
  advice: 'Look at when Remaining is read: in the same atomic step in which the request is counted.',
  reads: ['burst', 'other-requests'],
  needs,
  // Where the ordinary one costs more too few may be admitted to tell, and no other check stands in for it.
  judges: ordinaryCostsOne,
  yields: true,
  judge(evidence) {
    const telling = tellingCases()
    for (const { ledger, key, least, cost } of spendingLedgers(evidence)) {
      const { rows } = ledger
      const limit = key.quota.limit
      const fall = fallOf(ledger, limit)
      const lengthMs = windowsOf(evidence).minuteMs
      const crossesBoundary = fall.resetSpread * 1000 > lengthMs / 2
      if (limit === key.quota.longer || fall.admitted < least || crossesBoundary) continue
      const lastMs = rows.receivedUs.reduce((latest, us) => (us > latest ? us : latest), 0) / 1000
      const refilled = Math.ceil(((lastMs - rows.sentUs[0] / 1000) * limit) / lengthMs) + 2
      const leastFall = leastFallOf(fall, cost, refilled)
      if (leastFall <= 0) continue
      if (fall.highest - fall.lowest < leastFall) {
        const facts = { plan: key.plan, admitted: fall.admitted, from: fall.highest, to: fall.lowest, leastFall }
        return fail('remaining-lags-in-burst', facts, { ledger: ledger.head.id, row: fall.lowestRow })
      }
      telling.add({ ledger: ledger.head.id, row: fall.lowestRow })
    }
    return concluded(evidence, needs, telling)
  },
  sentences: {
    'remaining-lags-in-burst': (f) =>
      `on the ${planName(f.plan)} key Remaining went from ${f.from} to ${f.to} while ${count(f.admitted)} were admitted, where it has to fall by at least ${f.leastFall}`,
  },
})
