import type { Evidence } from '../../evidence/evidence.js'
import { witnessText } from '../../kit/witness.js'
import { cameBackMeanwhile } from '../../oracle/came-back-meanwhile.js'
import { judgedKeys } from '../../oracle/judged-keys.js'
import { mayBeOfAnother, refusalsOfOthers } from '../../oracle/refusals-of-others.js'
import { windowsOf } from '../../readings/quota-views.js'
import type { RateReading } from '../../readings/readings.js'
import { bringing, statusKinds } from '../framework/asking-probes.js'
import { defineCheck } from '../framework/check.js'
import { breach } from '../framework/finding.js'
import { judgeReadings } from '../framework/judge-cases.js'
import { spentAgainForRefusals } from '../framework/spent-again.js'
import { fieldNames } from '../readings/field-names.js'

/** Beyond this many milliseconds more than a minute, a wait is the day's or a ban's. */
const slackMs = 2_000

/** Refusals of a block, which may go on while the quota is there again. */
const refusedByBlock = (evidence: Evidence): ReadonlySet<string> =>
  new Set(
    (evidence.view?.blockedForMs ? judgedKeys(evidence) : []).flatMap(({ record }) =>
      Array.from(record.blocked, (isBlocked, i) => (isBlocked === 1 ? witnessText(record.witness(i)) : '')),
    ),
  )

const needs = { cases: 'values of Remaining', least: 1 }

export const remainingInRange = defineCheck({
  id: 'rate.remaining-in-range',
  promise: 'X-RateLimit-Remaining is an integer from 0 to Limit, and 0 on a 429 of the window that it shows.',
  clauses: ['RATE-3'],
  advice: 'Look at how Remaining is computed: never below 0, and 0 where the window refuses.',
  reads: 'everything',
  alone: [['header-row'], ...bringing(429)],
  needs,
  again: spentAgainForRefusals,
  judge(evidence) {
    const { minuteMs } = windowsOf(evidence)
    const keys = new Map(evidence.run.keys.map((key) => [key.name, key]))
    const blocked = refusedByBlock(evidence)
    const excused = refusalsOfOthers(evidence)
    const look = (reading: RateReading) => {
      const { key, operation, status, headers, retryAfter, witness } = reading
      const { remaining, limit } = headers
      if (remaining.state === 'absent') return 'skip'
      if (remaining.state === 'malformed' || !Number.isInteger(remaining.value)) {
        return breach('header-is-no-integer', {
          header: fieldNames(evidence).remaining ?? 'Remaining',
          text: remaining.text,
          status,
        })
      }
      const most = limit.state === 'number' ? limit.value : Number.POSITIVE_INFINITY
      if (remaining.value < 0 || remaining.value > most) {
        const shown = limit.state === 'number' ? limit.value : 'unknown'
        return breach('remaining-out-of-range', { remaining: remaining.value, limit: shown, status })
      }
      // A request that costs five is refused while four are left.
      const cost = evidence.view?.quota.cost[operation ?? ''] ?? 1
      if (status !== 429 || remaining.value < cost) return undefined
      // Another quota of the contract may have refused, and of this one there may be something left.
      if (excused.has(witnessText(witness)) || blocked.has(witnessText(witness))) return 'skip'
      if (evidence.view && mayBeOfAnother(evidence, reading)) return 'skip'
      // What was left when it was refused, and when its headers were looked up, need not be the same.
      if (cameBackMeanwhile(evidence, reading, remaining.value)) return 'skip'
      const quota = key === null ? undefined : keys.get(key)?.quota
      // The window that is shown may not be the one that refused: the day while the minute refused, or the reverse.
      const showsMinute = quota !== undefined && most === quota.limit && quota.limit !== quota.longer
      const namesMinute = retryAfter.form === 'seconds' && retryAfter.seconds * 1000 <= minuteMs + slackMs
      const minuteRefused = evidence.view !== undefined || namesMinute
      return showsMinute && minuteRefused
        ? breach('remaining-on-refusal', { remaining: remaining.value, limit: most })
        : undefined
    }
    const kindOf = ({ status }: RateReading) => String(status)
    return judgeReadings(evidence, needs, look, { kinds: statusKinds(200, 429), kindOf })
  },
  sentences: {
    'remaining-out-of-range': (f) => `Remaining on a ${f.status} is ${f.remaining}, with a limit of ${f.limit}`,
    'remaining-on-refusal': (f) => `a 429 says that ${f.remaining} of ${f.limit} remain`,
  },
})
