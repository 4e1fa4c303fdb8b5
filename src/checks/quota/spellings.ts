import { exchangesOf } from '../../evidence/evidence.js'
import { type History, outcomes } from '../../limits/history.js'
import { type JudgedKey, judgedKeys } from '../../limits/judged-keys.js'
import { explainAll, explainingModels } from '../../limits/models.js'
import { defineCheck } from '../check.js'
import { fail, inconclusive, notTested, pass } from '../finding.js'

declare module '../../verdict/verdict.js' {
  interface FindingFacts {
    'spelling-opens-quota': { spellings: readonly string[]; admitted: number; plan: string }
    'plain-quota-open': { plan: string }
    'spellings-explained': { asked: number; admitted: number }
  }
}

/** The key's history with the spellings that were admitted counted like any other request. */
const withSpellings = ({ history, record }: JudgedKey, admitted: ReadonlyMap<string, string>): History => ({
  ...history,
  outcome: history.outcome.map((each, i) => (admitted.has(record.witness(i)) ? outcomes.admitted : each)),
})

export const spellingsCheck = defineCheck({
  id: 'quota.spellings',
  promise: 'The limit follows the key: on a spent key no other spelling, operation or pet opens a fresh quota.',
  clauses: ['QUOTA-6'],
  reads: ['burst'],
  judge(evidence) {
    const asked = exchangesOf(evidence, 'burst', 'spelling')
    const key = judgedKeys(evidence).find(({ name }) => name === asked[0]?.key)
    if (!key?.judgement) return notTested('never-refused', { sent: asked.length })
    const answered = asked.filter((x) => x.response !== null && x.response.status < 300)
    const admitted = new Map(answered.map((x) => [x.id, x.intent.spelling]))
    if (key.judgement.verdict !== 'pass') return inconclusive('plain-quota-open', { plan: key.plan })
    if (admitted.size === 0)
      return pass('spellings-explained', { asked: asked.length, admitted: 0 }, ...asked.slice(0, 3))
    const minute = { limit: key.window.quota.minute, windowMs: key.window.minuteMs }
    const still = explainingModels(explainAll(withSpellings(key, admitted), minute))
    const explained = key.judgement.models.filter((model) => still.includes(model))
    if (explained.length > 0) {
      return pass('spellings-explained', { asked: asked.length, admitted: admitted.size }, ...answered.slice(0, 3))
    }
    const spellings = [...new Set(admitted.values())]
    return fail('spelling-opens-quota', { spellings, admitted: admitted.size, plan: key.plan }, ...answered)
  },
})
