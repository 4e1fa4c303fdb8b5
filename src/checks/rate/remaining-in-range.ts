import { ordinaryCostsOne } from '../../contract/partitions.js'
import { noLongerLimit, planName } from '../../contract/plans.js'
import type { Evidence } from '../../evidence/evidence.js'
import { type Ledger, type LedgerHead, rowWitness } from '../../evidence/ledger.js'
import { witnessText } from '../../kit/witness.js'
import { count } from '../../kit/words.js'
import { cameBackMeanwhile } from '../../oracle/came-back-meanwhile.js'
import { judgedKeys } from '../../oracle/judged-keys.js'
import { mayBeOfAnother, refusalsOfOthers } from '../../oracle/refusals-of-others.js'
import { viewOf } from '../../readings/quota-views.js'
import type { RateReading } from '../../readings/readings.js'
import { defineCheck } from '../framework/check.js'
import { breach, fail } from '../framework/finding.js'
import { judgeReadings } from '../framework/judge-cases.js'
import { bringing, statusKinds } from '../framework/needs.js'
import { spentAgainForRefusals } from '../framework/spent-again.js'
import { fieldNames, notInteger } from './field-names.js'

/** A wait that is longer than a minute by more than this comes from the day, or from a ban. */
const slackMs = 2_000

/** Refusals by a block, which may last although the quota is back. */
const refusedByBlock = (evidence: Evidence): ReadonlySet<string> =>
  new Set(
    (viewOf(evidence).blockedForMs > 0 ? judgedKeys(evidence) : []).flatMap(({ record }) =>
      Array.from(record.blocked, (isBlocked, i) => (isBlocked === 1 ? witnessText(record.witness(i)) : '')),
    ),
  )

export const remainingInRange = defineCheck({
  id: 'rate.remaining-in-range',
  promise: 'X-RateLimit-Remaining is an integer from 0 to Limit, and 0 on a 429 of the window that it shows.',
  clauses: ['RATE-3'],
  advice: 'Check how Remaining is computed: never below 0, and 0 if the window refuses.',
  alone: [['header-row'], ...bringing(429)],
  needs: { cases: 'values of Remaining' },
  again: spentAgainForRefusals,
  judge(evidence, telling) {
    const { windowMs } = viewOf(evidence)
    const keys = new Map(evidence.run.keys.map((key) => [key.name, key]))
    const blocked = refusedByBlock(evidence)
    const excused = refusalsOfOthers(evidence)
    const look = (reading: RateReading) => {
      const { key, operation, status, headers, retryAfter, witness } = reading
      const { remaining, limit } = headers
      if (remaining.state === 'absent') return 'skip'
      if (remaining.state === 'malformed' || !Number.isInteger(remaining.value))
        return notInteger(evidence, 'remaining', remaining.text, status)
      const most = limit.state === 'number' ? limit.value : Number.POSITIVE_INFINITY
      if (remaining.value < 0 || remaining.value > most) {
        const shown = limit.state === 'number' ? limit.value : 'unknown'
        return breach('remaining-out-of-range', { remaining: remaining.value, limit: shown, status })
      }
      // A request that costs five is refused while four are left.
      const cost = viewOf(evidence).quota.cost[operation ?? ''] ?? 1
      if (status !== 429 || remaining.value < cost) return undefined
      // Another quota of the contract may have refused, while something is left of this one.
      if (excused.has(witnessText(witness)) || blocked.has(witnessText(witness))) return 'skip'
      if (mayBeOfAnother(evidence, reading)) return 'skip'
      // Quota may have come back between the refusal and the moment when its headers were computed.
      if (cameBackMeanwhile(evidence, reading, remaining.value)) return 'skip'
      const quota = key === null ? undefined : keys.get(key)?.quota
      // The window shown may not be the one that refused: the day's while the minute refused, or the reverse.
      const showsMinute = quota !== undefined && most === quota.limit && quota.limit !== quota.longer
      const namesMinute = retryAfter.form === 'seconds' && retryAfter.seconds * 1000 <= windowMs + slackMs
      const minuteRefused = quota?.longer === noLongerLimit || namesMinute
      return showsMinute && minuteRefused
        ? breach('remaining-on-refusal', { remaining: remaining.value, limit: most })
        : undefined
    }
    const kindOf = ({ status }: RateReading) => String(status)
    const kinds = fieldNames(evidence, 429).remaining === undefined ? statusKinds(200) : statusKinds(200, 429)
    return judgeReadings(evidence, telling, look, { kinds, kindOf })
  },
  sentences: {
    'remaining-out-of-range': (f) => `Remaining on a ${f.status} is ${f.remaining}, with a limit of ${f.limit}`,
    'remaining-on-refusal': (f) => `a 429 shows that ${f.remaining} of ${f.limit} remain`,
  },
})

/** How far Remaining fell over the admitted rows that show `limit`, and how far apart their Resets lie, in seconds. */
const fallOf = ({ rows }: Ledger, limit: number) => {
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

/** Fewer admissions may all have been decided together, and show one value; a load over few connections needs fewer. */
const leastAdmitted = ({ id, probe, key }: LedgerHead): number | undefined =>
  id === `burst-${key}` ? 10 : probe === 'other-requests' ? 8 : undefined

/** The loads that spend a quota at once: how many admissions each needs to tell, and what its requests cost. */
const spendingLedgers = (evidence: Evidence) =>
  evidence.ledgers.flatMap((ledger) => {
    const { head, rows } = ledger
    const key = evidence.run.keys.find(({ name }) => name === head.key)
    const least = leastAdmitted(head)
    if (!key || least === undefined || rows.length === 0) return []
    return [{ ledger, key, least, cost: viewOf(evidence).quota.cost[head.operation ?? ''] ?? 1 }]
  })

/**
 * How far Remaining has to fall at least. It can't fall below 0; answers that were decided together may show one value
 * twice; and a boundary that no Reset shows may split the load, so half of the fall has to show.
 */
const leastFallOf = ({ admitted, highest }: ReturnType<typeof fallOf>, cost: number, refilled: number): number =>
  Math.floor((Math.min(cost * (admitted - 2) + 1, highest) - refilled) / 2)

/** A window's boundary in the middle of a load gives everything back, so only loads within one window are judged. */
export const remainingInBurst = defineCheck({
  id: 'rate.remaining-in-burst',
  promise:
    'In a burst, Remaining falls by the number of admitted requests, except for what a refill may have given back.',
  clauses: ['RATE-4'],
  advice: 'Check when Remaining is read: in the same atomic step in which the request is counted.',
  reads: ['burst', 'other-requests'],
  needs: { cases: 'loads in one window, too fast for a bucket to refill' },
  // If the ordinary request costs more, too few may be admitted to tell, and no other check stands in for this one.
  judges: (_, quota) => ordinaryCostsOne(quota),
  yields: true,
  judge(evidence, telling) {
    for (const { ledger, key, least, cost } of spendingLedgers(evidence)) {
      const { rows } = ledger
      const limit = key.quota.limit
      const fall = fallOf(ledger, limit)
      const lengthMs = viewOf(evidence).windowMs
      const crossesBoundary = fall.resetSpread * 1000 > lengthMs / 2
      if (limit === key.quota.longer || fall.admitted < least || crossesBoundary) continue
      const lastMs = rows.receivedUs.reduce((latest, us) => (us > latest ? us : latest), 0) / 1000
      const refilled = Math.ceil(((lastMs - rows.sentUs[0] / 1000) * limit) / lengthMs) + 2
      const leastFall = leastFallOf(fall, cost, refilled)
      if (leastFall <= 0) continue
      if (fall.highest - fall.lowest < leastFall) {
        const facts = { plan: key.plan, admitted: fall.admitted, from: fall.highest, to: fall.lowest, leastFall }
        return fail('remaining-lags-in-burst', facts, rowWitness(ledger, fall.lowestRow))
      }
      telling.add(rowWitness(ledger, fall.lowestRow))
    }
    return telling.conclude()
  },
  sentences: {
    'remaining-lags-in-burst': (f) =>
      `on the ${planName(f.plan)} key Remaining went from ${f.from} to ${f.to} while ${count(f.admitted)} were admitted; it must fall by at least ${f.leastFall}`,
  },
})
