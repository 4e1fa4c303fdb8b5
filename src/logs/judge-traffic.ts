import type { ApiContract } from '../contract/api-contract.js'
import { type ModelName, modelNames } from '../contract/limiter-models.js'
import { mostAtOnce, type QuotaWindow } from '../contract/plans.js'
import { withCosts } from '../oracle/costs.js'
import { diagnoseAll } from '../oracle/diagnosis/common-diagnosis.js'
import type { Diagnosis } from '../oracle/diagnosis/diagnosis.js'
import { isTested, judgeQuota, type QuotaJudgement, withoutRefusals } from '../oracle/judge-quota.js'
import { inRows } from '../oracle/judged-keys.js'
import { explaining, modelsThatExplain } from '../oracle/models/explain.js'
import { isExact, mostAllowed } from '../oracle/models/explanation.js'
import { type History, outcomes } from '../readings/history.js'
import { type CountedQuota, countedQuota } from './counted-quota.js'
import { keyTotals } from './key-totals.js'
import { keepRows, nobody, type Rows } from './rows.js'
import { decidedLaterMs, type Stretch, stretchesOf } from './stretches.js'
import type { Traffic } from './traffic.js'

/** A key that broke a quota, with the excerpt that shows it. */
export interface BrokenKey extends TellingKey {
  readonly judgement: Extract<QuotaJudgement, { readonly verdict: 'fail' }>
  readonly diagnosis: Diagnosis | null
  /** Whether it needs a complete log: refusals count only if every request that may have spent quota is known. */
  readonly needsAll: boolean
}

/** The same before the diagnosis of its limiter, with its requests in units of cost. */
type UndiagnosedKey = Omit<BrokenKey, 'diagnosis'> & { readonly units: History }

/** The key that shows most, among those that kept a quota. */
export interface TellingKey {
  readonly key: number
  readonly plan: string
  readonly window: QuotaWindow
  readonly excerpt: Excerpt
}

/** How many broken keys are kept with their evidence; the others are only counted. */
const mostBroken = 12
/** The most requests that a certificate replays or a diagnosis reads. */
const mostReplayed = 4096
/** Sizes of excerpts around the first contradiction to try, so that a finding is as short as possible. */
const excerptSizes = [512, 2048, 8192] as const

/** How much of a batch is judged again with the next, in windows and in milliseconds, whichever is more: for late lines. */
const [keptWindows, leastKeptMs] = [3, 600_000]
/** How much out of order lines may be, because requests run in parallel. */
const graceMs = 60_000

/** Whether a quota is judged only for "too many", or for its refusals too. */
type WindowedSide = 'over' | 'whole'

const heldTo = (window: QuotaWindow, side: WindowedSide): QuotaWindow =>
  side === 'whole' ? window : { ...window, exact: { over: window.exact?.over ?? 0, early: null } }

/** Judges traffic, a batch at a time. `isComplete`: the logs hold every request that counts against the quotas. */
export const trafficJudge = (contract: ApiContract, isComplete: boolean) => {
  const quotas = contract.quotas.map((quota) => quotaJudge(countedQuota(contract, quota), isComplete))
  const keptMs = Math.max(leastKeptMs, ...quotas.map(({ windowMs }) => keptWindows * windowMs))
  let [fromMs, toMs, judgedUntilMs, completeFromMs] = [Infinity, -Infinity, -Infinity, -Infinity]
  return {
    take({ rows, keptRows, untilMs, known }: Traffic) {
      for (let row = keptRows; row < rows.size; row += 1) {
        fromMs = Math.min(fromMs, rows.sentMs[row])
        toMs = Math.max(toMs, rows.receivedMs[row])
      }
      const span = { fromMs: completeFromMs, untilMs: untilMs - graceMs, baseMs: fromMs }
      const batch = { rows, keptRows, known, judgedUntilMs, ...span }
      for (const each of quotas) each.take(batch)
      judgedUntilMs = Math.max(judgedUntilMs, batch.untilMs)
      if (untilMs === Number.POSITIVE_INFINITY) return
      // A request that a gateway gave up on before that may have been decided later.
      completeFromMs = keepLatest(rows, untilMs - keptMs) + (isComplete ? decidedLaterMs : 0)
    },
    judged: () => quotas.map((each) => each.judged()),
    span: () => ({ fromMs, toMs }),
  }
}

/** Keeps rows that may have been decided since a moment, at most half; returns the moment since which all are kept. */
const keepLatest = (rows: Rows, sinceMs: number): number => {
  const most = rows.key.length / 2
  const latest = rows.receivedMs.slice(0, rows.size).sort()
  const fromMs = rows.size > most ? Math.max(sinceMs, latest[rows.size - most]) : sinceMs
  // More than half may be of one moment: without that moment, there is always room for the next rows.
  keepRows(rows, (row) => rows.receivedMs[row] > fromMs)
  return fromMs
}

/** Refusals were judged until `judgedUntilMs`: later lines of earlier requests had to be known first. */
type Batch = Pick<Traffic, 'rows' | 'keptRows' | 'known'> &
  Readonly<Record<'judgedUntilMs' | 'fromMs' | 'untilMs' | 'baseMs', number>>

export type JudgedTraffic = ReturnType<ReturnType<typeof quotaJudge>['judged']>

const quotaJudge = (counted: CountedQuota, isComplete: boolean) => {
  const { quota, windowMs } = counted
  const judgesRefusals = isComplete && !counted.refusalsMeanLittle && quota.exact.early !== null
  // A defective limiter would also have seen requests that are not in the logs or were refused by something else.
  const canCertify = isComplete && !counted.refusalsMeanLittle
  const totals = keyTotals(quota.by)
  const broken: UndiagnosedKey[] = []
  const brokenKeys = new Map<number, WindowedSide>()
  const [tested, unsure, planless] = [new Set<number>(), new Set<number>(), new Set<number>()]
  const testedPlans = new Set<string>()
  const telling = new Map<string, TellingKey & { readonly worth: number }>()
  // The model that explained the last stretch usually explains the next.
  let order: readonly ModelName[] = modelNames

  /** Whether some permitted limiter explains a history, judged on both sides of the quota or only for "too many". */
  const isExplained = (history: History, window: QuotaWindow, side: WindowedSide): boolean => {
    if (side === 'whole' && !isExact(window)) return modelsThatExplain(history, window).length > 0
    const held = side === 'whole' ? window : mostAllowed(window)
    if (held === null) return true
    const found = explaining(order, side === 'whole' ? history : withoutRefusals(history), held).next()
    if (found.done) return false
    const model = found.value
    if (order[0] !== model) order = [model, ...order.filter((each) => each !== model)]
    return true
  }

  /** A stretch in units of cost, with the request of each unit and each request's cost; `cost` is undefined if all cost one. */
  const inUnits = (all: Rows, { history, rows }: Stretch, { limit, burst = limit }: QuotaWindow) => {
    if (!counted.hasCosts) return { units: history }
    const cost = Uint16Array.from(rows, (row) => counted.costOf(all.request[row]))
    const costed = withCosts(history, cost, burst)
    return { units: costed.history, ofUnit: costed.rows, cost }
  }

  const take = (batch: Batch): void => {
    const { rows: all, known, fromMs, untilMs, baseMs } = batch
    for (const { key, rows, plan, firstNewMs } of totals.group(all, batch.keptRows, counted)) {
      if (firstNewMs < batch.judgedUntilMs) unsure.add(key)
      // Several credentials may share an address.
      const mapped =
        quota.by === 'address' ? undefined : (known.get(all.key[rows[0]]) ?? (plan === nobody ? undefined : plan))
      const own = mapped === undefined ? undefined : counted.agreedFor(mapped)
      if (mapped !== undefined && own === undefined) continue
      const isSure = own !== undefined || counted.most.isSole
      const { name, window } = own ?? counted.most
      const most = totals.fullest(all, rows, key, counted)
      const side: WindowedSide = judgesRefusals && isSure ? 'whole' : 'over'
      if (!isSure) planless.add(key)
      // A sliding log explains any key that never exceeded the limit in a window and was never refused.
      if (most <= Math.min(window.limit, mostAtOnce(window)) && totals.refusedOf(key) === 0) continue
      for (const stretch of stretchesOf(all, { rows, fromMs, untilMs }, counted, baseMs))
        judgeStretch(all, stretch, { key, plan: name, window, side })
    }
  }

  type Subject = Omit<TellingKey, 'excerpt'> & { readonly side: WindowedSide }

  const judgeStretch = (all: Rows, stretch: Stretch, subject: Subject): void => {
    const { key, plan, window, side } = subject
    const { units } = inUnits(all, stretch, window)
    const overOnly = heldTo(window, 'over')
    if (isTested(units, overOnly)) {
      tested.add(key)
      if (!planless.has(key)) testedPlans.add(plan)
    }
    const failedSide = !isExplained(units, overOnly, 'over')
      ? 'over'
      : side === 'whole' && !isExplained(units, window, 'whole')
        ? 'whole'
        : undefined
    if (failedSide === undefined) {
      if (canCertify && !planless.has(key)) rememberTelling(all, stretch, subject)
      return
    }
    const before = brokenKeys.get(key)
    if (before === 'over' || before === failedSide) return
    brokenKeys.set(key, failedSide)
    if (broken.length >= mostBroken) return
    const judgedBy = heldTo(window, failedSide)
    const found = shortest(all, stretch, judgedBy, failedSide)
    if (!found) return
    broken.push({ key, plan, window: judgedBy, ...found, needsAll: failedSide === 'whole' })
  }

  /** The shortest excerpt around the first contradiction that is refuted on its own, with its verdict. */
  const shortest = (all: Rows, stretch: Stretch, window: QuotaWindow, side: WindowedSide) => {
    const whole = judged(all, stretch, window)
    const { judgement } = whole
    if (judgement.verdict !== 'fail') return undefined
    const at = Math.min(...judgement.refutation.witnesses, stretch.history.size)
    for (const size of excerptSizes) {
      if (size >= stretch.history.size) break
      const from = Math.max(0, Math.min(at - size / 4, stretch.history.size - size))
      const part = cut(stretch, Math.floor(from), size)
      if (isExplained(inUnits(all, part, window).units, window, side)) continue
      const short = judged(all, part, window)
      if (short.judgement.verdict === 'fail') return { ...short, judgement: short.judgement }
    }
    return { ...whole, judgement }
  }

  const judged = (all: Rows, stretch: Stretch, window: QuotaWindow) => {
    const { units, ofUnit, cost } = inUnits(all, stretch, window)
    const judgement = judgeQuota(units, window)
    return { excerpt: excerptOf(all, stretch, cost), units, judgement: ofUnit ? inRows(judgement, ofUnit) : judgement }
  }

  const rememberTelling = (all: Rows, stretch: Stretch, { key, plan, window, side }: Subject): void => {
    const { history } = stretch
    const judgedBy = heldTo(window, side)
    const part = history.size > mostReplayed ? cut(stretch, 0, mostReplayed) : stretch
    const worth = part.history.outcome.reduce((sum, each) => sum + (each === outcomes.refused ? 1 : 0), 0)
    if (worth <= (telling.get(plan)?.worth ?? 0)) return
    const { units, cost } = inUnits(all, part, window)
    if (!isTested(units, judgedBy)) return
    telling.set(plan, { key, plan, window: judgedBy, excerpt: excerptOf(all, part, cost), worth })
  }

  return {
    windowMs,
    take,
    judged: () => ({
      counted,
      totals,
      /** The first broken keys; all of them are counted. */
      broken: diagnosed(broken.filter(({ key, needsAll }) => !needsAll || !unsure.has(key))),
      /** All keys that broke it, each with whether that needs a complete log. */
      brokenKeys,
      telling: [...telling.values()],
      /** How many keys asked for more than the quota in a window and were refused; the plans of those, if known. */
      testedKeys: tested.size,
      testedPlans,
      /** How many keys have an unknown limit: they are judged by the highest. */
      planlessKeys: planless.size,
    }),
  }
}

/** What the limiters look like: one limiter serves all keys. */
const diagnosed = (broken: readonly UndiagnosedKey[]): BrokenKey[] => {
  const short = broken.filter(({ units }) => units.size <= mostReplayed)
  const found = diagnoseAll(short.map(({ units, window }) => ({ history: units, window, context: {} })))
  return broken.map(({ units: _, ...key }, i) => ({ ...key, diagnosis: found[short.indexOf(broken[i])] ?? null }))
}

/** A part of a stretch on its own: earlier requests may have spent any amount. */
const cut = ({ history, rows }: Stretch, from: number, size: number): Stretch => {
  const to = Math.min(history.size, from + size)
  const startMs = history.sentMs[from]
  const endMs = to < history.size ? history.sentMs[to] : Number.POSITIVE_INFINITY
  const before = Array.from({ length: from }, (_, i) => i).filter((i) => history.receivedMs[i] >= startMs)
  const places = [...before, ...Array.from({ length: to - from }, (_, i) => from + i)]
  const outcomeAt = (i: number): number => {
    const each = history.outcome[i]
    if (i < from)
      return each === outcomes.admitted ? outcomes.unknown : each === outcomes.refused ? outcomes.excused : each
    return each === outcomes.refused && history.receivedMs[i] >= endMs ? outcomes.excused : each
  }
  return {
    history: {
      ...history,
      size: places.length,
      sentMs: Float64Array.from(places, (i) => Math.max(startMs, history.sentMs[i])),
      receivedMs: Float64Array.from(places, (i) => history.receivedMs[i]),
      outcome: Uint8Array.from(places, outcomeAt),
      priorUntilMs: startMs,
    },
    rows: Uint32Array.from(places, (i) => rows[i]),
  }
}

/** Requests of one key from the log, for a finding or a certificate. Without `cost`, each costs one. */
type Excerpt = ReturnType<typeof excerptOf>

const excerptOf = (all: Rows, { history, rows }: Stretch, cost: Uint16Array | undefined) => ({
  history,
  cost,
  status: Uint16Array.from(rows, (row) => all.status[row]),
  request: Uint8Array.from(rows, (row) => all.request[row]),
  file: Uint16Array.from(rows, (row) => all.file[row]),
  line: Uint32Array.from(rows, (row) => all.line[row]),
})
