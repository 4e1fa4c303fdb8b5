import { bringing } from '../../../checks/framework/asking-probes.js'
import { defineCheck } from '../../../checks/framework/check.js'
import { observed } from '../../../checks/framework/finding.js'
import type { Evidence } from '../../../evidence/evidence.js'
import { type Answered, isAnswered } from '../../../evidence/exchange.js'
import { listInWords } from '../../../kit/list-in-words.js'
import { numberOf } from '../../../readings/limit-values.js'
import { saidBy } from '../../../readings/readings.js'

const shown = (evidence: Evidence, x: Answered) => {
  const headers = saidBy(evidence, x)
  return { limit: numberOf(headers.limit), remaining: numberOf(headers.remaining) }
}

const kindOf = (x: Answered): string =>
  x.operation === null && ['HEAD', 'OPTIONS'].includes(x.request.method) ? x.request.method : String(x.response.status)

/** By how much Remaining fell from one answer on a key to the next, by the kind of the latter. */
const fallsByKind = (evidence: Evidence): ReadonlyMap<string, number[]> => {
  const falls = new Map<string, number[]>()
  const last = new Map<string, Answered>()
  for (const x of evidence.exchanges) {
    if (x.key === null || x.credential !== 'bearer' || !isAnswered(x)) continue
    const before = last.get(x.key)
    last.set(x.key, x)
    if (!before || before.receivedAt > x.sentAt) continue
    const [was, is] = [shown(evidence, before), shown(evidence, x)]
    if (was.limit === undefined || was.limit !== is.limit || was.remaining === undefined || is.remaining === undefined)
      continue
    const fall = was.remaining - is.remaining
    // A rise is a reset or a refill, and a long fall somebody else's: neither tells what this answer cost.
    if (fall === 0 || fall === 1) falls.set(kindOf(x), [...(falls.get(kindOf(x)) ?? []), fall])
  }
  return falls
}

const mostly = 0.8

export const accountingCheck = defineCheck({
  id: 'quota.accounting',
  promise: 'Which answers count against the quota is reported.',
  clauses: ['QUOTA-7'],
  reads: 'everything',
  alone: [['accounting'], ['header-row'], ...bringing(400, 404)],
  judge(evidence) {
    const shares = [...fallsByKind(evidence)].map(([kind, falls]) => ({
      kind,
      share: falls.reduce((sum, fall) => sum + fall, 0) / falls.length,
    }))
    const kinds = (within: (share: number) => boolean) =>
      shares
        .filter(({ share }) => within(share))
        .map(({ kind }) => kind)
        .sort()
    return observed('answers-that-count', {
      counted: kinds((share) => share >= mostly),
      free: kinds((share) => share <= 1 - mostly),
      unclear: kinds((share) => share > 1 - mostly && share < mostly),
    })
  },
  sentences: {
    'answers-that-count': (f) =>
      `count against the quota: ${listInWords(f.counted)}; do not: ${listInWords(f.free)}${f.unclear.length > 0 ? `; unclear: ${listInWords(f.unclear)}` : ''}`,
  },
})
