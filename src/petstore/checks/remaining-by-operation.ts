import { defineCheck } from '../../checks/framework/check.js'
import { breach, broken, fail, inconclusive } from '../../checks/framework/finding.js'
import { spendingProbes } from '../../checks/framework/needs.js'
import { planName } from '../../contract/plans.js'
import { type Evidence, exchangesOf } from '../../evidence/evidence.js'
import { type Answered, type Exchange, isAnswered } from '../../evidence/exchange.js'
import { listInWords } from '../../kit/words.js'
import { chanceOfComingBack } from '../../oracle/gives-back-at-once.js'
import { judgedKeys } from '../../oracle/judged-keys.js'
import { viewOf } from '../../readings/quota-views.js'
import { statusOfExchange } from '../../readings/refusals.js'
import type { Finding } from '../../verdict/verdict.js'
import { fewerAtOnce, givenBackTwice, least, leavingAll, readingOf, rejections, unmoved } from '../shown-left.js'

/** What one request took off `Remaining`, seen from the answer before it on the same key. */
interface Fall {
  readonly x: Answered
  readonly by: number
  /** The status of its answer, and of the one before it. */
  readonly statuses: readonly [to: number, behind: number]
  /** Whether the answer before it showed one too many, if this falls by two. */
  readonly isOwed: boolean
  /** The operation of the answer before it. */
  readonly after: string | null
  readonly sentMs: number
  readonly receivedMs: number
}

/** What an accepted request took off, behind another accepted one. */
interface OperationFall extends Fall {
  readonly operation: string
}

/** Between two answers of such a probe there may be loads, which no exchange shows. */
const spends = (probe: string): boolean => spendingProbes.some((each) => each === probe)

/** The status of an answer; 200 for any that serves an operation whose answers the interface does not show. */
const statusOf = (evidence: Evidence, x: Exchange): number => statusOfExchange(x, viewOf(evidence).contract)

/** Falls from one answer to the next of the same probe; a rise is a window that ended. */
const fallsOf = (evidence: Evidence, key: string): readonly Fall[] => {
  const own = evidence.exchanges.filter((x) => x.key === key).toSorted((a, b) => a.sentAt - b.sentAt)
  let endedAt = Number.NEGATIVE_INFINITY
  /** Rejections that took nothing, and those behind them that took one: if these show one too many, the next shows two less. */
  const owing = new Set<Exchange>()
  return own.slice(1).flatMap((x, i) => {
    const before = own[i]
    // Of several at once, nobody knows which was counted last.
    const isOneOfSeveral = before.sentAt < endedAt || own[i + 2]?.sentAt < x.endedAt
    endedAt = Math.max(endedAt, before.endedAt)
    if (isOneOfSeveral || !isAnswered(x) || !isAnswered(before)) return []
    if (x.probe !== before.probe || spends(x.probe) || x.sentAt < before.endedAt) return []
    const [was, is] = [readingOf(evidence, before), readingOf(evidence, x)]
    if (was.limit !== is.limit || was.remaining === undefined || is.remaining === undefined) return []
    const by = was.remaining - is.remaining
    const statuses = [statusOf(evidence, x), statusOf(evidence, before)] as const
    const isOwed = owing.has(before)
    if (rejections.includes(statuses[0]) && (by === 0 || (by === 1 && isOwed))) owing.add(x)
    return [{ x, by, statuses, isOwed, after: before.operation, sentMs: before.sentAt, receivedMs: x.receivedAt }]
  })
}

const fallsOfServed = (falls: readonly Fall[]): readonly OperationFall[] =>
  falls.flatMap((fall) => {
    const { operation } = fall.x
    return operation !== null && fall.by >= 0 && fall.statuses.every((status) => status === 200)
      ? [{ ...fall, operation }]
      : []
  })

const isSteady = (falls: readonly Fall[], by: number): boolean =>
  falls.length >= least && falls.every((fall) => fall.by === by)

/** How likely it is, for falls of 0, that what the requests took came back each time; NaN if nobody can tell. */
type ComingBack = (falls: readonly Fall[]) => number

/** What is less likely than the first did not happen; what is likelier than the second is no surprise. */
const [unlikely, likely] = [1e-6, 0.05]

const takeOne = (falls: readonly Fall[]): boolean =>
  falls.length >= least && falls.every(({ by }) => by <= 1) && falls.some(({ by }) => by === 1)

/**
 * The falls behind answers of such a status that showed too much: each accepted request behind them took more than one, or
 * some of them took nothing and what came behind those two. If 41, 41 and 39 are left, the one in the middle showed one too many.
 */
const behindTooMuch = (all: readonly Fall[], status: number): readonly Fall[] => {
  const behind = all.filter(({ by, statuses }) => statuses[1] === status && by >= 0)
  const toServed = behind.filter(({ statuses }) => statuses[0] === 200)
  const shown = toServed.every(({ by }) => by > 1) ? toServed : behind.filter(({ by, isOwed }) => by === 2 && isOwed)
  return takeOne(fallsOfServed(all)) && shown.length >= least ? shown : []
}

/** A rise by more is a new window. */
const isNewWindow = ({ by }: Fall): boolean => by < -1

/**
 * Accepted requests that each show one more left than the answer of such a status before them: what was rejected gives back more
 * than it took. Nothing else gives back so regularly, if those behind accepted ones all take one.
 */
const behindTooLittle = (all: readonly Fall[], status: number): readonly Fall[] => {
  const served = all.filter((fall) => fall.statuses[0] === 200 && !isNewWindow(fall))
  const [behind, others] = [status, 200].map((each) => served.filter(({ statuses }) => statuses[1] === each))
  const isTold = others.length >= 2 * least && others.every(({ by }) => by === 1)
  return isTold && behind.length >= least && behind.every(({ by }) => by === -1) ? behind : []
}

/** So many requests that took nothing show that it was no chance. */
const leastUnmoved = 2

/** Compares one operation's falls with those of all others. */
const breachOf = (falls: readonly OperationFall[], plan: string, operation: string, comingBack: ComingBack) => {
  const own = falls.filter((fall) => fall.operation === operation)
  const rest = falls.filter((fall) => fall.operation !== operation)
  const [{ by }] = own
  const of = ({ length: times }: readonly OperationFall[]) => ({ plan, operation, times })
  const restTakesOne = takeOne(rest)
  const behindOthers = own.filter(({ after }) => after !== operation)
  const next = rest.filter(({ after }) => after === operation)
  // With a single other operation, the list shows too much if that shows too little: then the other one is named.
  const isTold = operation !== 'listInventory' || new Set(rest.map((fall) => fall.operation)).size > 1
  const isTooLow = own.every((fall) => fall.by === (fall.after === operation ? 1 : 2))
  if (isTold && isTooLow && isSteady(behindOthers, 2) && isSteady(next, 0))
    return { found: breach('operation-shown-too-low', of(behindOthers)), shownBy: [behindOthers[0], next[0]] }
  if (by > 1 && isSteady(own, by) && restTakesOne) {
    const facts = { ...of(own), fall: by, otherwise: 1 }
    return { found: breach('operation-counts-otherwise', facts), shownBy: own.slice(0, least) }
  }
  const apart = rest.filter(({ after }) => after !== operation)
  if (isTold && isSteady(behindOthers, 0) && isSteady(next, 2) && apart.every((fall) => fall.by <= 1))
    return { found: breach('operation-shown-late', of(behindOthers)), shownBy: [behindOthers[0], next[0]] }
  if (isSteady(behindOthers, 1) && isSteady(next, 0) && isSteady(apart, 1))
    return { found: breach('operation-counted-back', of(next)), shownBy: [behindOthers[0], next[0]] }
  if (isSteady(own, 0) && restTakesOne && comingBack(own) < unlikely)
    return { found: breach('operation-not-counted', of(own)), shownBy: [own[0]] }
  return undefined
}

/** The probes that send each operation often enough. */
const asking = ['model-walk', 'other-operations'] as const

/** The operations that these probes sent on the key, and that were served. */
const servedOn = (evidence: Evidence, key: string): string[] => {
  const served = asking
    .flatMap((probe) => exchangesOf(evidence, probe))
    .filter((x) => x.key === key && statusOf(evidence, x) === 200)
  return [...new Set(served.flatMap(({ operation }) => operation ?? []))]
}

/** Whether no answer shows that it takes anything, though others do, and that would hardly have come back each time. */
const isUnshown = (own: readonly OperationFall[], falls: readonly OperationFall[], comingBack: ComingBack): boolean =>
  own.length > 0 &&
  own.every(({ by }) => by === 0) &&
  falls.some(({ operation, by }) => operation !== own[0].operation && by === 1) &&
  !(comingBack(own) >= likely)

/**
 * An operation of which too few answers show what a request takes, or one shows more than one, or none shows anything
 * while those of others do: no breach, and no proof.
 */
const untoldOf = (falls: readonly OperationFall[], served: readonly string[], comingBack: ComingBack) => {
  for (const operation of served) {
    const own = falls.filter((fall) => fall.operation === operation)
    const told = isUnshown(own, falls, comingBack) ? 0 : own.filter(({ by }) => by <= 1).length
    const odd = own.filter(({ by }) => by > 1)
    const otherFalls = [...new Set(odd.map(({ by }) => by))].sort((a, b) => a - b)
    const behind = [...new Set(odd.map(({ after }) => after ?? 'another request'))].sort()
    if (told < least || told < own.length) return { operation, told, seen: own.length, otherFalls, behind }
  }
  return undefined
}

type Untold = NonNullable<ReturnType<typeof untoldOf>> & { readonly needed: number }

/** What the other answers showed: `the other 7 show it fall by 2 to 55, each right after updateInventory`. */
const otherwiseInWords = ({ told, seen, otherFalls, behind }: Untold): string => {
  const [first, last] = [otherFalls[0], otherFalls.at(-1)]
  if (first === undefined || last === undefined) return ''
  const by = first === last ? `${first}` : `${first} to ${last}`
  return seen - told === 1
    ? `; the other one shows it fall by ${by}, right after ${behind.join()}`
    : `; the other ${seen - told} show it fall by ${by}, each right after ${listInWords(behind, 'or')}`
}

const lackInWords = ({ told, needed }: Untold): string =>
  told < needed ? `${needed} are needed, and no answer may show more` : 'no answer may show more'

const playedAgain = (probe: (typeof asking)[number], isAskedBy: (operation: unknown) => boolean) => ({
  probe,
  beside: asking,
  settings: ({ code, facts }: Finding) => (code === 'operation-untold' && isAskedBy(facts.operation) ? {} : undefined),
  dearest: {},
})

export const remainingByOperation = defineCheck({
  id: 'rate.remaining-by-operation',
  promise: 'Every operation takes the same off Remaining, and each answer shows its own request.',
  clauses: ['RATE-4'],
  of: 'petstore',
  advice: 'Check that every operation counts one, before its own headers are written.',
  reads: [...asking],
  needs: { cases: 'pairs of answers by two operations in a row', least },
  yields: true,
  again: [
    playedAgain('other-operations', (operation) => operation !== 'updateInventory'),
    playedAgain('model-walk', (operation) => operation === 'updateInventory'),
  ],
  lacks: ({ code, facts: { behind } }) =>
    code === 'operation-untold' && Array.isArray(behind) ? { what: 'counts', of: behind.map(String) } : undefined,
  judge(evidence, telling) {
    const judged = judgedKeys(evidence)
    let untold: (ReturnType<typeof untoldOf> & { readonly plan: string }) | undefined
    for (const { name, plan } of evidence.run.keys) {
      const all = fallsOf(evidence, name)
      const falls = fallsOfServed(all)
      const key = judged.find((each) => each.name === name)
      const givenBack = key ? givenBackTwice(evidence, key) : []
      if (givenBack.length > 0)
        return fail('refused-gives-back', { plan, times: givenBack.length }, ...givenBack.slice(0, least))
      const leaving = key ? leavingAll(evidence, key) : []
      if (key && leaving.length > 0) {
        const facts = { plan, operation: leaving[0].operation ?? '', times: leaving.length, limit: key.window.limit }
        return fail('operation-leaves-all', facts, ...leaving.slice(0, least))
      }
      const fewer = key ? fewerAtOnce(evidence, key) : []
      if (fewer.length > 1) {
        const [{ before, patches, after }] = fewer
        const [was, is] = [before, after].map((x) => readingOf(evidence, x).remaining ?? 0)
        const facts = { plan, sent: patches.length + 1, from: was, to: is, times: fewer.length }
        return fail('at-once-counted-fewer', facts, before, ...patches, after)
      }
      for (const status of rejections) {
        const told = (behind: readonly Fall[]) =>
          [{ plan, times: behind.length, status }, ...behind.slice(0, least).map(({ x }) => x)] as const
        const tooMuch = behindTooMuch(all, status)
        if (tooMuch.length > 0) return fail('refused-shown-otherwise', ...told(tooMuch))
        const tooLittle = behindTooLittle(all, status)
        if (tooLittle.length > 0) return fail('refused-gives-back-later', ...told(tooLittle))
      }
      const often = [...new Set(falls.map(({ operation }) => operation))].filter(
        (operation) => falls.filter((fall) => fall.operation === operation).length >= least,
      )
      const comingBack = key ? chanceOfComingBack(key) : () => Number.NaN
      const open = untoldOf(falls, servedOn(evidence, name), comingBack)
      if (open) untold = { ...open, plan }
      if (often.length < 2) continue
      for (const operation of often) {
        const { found, shownBy } = breachOf(falls, plan, operation, comingBack) ?? {}
        if (found && shownBy) return broken(found, ...shownBy.map(({ x }) => x))
      }
      for (const { x } of falls) telling.add(x)
    }
    const unmovedBy = judged.flatMap((key) => unmoved(evidence, key).map((each) => ({ ...each, plan: key.plan })))
    for (const { operation, plan, witnesses } of unmovedBy) {
      const times = unmovedBy.filter((each) => each.operation === operation).length
      if (times >= leastUnmoved) return fail('operation-not-always-counted', { plan, operation, times }, ...witnesses)
    }
    if (untold) return inconclusive('operation-untold', { ...untold, needed: least })
    return telling.conclude()
  },
  sentences: {
    'operation-untold': (f) =>
      `on the ${planName(f.plan)} key ${f.told} of ${f.seen} answers of ${f.operation} show that a request lowers Remaining by one${otherwiseInWords(f)}; ${lackInWords(f)}`,
    'operation-leaves-all': (f) =>
      `on the ${planName(f.plan)} key ${f.times} answers of ${f.operation} show all ${f.limit} requests left, as if each had not been counted itself; no answer of another operation does`,
    'operation-counts-otherwise': (f) =>
      `on the ${planName(f.plan)} key each of ${f.times} requests of ${f.operation} lowered Remaining by ${f.fall}, and those of other operations by ${f.otherwise}`,
    'refused-shown-otherwise': (f) =>
      `on the ${planName(f.plan)} key ${f.times} answers right after a ${f.status} show at least two less than that answer did`,
    'refused-gives-back-later': (f) =>
      `on the ${planName(f.plan)} key each of ${f.times} answers right after a ${f.status} shows one more left than that answer did: the rejected request gives back more than it took`,
    'at-once-counted-fewer': (f) =>
      `on the ${planName(f.plan)} key Remaining fell from ${f.from} to ${f.to} over ${f.sent} requests, all but one of them PATCHes sent at the same moment; it fell by too little ${f.times} times`,
    'refused-gives-back': (f) =>
      `on the ${planName(f.plan)} key ${f.times} answers of 400 or 404 in a row each show one more than the one before: a rejected request gives back more than it takes`,
    'operation-counted-back': (f) =>
      `on the ${planName(f.plan)} key each of ${f.times} answers right after one of ${f.operation} shows the same Remaining as that answer did: the request is counted, and then given back`,
    'operation-not-counted': (f) =>
      `on the ${planName(f.plan)} key none of ${f.times} requests of ${f.operation} lowered Remaining, while those of other operations lowered it by 1`,
    'operation-not-always-counted': (f) =>
      `${f.times} requests of ${f.operation} did not lower Remaining, though nothing came back in between: the first on the ${planName(f.plan)} key`,
    'operation-shown-too-low': (f) =>
      `on the ${planName(f.plan)} key each of ${f.times} answers of ${f.operation} right after another operation shows two less than the answer before, and the next answer shows the same: one more is left than it says`,
    'operation-shown-late': (f) =>
      `on the ${planName(f.plan)} key none of ${f.times} answers of ${f.operation} shows its own request in Remaining: the next answer shows both`,
  },
})
