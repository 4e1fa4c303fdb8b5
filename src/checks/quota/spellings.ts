import { agreedBlockMs } from '../../contract/partitions.js'
import { contractOf } from '../../contract/petstore/petstore.js'
import { planName } from '../../contract/plans.js'
import {
  areAllNamed,
  openedInWords,
  type SpellingKind,
  spellingKinds,
  writingSpellings,
} from '../../contract/request-spellings.js'
import type { Evidence } from '../../evidence/evidence.js'
import type { Exchange } from '../../evidence/exchange.js'
import { type Witness, witnessText } from '../../kit/witness.js'
import { count, listInWords } from '../../kit/words.js'
import { effectiveWindowMs } from '../../oracle/diagnosis/effective-quota.js'
import { type JudgedKey, judgedKeys, modelsExplaining } from '../../oracle/judged-keys.js'
import { type History, outcomes, withOutcomes } from '../../readings/history.js'
import { viewOf } from '../../readings/quota-views.js'
import { isServed, spellingProbes, spellingsAsked } from '../../readings/spellings-asked.js'
import type { Finding } from '../../verdict/verdict.js'
import { judgedWitnesses } from '../framework/broken-limit.js'
import { defineCheck } from '../framework/check.js'
import { fail, inconclusive } from '../framework/finding.js'
import { bareSpending, dearestSpending } from '../framework/spent-again.js'

/** The key's history, in which admitted spellings count like any other request. */
const withSpellings = ({ history, record }: JudgedKey, admitted: ReadonlySet<string>): History =>
  withOutcomes(history, (each, i) => (admitted.has(witnessText(record.witness(i))) ? outcomes.admitted : each))

/** Whether it was refused or not served, and so opened no quota. An admission that the limiter explains tells nothing. */
const opensNone = ({ response }: Exchange): boolean =>
  response !== null && response.status >= 300 && response.status < 500

/** How long each refusal blocks the key at least, by its contract; 0 if the contract does not say so. */
const blockedForMs = (evidence: Evidence): number =>
  agreedBlockMs(contractOf(evidence.run)) === undefined ? 0 : viewOf(evidence).blockedAtLeastMs

/**
 * Whether a block was in force when a request was decided: the key was refused before and after it, within the length
 * of a block from the earliest moment at which it can have begun. A blocked client is blocked whatever it asks for.
 */
const wasBlocked = ({ record }: JudgedKey, { sentAt, endedAt }: Exchange, lastsMs: number): boolean => {
  let [admitted, isBefore] = [-1, false]
  for (let i = 0; i < record.size; i += 1) {
    if (record.ordinary[i] === 0 || record.excused[i] === 1) continue
    const [status, isAfter] = [record.status[i], record.sentMs[i] >= endedAt]
    if (status === 200 && isAfter) return false
    if (status === 200) [admitted, isBefore] = [i, false]
    if (status !== 429 || admitted < 0 || record.sentMs[i] < record.receivedMs[admitted]) continue
    if (isAfter) return isBefore && record.receivedMs[i] < record.sentMs[admitted] + lastsMs
    isBefore ||= record.receivedMs[i] <= sentAt
  }
  return false
}

const namesIn = (asked: readonly Exchange[]): string[] => [...new Set(asked.map(({ intent }) => intent.spelling))]

/** The last refusal of a plain request before this one, which shows that the key was spent. */
const refusalBefore = ({ record }: JudgedKey, { sentAt }: Exchange): Witness[] => {
  let last = -1
  for (let i = 0; i < record.size; i += 1)
    if (record.status[i] === 429 && record.ordinary[i] === 1 && record.receivedMs[i] <= sentAt) last = i
  return last < 0 ? [] : [record.witness(last)]
}

/**
 * Tells spellings with a quota of their own from those that the limiter refused. One that was refused, though it was
 * sent no more often than its own quota would hold, has none: a refill admits one or two of those sent at once.
 */
const openedAmong = (asked: readonly Exchange[], opening: readonly Exchange[], { window: { limit } }: JudgedKey) => {
  const refused = new Set(namesIn(asked.filter(({ response }) => response?.status === 429)))
  const times = (name: string) => asked.filter(({ intent }) => intent.spelling === name).length
  const shares = new Set([...refused].filter((name) => times(name) <= limit))
  const clear = opening.filter(({ intent }) => !refused.has(intent.spelling))
  const opened = clear.length > 0 ? clear : opening.filter(({ intent }) => !shares.has(intent.spelling))
  const names = namesIn(opened).sort()
  return { opened, names, refused: [...refused].filter((name) => !names.includes(name)).sort() }
}

/** The key whose routes count alone, says the oracle: loads of several routes show what no single refusal does. */
const countedByRoute = (evidence: Evidence): JudgedKey | undefined =>
  judgedKeys(evidence).find(({ diagnosis }) => diagnosis?.id === 'routes-count-alone')

/** The finding if a key's limit is not proven for plain requests; `doubt` says why, null if the key breaks it. */
const plainQuotaOpen = ({ plan, judgement }: JudgedKey) => {
  const doubt = judgement?.verdict === 'inconclusive' ? judgement.reason : null
  return inconclusive('plain-quota-open', { plan, doubt })
}

/** What to check in the limiter's key, by what the spellings that opened a quota have in common. */
const lookAt: Readonly<Record<SpellingKind, string>> = {
  scheme: "Check what the limiter's key is made of: the API key alone, not the whole Authorization header.",
  key: "Check what the limiter's key is made of: the owner of the API key, not how the key is written.",
  address:
    "Check what the limiter's key is made of: the API key or the connection's own address, not one that a header claims.",
  header: "Check what the limiter's key is made of: the API key alone, without any other header.",
  query: "Check what the limiter's key is made of: the API key alone, not the URL with its query.",
  path: "Check what the limiter's key is made of: the API key alone, not the path as it is spelt.",
  operation: "Check what the limiter's key is made of: the API key alone, without method, route or path.",
  body: 'Check whether requests with a long body take a path of their own, past the limiter.',
  credential: "Check what the limiter's key is made of: all credentials that share the quota need one count.",
  other: "Check what the limiter's key is made of: it must be the API key alone.",
}

const oneKind = (spellings: readonly string[]): SpellingKind => {
  const [first = 'other', ...others] = spellingKinds(spellings)
  return others.length > 0 ? 'other' : first
}

/** Lists the spellings one by one, unless what they have in common already names them. */
const namedApart = (spellings: readonly string[]): string =>
  areAllNamed(spellings) ? '' : ` (${listInWords(spellings)})`

/** Sends the spellings again of which none was refused yet. */
const askedAgain = ({ code, facts }: Finding) => {
  if (code !== 'not-told') return undefined
  const spellings = facts.missing as readonly string[]
  return spellings.length > 0
    ? { ...bareSpending, spellings, writes: writingSpellings.some((each) => spellings.includes(each)) }
    : { moments: bareSpending.moments }
}

export const spellingsCheck = defineCheck({
  id: 'quota.spellings',
  promise: 'The limit follows the key: on a spent key, no other spelling, operation or pet gets a fresh quota.',
  clauses: ['QUOTA-6'],
  advice: ({ facts: { spellings } }) => lookAt[Array.isArray(spellings) ? oneKind(spellings.map(String)) : 'operation'],
  reads: [...spellingProbes],
  needs: { cases: 'other spellings of a request that a spent key was refused with' },
  again: { probe: 'while-refused', beside: spellingProbes, settings: askedAgain, dearest: dearestSpending },
  lacks: ({ code, facts }) => (code === 'not-told' && facts.told === 0 ? { what: 'refusals', of: [] } : undefined),
  judge(evidence, telling) {
    const asked = spellingsAsked(evidence)
    const key = judgedKeys(evidence).find(({ name }) => name === asked[0]?.key)
    const apart = countedByRoute(evidence)
    if (apart) return fail('routes-count-alone', { plan: apart.plan }, ...judgedWitnesses(apart))
    if (!key?.judgement) return telling.conclude()
    if (key.judgement.verdict !== 'pass') return plainQuotaOpen(key)
    const answered = asked.filter(isServed)
    const admitted = new Set(answered.map(({ id }) => id))
    const still = modelsExplaining(key, withSpellings(key, admitted))
    const opening = key.judgement.models.some((model) => still.includes(model))
      ? answered.filter((x) => wasBlocked(key, x, blockedForMs(evidence)))
      : answered
    if (opening.length > 0) {
      // One limiter serves all keys: if it is broken on another key, that may explain the admissions here.
      const broken = judgedKeys(evidence).find(({ judgement }) => judgement?.verdict === 'fail')
      if (broken) return plainQuotaOpen(broken)
      const { opened, names, refused } = openedAmong(asked, opening, key)
      if (opened.length === 0) return inconclusive('spellings-share-more', { plan: key.plan, spellings: refused })
      // If none was refused, they may also be counted with the others, in a window that is too short.
      const mayBeShort = refused.length === 0 && effectiveWindowMs(withSpellings(key, admitted), key.agreed) !== null
      const facts = {
        spellings: names,
        refused,
        admitted: opened.length,
        plan: key.plan,
        ...(mayBeShort && { mayBeShort }),
      }
      return fail('spelling-opens-quota', facts, ...opened.slice(0, 1).flatMap((x) => refusalBefore(key, x)), ...opened)
    }
    for (const x of asked.filter(opensNone)) telling.add(x, x.intent.spelling)
    const kinds = Object.fromEntries(namesIn(asked).map((name) => [name, []]))
    return telling.conclude({ kinds })
  },
  sentences: {
    'routes-count-alone': (f) =>
      `the ${planName(f.plan)} key was admitted more than one quota allows; this fits a separate count for each route`,
    'spelling-opens-quota': (f) =>
      `${openedInWords(f.spellings)}: once the ${planName(f.plan)} key was spent, ${count(f.admitted)} requests were still admitted${namedApart(f.spellings)}. ${f.refused.length > 0 ? `Correctly refused: ${listInWords(f.refused)}` : 'No other spelling that was tried was refused'}${f.mayBeShort ? '. One count of all would explain this too, in a window that is too short' : ''}`,
    'spellings-share-more': (f) =>
      `more requests in other spellings were admitted than one quota of ${planName(f.plan)} explains, but each spelling was refused too, so none has its own quota (${listInWords(f.spellings)}): tokens that come back early look like this`,
    'plain-quota-open': (f) =>
      `${planName(f.plan)} is not proven to keep its limit for plain requests, so other spellings cannot be judged`,
  },
})
