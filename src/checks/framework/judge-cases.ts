import type { Evidence } from '../../evidence/evidence.js'
import { type Answered, type Exchange, headerValues, isAnswered, isGatewayAnswer } from '../../evidence/exchange.js'
import type { Witness } from '../../kit/witness.js'
import { count } from '../../kit/words.js'
import { type RateReading, rateReadings } from '../../readings/readings.js'
import type { Finding } from '../../verdict/verdict.js'
import { nameOf, unreadBecause } from './answers.js'
import { type Breach, type Broken, breach, fail, inconclusive, observed, type SentencesOf } from './finding.js'
import { type Concluded, type Kinds, nothingTold, statusKinds, type TellingCases } from './needs.js'

/**
 * What one case shows: a breach; nothing wrong (undefined); `left-out`, which is counted: it could not be read; `skip`:
 * the promise does not speak of it, or a breach would not have shown in it.
 */
type CaseVerdict = Breach | 'left-out' | 'skip' | undefined

/** The kinds of which a pass needs a case each, and the kind of a case. */
export interface Spread<Case> {
  readonly kinds?: Kinds
  readonly kindOf?: (each: Case) => string | undefined
}

interface Shown<Case> extends Spread<Case> {
  readonly witnessOf: (each: Case) => Witness
  /** How many cases that show a breach are kept. Default: all. */
  readonly mostWitnesses?: number
}

/**
 * Looks at each case. One breach is a failure: it has the facts of the first one, and all that show one as witnesses.
 * Without a breach, the telling cases have to meet the need.
 */
export const judgeCases = <Case, V extends CaseVerdict>(
  telling: TellingCases,
  cases: Iterable<Case>,
  look: (each: Case) => V,
  { kinds, kindOf, witnessOf, mostWitnesses = Number.POSITIVE_INFINITY }: Shown<Case>,
): Broken<V> | Concluded => {
  let first: Breach | undefined
  let [breaches, leftOut] = [0, 0]
  const witnesses = new Set<Witness>()
  for (const each of cases) {
    const found: CaseVerdict = look(each)
    if (found === 'skip') continue
    if (found === 'left-out') leftOut += 1
    else if (found === undefined) telling.add(witnessOf(each), kindOf?.(each))
    else {
      first ??= found
      breaches += 1
      if (witnesses.size < mostWitnesses) witnesses.add(witnessOf(each))
    }
  }
  if (first) return fail(first.code, { ...first.facts, others: breaches - 1 }, ...witnesses) as never
  return telling.conclude({ kinds, leftOut })
}

/** Looks at the limit headers of each answer, of single exchanges and of loads. */
export const judgeReadings = <V extends CaseVerdict>(
  evidence: Evidence,
  telling: TellingCases,
  look: (reading: RateReading) => V,
  spread: Spread<RateReading> = {},
) =>
  judgeCases(telling, rateReadings(evidence), look, {
    ...spread,
    witnessOf: ({ witness }) => witness,
    mostWitnesses: 20,
  })

/** Looks at the limit headers of every 429 of the run. */
export const judgeRefusals = <V extends CaseVerdict>(
  evidence: Evidence,
  telling: TellingCases,
  look: (reading: RateReading) => V,
) =>
  judgeReadings(evidence, telling, (reading) => (reading.status === 429 ? look(reading) : 'skip'), {
    kinds: statusKinds(429),
    kindOf: () => '429',
  })

const unanswered = (x: Exchange): string =>
  x.error ? `${x.error.phase}: ${x.error.message}` : `status ${x.response?.status}`

/** The finding if a request got no answer: the connection failed, or a gateway answered instead of the service. */
export const noAnswer = (name: string, detail: string, ...open: readonly Exchange[]) =>
  inconclusive('no-answer', { case: name, detail }, ...open)

/** The same if a request that no limit should have met was refused each time. */
export const refusedAgain = (name: string, ...refused: readonly Exchange[]) =>
  noAnswer(name, 'status 429 every time', ...refused)

/**
 * Looks at each answer. Without a breach, a request that stayed unanswered leaves the promise open, unless it was
 * repeated among these. Answers that can't be read are left out; the others have to meet the need.
 */
export const judgeAnswers = <V extends CaseVerdict>(
  telling: TellingCases,
  exchanges: readonly Exchange[],
  look: (x: Answered) => V,
  { kinds, kindOf }: Spread<Answered> = {},
) => {
  const answered = exchanges.filter((x): x is Answered => isAnswered(x) && !isGatewayAnswer(x))
  const found = judgeCases(telling, answered, look, { kinds, kindOf, witnessOf: (x) => x })
  if (found.verdict === 'fail' || answered.length === exchanges.length) return found
  const askedAgain = new Set(exchanges.map((x) => x.asksAgain))
  const open = exchanges.filter((x) => (!isAnswered(x) || isGatewayAnswer(x)) && !askedAgain.has(x.id))
  if (open.length === 0) return found
  return noAnswer(nameOf(open[0]), unanswered(open[0]), ...open)
}

const kindOfAnswer = ({ operation, response }: Answered): string => `${operation} ${response.status}`

/** How many answers of one kind have to break off before it is the target's fault. */
const leastBroken = 2

/** The kinds of answers that mostly break off: how many did, and of how many that the harness did not cut. */
const breakingOff = (exchanges: readonly Exchange[]): ReadonlyMap<string, { broken: number; answers: number }> => {
  const counts = new Map<string, { broken: number; answers: number }>()
  for (const x of exchanges.filter(isAnswered)) {
    const unread = unreadBecause(x)
    if (unread === 'cut-by-us') continue
    const { broken, answers } = counts.get(kindOfAnswer(x)) ?? { broken: 0, answers: 0 }
    counts.set(kindOfAnswer(x), { broken: broken + (unread === 'broken-off' ? 1 : 0), answers: answers + 1 })
  }
  return new Map([...counts].filter(([, { broken, answers }]) => broken >= leastBroken && broken * 2 > answers))
}

/** The breach of a body that nobody can read; `left-out` if it may be nobody's fault, or the harness's. */
const unreadable = (
  x: Answered,
  unread: NonNullable<ReturnType<typeof unreadBecause>>,
  breaking: ReturnType<typeof breakingOff>,
) => {
  const { status, headers } = x.response
  if (unread === 'coded') {
    const coding = headerValues(headers, 'Content-Encoding').join(', ').slice(0, 80)
    return breach('body-undecodable', { case: nameOf(x), status, coding })
  }
  const most = unread === 'broken-off' ? breaking.get(kindOfAnswer(x)) : undefined
  return most ? breach('bodies-break-off', { operation: x.operation ?? 'none', status, ...most }) : 'left-out'
}

const mostUnreadShown = 3

/** A pass never leaves this share of the bodies in question unread. */
const mostUnreadShare = 1 / 20

/**
 * Why there is no pass although no breach was seen: the harness cut off a twentieth of the bodies, or one that was too
 * long while others of its kind were not. The breach may be in what was cut. Undefined if enough was read.
 */
const tooMuchUnread = (exchanges: readonly Answered[]) => {
  const cut = exchanges.filter((x) => unreadBecause(x) === 'cut-by-us')
  const read = new Set(exchanges.filter((x) => unreadBecause(x) === undefined).map(kindOfAnswer))
  const isOdd = (x: Answered) => x.response.body.truncated && read.has(kindOfAnswer(x))
  if (cut.length === 0 || (cut.length < mostUnreadShare * exchanges.length && !cut.some(isOdd))) return undefined
  const facts = { unread: cut.length, bodies: exchanges.length, tooLong: cut.filter(isOdd).length }
  return inconclusive('bodies-unread', facts, ...cut.slice(0, mostUnreadShown))
}

/** The finding; a pass becomes inconclusive if too much of these answers was not read. */
export const unlessUnread = <Found extends Pick<Finding, 'verdict'>>(found: Found, exchanges: readonly Exchange[]) =>
  found.verdict === 'pass' ? (tooMuchUnread(exchanges.filter(isAnswered)) ?? found) : found

/**
 * Looks at each exchange whose promise speaks of the body. A body that nobody can decode is a breach; so is one that
 * breaks off, if most of its kind do. One that broke off once, or that the harness cut, is left out; too many cut ones
 * leave the promise open.
 */
export const judgeBodies = <V extends CaseVerdict>(
  telling: TellingCases,
  exchanges: readonly Exchange[],
  look: (x: Answered) => V,
  spread: Spread<Answered> = {},
) => {
  const breaking = breakingOff(exchanges)
  const lookAtBody = (x: Answered) => {
    const unread = unreadBecause(x)
    return unread === undefined ? look(x) : unreadable(x, unread, breaking)
  }
  return unlessUnread(judgeAnswers(telling, exchanges, lookAtBody, spread), exchanges)
}

export const unexpectedStatus = (x: Answered, expected: string) =>
  breach('unexpected-status', { case: nameOf(x), expected, got: x.response.status })

/** Compares the status of each answer with the only one that is allowed. */
export const expectStatus = (
  telling: TellingCases,
  exchanges: readonly Exchange[],
  status: number,
  spread: Spread<Answered> = {},
) => {
  const refused = exchanges.find((x) => x.response?.status === 429)
  if (refused) return refusedAgain(nameOf(refused), refused)
  const look = (x: Answered) => (x.response.status === status ? undefined : unexpectedStatus(x, String(status)))
  return judgeAnswers(telling, exchanges, look, spread)
}

/** The finding if the control was not accepted: it differs from the case in one thing only, so it proves nothing. */
export const controlFailed = (control: string, got: string, ...controls: readonly Exchange[]) =>
  inconclusive('control-failed', { control, got }, ...controls)

/** The same for several controls; undefined if all were accepted. */
export const failedControl = (controls: readonly Exchange[]) => {
  const failed = controls.find((x) => x.response?.status !== 200)
  if (controls.length > 0 && !failed) return undefined
  const got = failed?.response ? String(failed.response.status) : 'no answer'
  return controlFailed(failed ? nameOf(failed) : 'none was sent', got, ...controls)
}

/** Reports what each case was answered, without judging it. */
export const casesSeen = (exchanges: readonly Exchange[]) => {
  if (exchanges.length === 0) return nothingTold('such requests')
  const seen = exchanges.map((x) => `${nameOf(x)}: ${x.response?.status ?? 'no answer'}`)
  return observed('cases-seen', { seen }, ...exchanges)
}

type OfCases =
  | ReturnType<typeof noAnswer | typeof controlFailed>
  | Broken<ReturnType<typeof unreadable | typeof unexpectedStatus>>
  | NonNullable<ReturnType<typeof tooMuchUnread>>
  | Extract<ReturnType<typeof casesSeen>, { readonly code: 'cases-seen' }>

export const caseSentences = {
  'no-answer': (f) => `${f.case}: no answer that could be judged (${f.detail})`,
  'unexpected-status': (f) => `${f.case} was answered ${f.got} instead of ${f.expected}`,
  'control-failed': (f) =>
    `the control was not accepted (${f.control}: ${f.got}), so the cases beside it prove nothing`,
  'body-undecodable': (f) => `${f.case} was answered ${f.status} with a body that could not be decoded (${f.coding})`,
  'bodies-break-off': (f) =>
    `the bodies of ${f.broken} of ${f.answers} answers of ${f.operation} with status ${f.status} broke off before their end`,
  'bodies-unread': (f) =>
    `${count(f.unread)} of ${count(f.bodies)} bodies were not read to their end${f.tooLong > 0 ? `, ${count(f.tooLong)} of them too long, unlike others of their kind` : ''}: the breach may be in them`,
  'cases-seen': ({ seen }) => seen.join('; '),
} satisfies SentencesOf<OfCases>
