import { type ModelName, modelNames } from '../contract/limiter-models.js'
import { mostAtOnce, noLongerLimit, type QuotaWindow } from '../contract/plans.js'
import type { Evidence } from '../evidence/evidence.js'
import { isClockSure, isLate, type LedgerOrigin } from '../evidence/ledger.js'
import { placesOf } from '../kit/numbers.js'
import { onceFor } from '../kit/once-for.js'
import { type History, isDecided, outcomes, withOutcomes } from '../readings/history.js'
import { keyHistory } from '../readings/key-history.js'
import { type KeyRecord, keyRecord } from '../readings/key-record.js'
import { fallsOnlyWhileSending, isQuiet, spendsBeforeRefusal } from '../readings/other-users.js'
import { stretchesSeen, viewOf } from '../readings/quota-views.js'
import { runClock } from '../readings/run-clock.js'
import type { TargetClock } from '../readings/target-clock.js'
import { type CostedHistory, withCosts } from './costs.js'
import { attributed, countsShown, diagnoseAll, inAgreement, isOneSided } from './diagnosis/common-diagnosis.js'
import type { Diagnosis, DiagnosisContext } from './diagnosis/diagnosis.js'
import { heldBackKey } from './held-back-key.js'
import { type DoubtReason, judgeQuota, type QuotaJudgement } from './judge-quota.js'
import { modelsThatExplain } from './models/explain.js'
import type { Explanation } from './models/explanation.js'
import { spentByOthers } from './others-spending.js'
import { refusalsOfOthers } from './refusals-of-others.js'

/** A key with its history in the minute. */
export interface RecordedKey {
  readonly name: string
  readonly plan: string
  readonly record: KeyRecord
  /** The most at once, and how long all of it takes to come back; with the longer quota that answers may show instead. */
  readonly window: QuotaWindow
  /** The quota that its history is judged by. */
  readonly agreed: QuotaWindow
  readonly history: History
  readonly clock: TargetClock
  /** Whether its contract has no other quota that a refusal without headers could belong to. */
  readonly isOnlyQuota: boolean
  /** Whether Remaining falls too far only while the run sends: that is the limiter, and nobody else uses the keys. */
  readonly isOwnDoing: boolean
}

/** A key with the verdict on its history. */
export interface JudgedKey extends RecordedKey {
  /** Null if the key got no load. */
  readonly judgement: QuotaJudgement | null
  /** What a refuted limiter looks like; null if none was refuted, or if no known defect fits. */
  readonly diagnosis: Diagnosis | null
}

/** Loads of a key that lost more than this share of their answers justify no pass. What fewer hide, certificates weigh. */
const mostLostShare = 0.02

/** Why a history is not enough for a pass. A late load does no harm beside one on time: the times are true in both. */
export const doubtsOf = (evidence: Evidence, name: string): DoubtReason[] => {
  const ledgers = evidence.ledgers.filter(({ head }) => head.key === name)
  const heads = ledgers.map(({ head }) => head)
  const sum = (of: 'sent' | 'answered') => heads.reduce((total, { counts }) => total + counts[of], 0)
  const lost = sum('sent') - sum('answered') > sum('sent') * mostLostShare
  const late = ledgers.length > 0 && ledgers.every(({ head }) => isLate(head))
  // A load that was interrupted and resumed ended as its last part did.
  const ends = evidence.resumed ? [...new Map(heads.map((head) => [head.probe, head])).values()] : heads
  const ended = ends.find(({ problem }) => problem !== null)
  return [
    ...(lost ? (['answers-lost'] as const) : []),
    ...(late ? (['generator-late'] as const) : []),
    ...(ledgers.some(({ head }) => !isClockSure(head)) ? (['clock-unsure'] as const) : []),
    ...(ended ? (['load-ended-early'] as const) : []),
  ]
}

/** The quota that a key is judged by: its plan's minute, or what the contract file says. */
const agreedOn = (
  evidence: Evidence,
  { name, quota, credential = name }: Evidence['run']['keys'][number],
): QuotaWindow => {
  const { models, burst, exact, windowMs, limit } = viewOf(evidence).quota
  return {
    limit: limit[credential] ?? quota.limit,
    windowMs: windowMs / evidence.run.timeScale,
    models: models.length < modelNames.length ? models : undefined,
    burst,
    exact,
  }
}

/** The history in the units that its requests cost, and the record row of each unit. */
const inUnits = (history: History, { cost }: KeyRecord, window: QuotaWindow): CostedHistory =>
  withCosts(history, cost, mostAtOnce(window))

/** A key's own history in those units. */
export const unitsOf = ({ history, record, agreed }: Pick<JudgedKey, 'history' | 'record' | 'agreed'>): CostedHistory =>
  inUnits(history, record, agreed)

/** The models that explain a history of a key, costs included. */
export const modelsExplaining = ({ record, agreed }: RecordedKey, history: History): ModelName[] =>
  modelsThatExplain(inUnits(history, record, agreed).history, agreed)

/** Whether nobody else uses a key, as far as Remaining tells. */
const showsNobodyElse = ({ record, isOwnDoing }: Pick<RecordedKey, 'record' | 'isOwnDoing'>): boolean =>
  isOwnDoing || isQuiet(record)

const judgementOf = (evidence: Evidence, key: RecordedKey): QuotaJudgement | null => {
  if (!evidence.ledgers.some(({ head }) => head.key === key.name)) return null
  const { record, agreed } = key
  // A request's cost shows in Remaining just as somebody else's use would.
  const keyIsQuiet = record.cost !== undefined || showsNobodyElse(key)
  const { history, rows } = unitsOf(key)
  const refusedIsQuiet = !spendsBeforeRefusal(record, agreed.windowMs)
  const doubts = doubtsOf(evidence, key.name)
  const judgement = judgeQuota(history, agreed, { keyIsQuiet, refusedIsQuiet, doubts })
  return record.cost ? inRows(judgement, rows) : judgement
}

/** The keys, with those that failed and that somebody else may have spent judged without their refusals. */
const withOthersSpending = <K extends RecordedKey & Pick<JudgedKey, 'judgement'>>(
  evidence: Evidence,
  keys: readonly K[],
): readonly K[] => {
  const spent = keys.some(({ isOwnDoing }) => isOwnDoing) ? [] : spentByOthers(keys)
  return keys.map((key) => {
    if (!spent.includes(key)) return key
    const doubts = doubtsOf(evidence, key.name)
    return { ...key, judgement: judgeQuota(key.history, key.agreed, { keyIsQuiet: false, doubts }) }
  })
}

/** Whether nobody else spends a key, as far as its answers show. */
export const isKeyQuiet = ({ judgement, ...key }: Pick<JudgedKey, 'record' | 'isOwnDoing' | 'judgement'>): boolean =>
  showsNobodyElse(key) && !(judgement?.verdict === 'inconclusive' && judgement.reason === 'key-not-quiet')

/** The judgement with its witnesses as rows of the record, if requests were counted in units. */
export const inRows = (judgement: QuotaJudgement, rows: Uint32Array): QuotaJudgement => {
  const named = <E extends Explanation>(each: E): E =>
    each.verdict === 'refuted' ? { ...each, witnesses: [...new Set(each.witnesses.map((i) => rows[i]))] } : each
  const explanations = Object.fromEntries(
    Object.entries(judgement.explanations).map(([name, each]) => [name, named(each)]),
  )
  return judgement.verdict === 'fail'
    ? { ...judgement, explanations, refutation: named(judgement.refutation) }
    : { ...judgement, explanations }
}

/** For each route with admissions, the history with the others excused, in units; none if there is only one. */
const byRoute = ({ record }: RecordedKey, { history, rows }: CostedHistory): History[] => {
  const routeOf = (i: number) => record.operation(rows[i])
  const isAdmitted = (i: number) => history.outcome[i] === outcomes.admitted
  const routes = new Set(placesOf(history.size, isAdmitted).map(routeOf))
  if (routes.size < 2) return []
  return [...routes].map((route) =>
    withOutcomes(history, (each, i) => (routeOf(i) === route ? each : outcomes.excused)),
  )
}

/** How many other costs are tried for a request, both below and above its own. */
const costsTried = 6

/** The history as if one request cost another amount, the nearest amounts first; none if nothing has a cost. */
const byCost = ({ record, history, agreed }: RecordedKey): NonNullable<DiagnosisContext['byCost']> => {
  const { cost } = record
  if (!cost) return []
  const own = new Map(Array.from(cost, (each, i) => [record.operation(i), each] as const))
  return Array.from({ length: costsTried }, (_, i) => i + 1).flatMap((by) =>
    [...own].flatMap(([request, agreedCost]) =>
      [agreedCost - by, agreedCost + by]
        .filter((other) => request !== null && other > 0)
        .map((other) => ({
          request: String(request),
          cost: other,
          history: () =>
            inUnits(
              history,
              { ...record, cost: cost.map((each, row) => (record.operation(row) === request ? other : each)) },
              agreed,
            ).history,
        })),
    ),
  )
}

/**
 * The history as if the last costly request before a refusal had been charged only what was left: one unit of it is certain,
 * the others are unknown. Undefined if no refusal follows such a request.
 */
const cutToLeft = ({ record, history, agreed }: RecordedKey): DiagnosisContext['cut'] => {
  const { cost } = record
  if (!cost) return undefined
  const { outcome, receivedMs } = history
  const answered = placesOf(history.size, (i) => isDecided(outcome[i])).sort((a, b) => receivedMs[a] - receivedMs[b])
  const last = new Set(
    answered.filter((i, place) => {
      const next = answered[place + 1]
      return outcome[i] === outcomes.admitted && next !== undefined && outcome[next] === outcomes.refused && cost[i] > 1
    }),
  )
  const request = [...last].map((i) => record.operation(i))[0]
  if (request === undefined || request === null) return undefined
  return {
    request,
    history: () => {
      const { history: units, rows } = inUnits(history, record, agreed)
      const isBeyondFirst = (place: number) => last.has(rows[place]) && rows[place - 1] === rows[place]
      return withOutcomes(units, (each, place) => (isBeyondFirst(place) ? outcomes.unknown : each))
    },
  }
}

/** What tells places apart, the surest first: several agents in one place all reach the same node. */
const placesBy: readonly ((origin: LedgerOrigin) => string)[] = [
  ({ target }) => target,
  ({ group }) => group,
  ({ agent }) => agent,
]

/**
 * For each place that loads were sent from, the history with other places excused; one list per way to tell places apart.
 * Requests from the run's own machine may have been counted at any place.
 */
const byPlace = ({ record }: RecordedKey, { history, rows }: CostedHistory): History[][] => {
  const origins = Array.from(rows, (row) => record.origin(row))
  return placesBy.flatMap((placeOf) => {
    const places = origins.map((origin) => origin && placeOf(origin))
    const known = new Set(places.filter((place) => place !== undefined))
    const outcomeAt = (place: string) => (each: number, i: number) => {
      if (places[i] === undefined) return each === outcomes.admitted ? outcomes.unknown : outcomes.excused
      return places[i] === place ? each : outcomes.excused
    }
    if (known.size < 2) return []
    return [[...known].map((place) => withOutcomes(history, outcomeAt(place)))]
  })
}

/** The keys, with a diagnosis for those that failed; `share` says whether one key's requests were counted on another. */
const diagnosed = (keys: readonly Omit<JudgedKey, 'diagnosis'>[], share: boolean): JudgedKey[] => {
  const broken = keys.filter(({ judgement }) => judgement?.verdict === 'fail')
  const shown = broken.map(({ record, window }) => countsShown(record, window))
  // One limiter serves all keys: a key that was hardly used shows only some of the nodes.
  const mostShown = Math.max(...shown.map((nodes = 0) => nodes))
  const diagnoses = diagnoseAll(
    broken.map((key, i) => {
      const others = keys.filter(({ name }) => name !== key.name)
      const otherLimits = Object.fromEntries(others.map(({ plan, window }) => [plan, window.limit]))
      const companions = share ? others.map(({ history }) => history) : []
      const units = unitsOf(key)
      const context = {
        otherLimits,
        companions,
        byRoute: byRoute(key, units),
        byCost: byCost(key),
        cut: cutToLeft(key),
        byPlace: byPlace(key, units),
        shownNodes: shown[i] && mostShown,
      }
      return { history: units.history, window: key.agreed, context }
    }),
  )
  const isPassed = keys.some(({ judgement }) => judgement?.verdict === 'pass')
  const isOfAll = !isPassed && isOneSided(diagnoses.map((each, i) => [each, broken[i].agreed]))
  return keys.map((key) => {
    if (key.judgement?.verdict !== 'fail') return { ...key, diagnosis: null }
    const diagnosis = diagnoses[broken.indexOf(key)]
    return { ...key, judgement: attributed(key.judgement, diagnosis, key.agreed, isOfAll), diagnosis }
  })
}

/** Every key of the run with everything that was sent with it. */
export const recordedKeys = onceFor((evidence: Evidence): readonly RecordedKey[] => {
  const clock = runClock(evidence)
  const { windowMs, dayMs, contract } = viewOf(evidence)
  const keys = evidence.run.keys.map((key) => {
    const { name, plan, quota } = key
    const longer = quota.longer === noLongerLimit ? undefined : { limit: quota.longer, windowMs: dayMs }
    const window: QuotaWindow = { limit: quota.limit, windowMs, longer }
    const record = keyRecord(evidence, name, clock, refusalsOfOthers(evidence))
    return {
      name,
      plan,
      record,
      window,
      agreed: agreedOn(evidence, key),
      clock,
      history: keyHistory(record, window, clock),
      isOnlyQuota: longer === undefined && contract.quotas.length === 1,
    }
  })
  const isOwnDoing = fallsOnlyWhileSending(keys)
  return keys.map((key) => ({ ...key, isOwnDoing }))
})

/** Ranks the verdicts on stretches of one key: a breach, which one stretch can prove, then a pass, then the longer one. */
const weightOf = ({ judgement, history }: JudgedKey): number => {
  const ranks = { fail: 3, pass: 2, inconclusive: 1 } as const
  return (judgement ? ranks[judgement.verdict] : 0) + history.size / (history.size + 1)
}

/**
 * Every key of the run with its record and, if it got a load, the verdict on its minute. If events part the run, they are
 * those of the stretch that says most about the key. Computed once a run.
 */
export const judgedKeys = onceFor((evidence: Evidence): readonly JudgedKey[] => {
  if (evidence.events.length > 0) {
    const stretches = stretchesSeen(evidence).map(judgedKeys)
    return evidence.run.keys.map((_, i) =>
      stretches.map((keys) => keys[i]).reduce((best, each) => (weightOf(each) > weightOf(best) ? each : best)),
    )
  }
  const judged = recordedKeys(evidence).map((key) => ({ ...key, judgement: judgementOf(evidence, key) }))
  return inAgreement(diagnosed(withOthersSpending(evidence, judged), heldBackKey(evidence) !== undefined))
})
