import { byDiagnosis, defineCheck, type PlayAgain } from '../../checks/framework/check.js'
import { fail, inconclusive, notTested, observed, pass, type SentencesOf } from '../../checks/framework/finding.js'
import { diagnosisFacts, diagnosisInWords, doubtInWords } from '../../checks/framework/in-words.js'
import { loadedAgain, mayHide, mayHideSentence, withoutRoom } from '../../checks/framework/judged-clause.js'
import { loadProfiles } from '../../checks/framework/loads.js'
import { bringing } from '../../checks/framework/needs.js'
import { quotaNotJudged } from '../../checks/framework/unplayed.js'
import { limiterName, limiterNames, type ModelName } from '../../contract/limiter-models.js'
import { planName } from '../../contract/plans.js'
import { type Evidence, exchangesOf } from '../../evidence/evidence.js'
import { type Answered, isAnswered } from '../../evidence/exchange.js'
import { onceFor } from '../../kit/once-for.js'
import { count, listInWords } from '../../kit/words.js'
import { type JudgedDay, judgeDay } from '../../oracle/judged-days.js'
import { type JudgedKey, judgedKeys } from '../../oracle/judged-keys.js'
import { explainingModels } from '../../oracle/models/explain.js'
import type { Refutation } from '../../oracle/models/explanation.js'
import { type History, outcomes } from '../../readings/history.js'
import { keyHistory, longerThan } from '../../readings/key-history.js'
import { readingOf } from '../shown-left.js'

/** Whether the scenario says that the keys had not been used in the day before the run. */
const wasUnused = ({ run }: Evidence): boolean =>
  run.probes.some(({ probe, settings }) => probe === 'daily' && settings.unused === true)

/** The day of every key whose day the run set out to spend. Computed once a run. */
export const judgedDays = onceFor((evidence: Evidence): readonly JudgedDay[] => {
  const spent = new Set(evidence.ledgers.flatMap(({ head }) => (head.probe === 'daily' ? [head.key] : [])))
  return judgedKeys(evidence)
    .filter(({ name }) => spent.has(name))
    .map((key) => judgeDay(evidence, key, wasUnused(evidence)))
})

type UntestedDay = { readonly plan: string; readonly requests: number; readonly hours: number }

/** The plans whose day was not spent, with the requests and the hours that this would take. */
const untestedDays = ({ run }: Evidence, tested: readonly string[]): UntestedDay[] =>
  run.keys
    .filter(({ name, plan }) => name === plan && !tested.includes(plan))
    .map(({ plan, quota }) => ({
      plan,
      requests: quota.longer,
      hours: Number((quota.longer / quota.limit / 60 / run.timeScale).toPrecision(2)),
    }))

/** The operation that was served exactly as often as the day admitted too many: the day seems not to count it. */
const operationLeftOut = ({ record }: JudgedKey, extra: number): string | null => {
  const served = new Map<string | null, number>()
  for (let i = 0; i < record.size; i += 1)
    if (record.status[i] === 200 && record.ordinary[i] === 0)
      served.set(record.operation(i), (served.get(record.operation(i)) ?? 0) + 1)
  return [...served].find(([, times]) => times > 1 && times === extra)?.[0] ?? null
}

const admittedIn = ({ outcome }: History): number =>
  outcome.reduce((sum, each) => sum + Number(each === outcomes.admitted), 0)

const failureOf = ({ plan, key, judgement, history, diagnosis }: JudgedDay) => {
  if (judgement.verdict !== 'fail') throw new Error(`the day of the ${plan} plan has not failed`)
  const { reason, witnesses } = judgement.refutation
  const { limit } = longerThan(key.window)
  const admitted = admittedIn(history)
  const facts = { plan, limit, admitted, reason, leftOut: operationLeftOut(key, admitted - limit) }
  return fail(
    'day-not-explained',
    { ...facts, ...diagnosisFacts(diagnosis) },
    ...witnesses.map((i) => key.record.witness(i)),
  )
}

const hoursInWords = (hours: number) => (hours < 1 ? `${Math.ceil(hours * 60)} minutes` : `${hours} hours`)

const daysInWords = (days: readonly UntestedDay[]) =>
  listInWords(
    days.map(
      ({ plan, requests, hours }) =>
        `${planName(plan)}, which takes ${count(requests)} requests and ${hoursInWords(hours)}`,
    ),
  )

const dayNotJudged = ({ plan, judgement }: JudgedDay) =>
  judgement.verdict === 'inconclusive' ? inconclusive('day-not-judged', { plan, reason: judgement.reason }) : undefined

/** The same as a closing sentence; empty if no known diagnosis fits. */
const looksLikeInWords = ({ looksLike: id, looksLikeFacts }: ReturnType<typeof diagnosisFacts>): string =>
  id === null ? '' : ` This looks like ${diagnosisInWords(id, looksLikeFacts)}.`

/** What a target did that the limiter model would not. */
const refutationInWords: Readonly<Record<Refutation['reason'], string>> = {
  'over-admission': 'it admitted more than any such limiter would',
  'early-refusal': 'it refused a request although quota was certainly left',
  both: 'some of its admissions and some of its refusals fit no such limiter',
}

const brokenDaySentences = {
  'day-not-explained': (f) =>
    `on ${planName(f.plan)} (${count(f.limit)} a day) ${count(f.admitted)} were admitted, and no permitted way of counting a day fits: ${refutationInWords[f.reason]}.${f.leftOut === null ? looksLikeInWords(f) : ` The excess equals the number of ${f.leftOut} requests: the day does not seem to count those`}`,
  'day-not-judged': (f) => `the daily limit of the ${planName(f.plan)} plan: ${doubtInWords[f.reason]}`,
} satisfies SentencesOf<ReturnType<typeof failureOf> | NonNullable<ReturnType<typeof dayNotJudged>>>

export const dayLimit = defineCheck({
  id: 'quota.day-limit',
  promise: 'On every plan a permitted way of counting a day explains every admitted and every refused request.',
  clauses: ['QUOTA-3'],
  advice: byDiagnosis('Check how the day is counted: beside the minute, for each key, and until the day ends.'),
  reads: ['daily'],
  judge(evidence) {
    const days = judgedDays(evidence)
    const tested: readonly string[] = days.map(({ plan }) => plan)
    const untested = untestedDays(evidence, tested)
    const broken = days.find(({ judgement }) => judgement.verdict === 'fail')
    if (broken) return failureOf(broken)
    const [open] = days.flatMap((day) => dayNotJudged(day) ?? [])
    if (open) return open
    if (days.length === 0) return notTested('days-too-long', { untested })
    const plans = days.map(({ plan, judgement }) => ({ plan, models: explainingModels(judgement.explanations) }))
    return pass('days-explained', { plans, untested })
  },
  sentences: {
    ...brokenDaySentences,
    'days-explained': (f) =>
      `the daily limit is kept on ${listInWords(f.plans.map(({ plan, models }) => `${planName(plan)} (like ${listInWords(models.map((id) => limiterNames[id]))})`))}${f.untested.length > 0 ? `; not tested: ${daysInWords(f.untested)}` : ''}`,
    'days-too-long': (f) => `no plan's day is small enough for this scenario: ${daysInWords(f.untested)}`,
  },
})

const kindOf = (x: Answered): string =>
  x.operation === null && ['HEAD', 'OPTIONS'].includes(x.request.method) ? x.request.method : String(x.response.status)

/** By how much Remaining fell from one answer on a key to the next, by the kind of the later one. */
const fallsByKind = (evidence: Evidence): ReadonlyMap<string, number[]> => {
  const falls = new Map<string, number[]>()
  const last = new Map<string, Answered>()
  for (const x of evidence.exchanges) {
    if (x.key === null || x.credential !== 'bearer' || !isAnswered(x)) continue
    const before = last.get(x.key)
    last.set(x.key, x)
    if (!before || before.receivedAt > x.sentAt) continue
    const [was, is] = [readingOf(evidence, before), readingOf(evidence, x)]
    if (was.limit === undefined || was.limit !== is.limit || was.remaining === undefined || is.remaining === undefined)
      continue
    const fall = was.remaining - is.remaining
    // A rise is a reset or a refill, and a long fall is somebody else's: neither tells what this answer cost.
    if (fall === 0 || fall === 1) falls.set(kindOf(x), [...(falls.get(kindOf(x)) ?? []), fall])
  }
  return falls
}

const mostly = 0.8

export const accountingCheck = defineCheck({
  id: 'quota.accounting',
  promise: 'The report says which answers count against the quota.',
  clauses: ['QUOTA-7'],
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

/** A day is spent to its end if no more than this is left of it after the loads, in limits of the minute. */
const mostMinutesLeft = 2

/** How much of a key's day the run has certainly spent. */
const spentOfDay = ({ record, window, clock }: JudgedKey): number =>
  admittedIn(keyHistory(record, window, clock, 'longer'))

/** The rest of an agreed day that is nearly spent, up to the request that it refuses. */
const restOfDay: PlayAgain = {
  probe: 'daily',
  beside: loadProfiles,
  settings: ({ code, facts }) => (code === 'day-not-ended' ? { plans: [facts.plan], spent: facts.spent } : undefined),
  dearest: { plans: ['enterprise'], spent: 1 },
}

/** What leaves the agreed day open; undefined if nothing does, or if more is left than a run spends unasked. */
const openDay = (enterprise: JudgedKey, day: JudgedDay | undefined) => {
  const {
    plan,
    window: { limit, longer },
  } = enterprise
  if (day) return dayNotJudged(day)
  if (!longer) return undefined
  const spent = spentOfDay(enterprise)
  return longer.limit - spent <= mostMinutesLeft * limit
    ? inconclusive('day-not-ended', { plan, longer: longer.limit, spent })
    : undefined
}

const minuteInWords = (f: { readonly limit: number; readonly models: readonly ModelName[] }): string =>
  `a permitted limiter of ${count(f.limit)} a minute accounts for every answer on Enterprise: ${listInWords(f.models.map(limiterName), 'or')}`

export const enterpriseAsAgreed = defineCheck({
  id: 'quota.enterprise-as-agreed',
  promise:
    'The target holds the Enterprise key to exactly the agreed numbers: each minute, and each day that a run spends to its end.',
  clauses: ['QUOTA-5'],
  advice: byDiagnosis('Check the limits of the Enterprise key: they are not the agreed ones.'),
  reads: loadProfiles,
  again: [...loadedAgain, restOfDay],
  judge(evidence) {
    const judged = judgedKeys(evidence).filter(({ judgement }) => judgement !== null)
    const enterprise = judged.find(({ plan }) => plan === 'enterprise')
    const lacking = withoutRoom(evidence, ({ plan }) => plan === 'enterprise')
    if (lacking) return inconclusive('no-room-in-day', lacking)
    if (!enterprise?.judgement) return notTested('no-enterprise-key', {})
    const { judgement, window, diagnosis } = enterprise
    const day = judgedDays(evidence).find(({ plan }) => plan === 'enterprise')
    if (day?.judgement.verdict === 'fail' && judgement.verdict !== 'fail') return failureOf(day)
    if (judgement.verdict === 'pass') {
      const { models } = judgement
      const longer = window.longer?.limit ?? null
      return (
        mayHide(evidence, 'QUOTA-5', [enterprise]) ??
        openDay(enterprise, day) ??
        (day
          ? pass('day-as-agreed', { limit: window.limit, longer, models })
          : pass('minute-as-agreed', { limit: window.limit, longer, models }))
      )
    }
    if (judgement.verdict === 'inconclusive') return quotaNotJudged('enterprise', judgement.reason)
    return fail('enterprise-not-as-agreed', { limit: window.limit, ...diagnosisFacts(diagnosis) })
  },
  sentences: {
    ...mayHideSentence,
    'minute-as-agreed': (f) =>
      `${minuteInWords(f)}.${f.longer === null ? '' : ` This says nothing about its ${count(f.longer)} a day, which QUOTA-3 judges if a run spends them`}`,
    'day-as-agreed': (f) => `${minuteInWords(f)}, and its daily limit was spent and holds`,
    'day-not-ended': (f) =>
      `the Enterprise key keeps to its limit per minute; ${count(f.spent)} of its ${count(f.longer)} a day are spent, but nothing showed whether the daily limit holds`,
    ...brokenDaySentences,
    'no-enterprise-key': () => 'no load was put on an Enterprise key',
    'enterprise-not-as-agreed': (f) =>
      `the Enterprise key is not limited to ${count(f.limit)} a minute.${looksLikeInWords(f)}`,
  },
})

export const keysOfAPlan = defineCheck({
  id: 'quota.keys-of-a-plan',
  promise: 'The report says whether two keys of one plan share a quota.',
  clauses: ['QUOTA-9'],
  reads: ['same-plan'],
  judge(evidence) {
    const before = exchangesOf(evidence, 'same-plan', 'before').findLast((x) => x.response?.status === 200)
    const [beside] = exchangesOf(evidence, 'same-plan', 'beside')
    if (!beside) return notTested('never-refused', { sent: 0 })
    const plan = evidence.run.keys.find(({ name }) => name === beside.key)?.plan ?? 'none'
    const status = beside.response?.status
    if (!before || (status !== 200 && status !== 429)) return inconclusive('second-key-not-answered', { plan }, beside)
    return observed('keys-of-a-plan', { plan, shared: status === 429 }, before, beside)
  },
  sentences: {
    'never-refused': () => 'nothing was refused in this run',
    'keys-of-a-plan': (f) =>
      f.shared
        ? `two keys of the ${planName(f.plan)} plan share one quota: the second was refused once the first was spent`
        : `two keys of the ${planName(f.plan)} plan have a quota each: the second was served once the first was spent`,
    'second-key-not-answered': (f) =>
      `the second key of the ${planName(f.plan)} plan was not served before the comparison, so it shows nothing`,
  },
})
