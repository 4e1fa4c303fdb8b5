import { type Evidence, exchangesOf } from '../../evidence/evidence.js'
import type { Exchange } from '../../evidence/exchange.js'
import { listInWords } from '../../kit/list-in-words.js'
import { witnessText } from '../../kit/witness.js'
import { type History, outcomes } from '../../limits/history.js'
import { type JudgedKey, judgedKeys, modelsExplaining } from '../../limits/judged-keys.js'
import type { Finding } from '../../verdict/verdict.js'
import { defineCheck } from '../law/check.js'
import { fail, inconclusive } from '../law/finding.js'
import { concluded, tellingCases } from '../law/needs.js'

/** Spellings that write; they are played only where the run may. */
const writing = 'a PATCH of another pet'

/** The probes that ask with other spellings on a key that is refused. */
const asking = ['burst', 'while-refused'] as const

/** The key's history with the spellings that were admitted counted like any other request. */
const withSpellings = ({ history, record }: JudgedKey, admitted: ReadonlyMap<string, string>): History => ({
  ...history,
  outcome: history.outcome.map((each, i) => (admitted.has(witnessText(record.witness(i))) ? outcomes.admitted : each)),
})

const wasAdmitted = ({ response }: Exchange): boolean => response !== null && response.status < 300

/** Refused, or not served at all: it opened no quota. A spelling that was admitted as the limiter explains tells nothing. */
const opensNone = ({ response }: Exchange): boolean =>
  response !== null && response.status >= 300 && response.status < 500

const spellingsAsked = (evidence: Evidence): Exchange[] =>
  asking.flatMap((probe) => exchangesOf(evidence, probe, 'spelling'))

const namesIn = (asked: readonly Exchange[]): string[] => [...new Set(asked.map(({ intent }) => intent.spelling))]

const needs = { cases: 'other spellings that a spent key was refused with', least: 1 }

/** The spellings of which none was refused yet, asked with again. */
const askedAgain = ({ code, facts }: Finding) => {
  if (code !== 'not-told') return undefined
  const spellings = facts.missing as readonly string[]
  return spellings.length > 0 ? { spellings, writes: spellings.includes(writing) } : {}
}

export const spellingsCheck = defineCheck({
  id: 'quota.spellings',
  promise: 'The limit follows the key: on a spent key no other spelling, operation or pet opens a fresh quota.',
  clauses: ['QUOTA-6'],
  reads: [...asking],
  needs,
  again: { probe: 'while-refused', beside: asking, settings: askedAgain, dearest: {} },
  judge(evidence) {
    const asked = spellingsAsked(evidence)
    const key = judgedKeys(evidence).find(({ name }) => name === asked[0]?.key)
    if (!key?.judgement) return concluded(evidence, needs, tellingCases())
    if (key.judgement.verdict !== 'pass') return inconclusive('plain-quota-open', { plan: key.plan })
    const answered = asked.filter(wasAdmitted)
    const admitted = new Map(answered.map((x) => [x.id, x.intent.spelling]))
    const still = modelsExplaining(key, withSpellings(key, admitted))
    if (!key.judgement.models.some((model) => still.includes(model))) {
      const facts = { spellings: namesIn(answered), admitted: admitted.size, plan: key.plan }
      return fail('spelling-opens-quota', facts, ...answered)
    }
    const telling = tellingCases()
    for (const x of asked.filter(opensNone)) telling.add(x, x.intent.spelling)
    const kinds = Object.fromEntries(namesIn(asked).map((name) => [name, []]))
    return concluded(evidence, needs, telling, { kinds })
  },
  sentences: {
    'spelling-opens-quota': (f) =>
      `once the ${f.plan} key was spent, ${f.admitted} requests in another spelling were admitted: ${listInWords(f.spellings)}`,
    'plain-quota-open': (f) =>
      `${f.plan} is not proven to keep its limit for plain requests, so nothing can be said of other spellings`,
  },
})
