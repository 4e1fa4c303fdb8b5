import { planName } from '../../contract/plans.js'
import type { Evidence } from '../../evidence/evidence.js'
import type { Ledger } from '../../evidence/ledger.js'
import { count } from '../../kit/count.js'
import { listInWords } from '../../kit/list-in-words.js'
import { defineCheck } from '../framework/check.js'
import { notTested, observed } from '../framework/finding.js'

/** The profile that puts a key on all machines at once. */
const profile = 'spread'

/** A type, for only that is a fact as well. */
type Seen = { readonly agent: string; readonly sent: number; readonly admitted: number; readonly refused: number }

const seenBy = ({ head: { origin }, rows }: Ledger): Seen => {
  const count = (isMeant: (status: number) => boolean) =>
    rows.status.reduce((sum, status) => sum + (isMeant(status) ? 1 : 0), 0)
  return {
    agent: origin?.agent ?? '',
    sent: rows.length,
    admitted: count((status) => status >= 200 && status < 300),
    refused: count((status) => status === 429),
  }
}

const plansOf = ({ run, ledgers }: Evidence) =>
  run.keys.flatMap(({ name, plan, quota }) => {
    const spread = ledgers.filter(({ head }) => head.key === name && head.probe === profile)
    return spread.length === 0 ? [] : [{ plan, limit: quota.limit, seen: spread.map(seenBy) }]
  })

const inWords = ({ plan, limit, seen }: { plan: string; limit: number; seen: readonly Seen[] }): string => {
  const all = seen.reduce((sum, { admitted }) => sum + admitted, 0)
  const parts = seen.map(({ agent, sent, admitted }) => `${count(admitted)} of ${count(sent)} by ${agent}`)
  return `${planName(plan)}: ${count(all)} admitted in all (limit ${count(limit)}), ${listInWords(parts)}`
}

export const vantages = defineCheck({
  id: 'quota.vantages',
  promise: 'What each machine was admitted is reported where all of them spend one key at once.',
  clauses: ['QUOTA-8'],
  reads: [profile],
  judge(evidence) {
    const plans = plansOf(evidence)
    if (plans.length === 0) return notTested('nothing-spread', {})
    const machines = new Set(plans.flatMap(({ seen }) => seen.map(({ agent }) => agent)))
    return machines.size > 1 ? observed('seen-from-several', { plans }) : observed('seen-from-one', { plans })
  },
  sentences: {
    'seen-from-several': ({ plans }) => plans.map(inWords).join('; '),
    'seen-from-one': ({ plans }) =>
      `all was sent from one machine (${plans.map(({ plan, seen }) => `${planName(plan)}: ${count(seen[0].admitted)} of ${count(seen[0].sent)} admitted`).join('; ')}): whether other nodes or regions count alone can't be seen from there; agents in several places can (--agents)`,
    'nothing-spread': () => 'no key was put on several machines at once',
  },
})
