import type { ModelName } from '../../contract/limiter-models.js'
import type { QuotaWindow } from '../../contract/plans.js'
import { countBelow, countUpTo } from '../../kit/numbers.js'
import { type History, isDecided, outcomes } from '../../readings/history.js'
import { fullestWindow, overfullStarts } from '../counting/early-refusals.js'
import { type Tally, tallyOf } from '../counting/tally.js'
import { explain } from '../models/explain.js'
import { admissibleModels, type Explanation, type Refutation } from '../models/explanation.js'
import { partOf } from './counterfactuals.js'

/** The quota with another limit; what its bucket holds, where that is said, grows or shrinks along. */
export const withLimit = (window: QuotaWindow, limit: number): QuotaWindow => {
  const { burst } = window
  if (burst === undefined) return { ...window, limit }
  return { ...window, limit, burst: Math.max(1, Math.round((burst * limit) / window.limit)) }
}

/** The most requests that were certainly admitted within a span of this length. */
const mostWithin = (history: History, spanMs: number): number =>
  fullestWindow(overfullStarts(tallyOf(history, { limit: 0, windowMs: spanMs })))?.count ?? 0

/**
 * The limits that can explain a history at all: no model admits more than 2 L within W, nor refuses before L were sent.
 * If 120 were admitted within a minute, and the first refusal came when 130 had been sent, they are 60 to 130. A refusal
 * that use before the run may have caused bounds nothing, where there are later ones.
 */
export const plausibleLimits = (history: History, { windowMs, burst }: QuotaWindow) => {
  // A bucket that holds another number than flows in within a window bounds neither so.
  if (burst !== undefined) return { least: 0, most: Number.POSITIVE_INFINITY }
  const tally = tallyOf(history, { limit: 0, windowMs })
  const fullest = mostWithin(history, windowMs)
  const own = tally.spentBefore.filter((_, k) => history.sentMs[tally.refused[k]] >= history.priorUntilMs + windowMs)
  const counted = own.length > 0 ? own : tally.spentBefore
  return {
    least: Math.floor(fullest / 2),
    most: counted.reduce((least, each) => Math.min(least, each), Infinity),
  }
}

/** The most nodes that are tried: more, all behind one address, are rare, and each one tried costs a search. */
export const mostNodes = 16

/** The models that cannot put a boundary of their windows inside a burst. */
const anchored: readonly ModelName[] = ['fixed-window-first-request', 'sliding-log', 'token-bucket']

/** Chance gives a node more than its share by up to so many standard deviations: by more in 1 of 700 cases. */
const mostDeviations = 3

/**
 * The fewest requests in all by which the first of several nodes is full, where chance picks a node for each: with 2
 * nodes and L = 60 it is 73, not 120.
 */
const leastWhenFull = (nodes: number, limit: number): number =>
  Math.max(limit, Math.floor(nodes * (limit - mostDeviations * Math.sqrt(limit))))

/** Whether so many nodes would be told from one by when they begin to refuse: of low limits chance may fill one node alone. */
export const tellsNodes = (nodes: number, limit: number): boolean => leastWhenFull(nodes, limit) > limit

/** When one of several nodes may begin to refuse: when chance may have filled it, or as soon as L were admitted. */
export type RefusingNodes = 'when-full-by-chance' | 'at-any-time'

const nodeCounts = (history: History, { windowMs, limit, burst }: QuotaWindow): number[] => {
  const { least } = plausibleLimits(history, { windowMs, limit, burst })
  const fewest = Math.max(2, Math.ceil(least / limit))
  return Array.from({ length: Math.max(0, mostNodes + 1 - fewest) }, (_, index) => fewest + index)
}

const admissionsOf = (history: History): History => ({
  ...history,
  outcome: history.outcome.map((each) => (each === outcomes.refused ? outcomes.excused : each)),
})

/** The anchored models that are refuted for such a reason; none where each of them has also refused too early. */
const overAdmitting = (history: History, window: QuotaWindow, ...reasons: Refutation['reason'][]): ModelName[] => {
  const admissible = admissibleModels(window)
  const explanations = anchored
    .filter((model) => admissible.includes(model))
    .map((model) => ({ model, explanation: explain(model, history, window) }))
  if (!explanations.some(({ explanation }) => isOnly('over-admission', explanation))) return []
  return explanations
    .filter(({ explanation }) => reasons.some((each) => isOnly(each, explanation)))
    .map(({ model }) => model)
}

/**
 * Each node refuses when chance has filled it: of the numbers on which the most models agree, the smallest. Answers that show
 * several counts know better: where the windows of the nodes begin apart, 4 of 60 may admit 241 in one.
 */
const nodesFilledByChance = (history: History, window: QuotaWindow, shown?: number): number | null => {
  const { limit } = window
  const over = overAdmitting(history, window, 'over-admission')
  const admissions = admissionsOf(history)
  const agrees = (model: ModelName, nodes: number): boolean => {
    if (explain(model, admissions, withLimit(window, nodes * limit)).verdict === 'refuted') return false
    const first = explain(model, history, withLimit(window, leastWhenFull(nodes, limit)))
    return first.verdict === 'explained' || first.reason === 'over-admission'
  }
  let best: { nodes: number; models: number } | null = null
  for (const nodes of over.length > 0 ? nodeCounts(history, window) : []) {
    const models = over.filter((model) => agrees(model, nodes)).length
    if (models > (best?.models ?? 0)) best = { nodes, models }
    if (models === over.length) break
  }
  return best && shown !== undefined && 2 * shown > best.nodes ? shown : (best?.nodes ?? null)
}

/** A node refuses as it likes: as many as admit what was admitted, by the model to which the fewest refusals are too early. */
const nodesRefusingAtWill = (history: History, window: QuotaWindow): number | null => {
  const admissions = admissionsOf(history)
  const counts = nodeCounts(history, window)
  let best: { nodes: number; early: number } | null = null
  for (const model of overAdmitting(history, window, 'over-admission', 'both')) {
    const nodes = counts.find(
      (each) => explain(model, admissions, withLimit(window, each * window.limit)).verdict === 'explained',
    )
    if (nodes === undefined) continue
    const whole = explain(model, history, withLimit(window, nodes * window.limit))
    const early = whole.verdict === 'refuted' ? whole.earlyRefused : 0
    if (early < (best?.early ?? Infinity)) best = { nodes, early }
  }
  return best?.nodes ?? null
}

/**
 * The number of nodes behind the address, if each counts L by itself: together they admit up to that many times L, so
 * 120 to 180 within a minute say three nodes of 60. Null where none is plausible.
 */
export const nodesCountingAlone = (
  history: History,
  window: QuotaWindow,
  refusing: RefusingNodes,
  shown?: number,
): number | null =>
  refusing === 'at-any-time' ? nodesRefusingAtWill(history, window) : nodesFilledByChance(history, window, shown)

/** A burst takes no more than this share of a window, and so many nodes at most are told by one alone. */
const [burstShare, mostFull] = [0.25, 4]

/**
 * The number of nodes that one burst has all filled, or all but one request of it: the fullest one admits that many times L,
 * while others were refused. With L = 5, 10 of 60 that were sent together say two nodes; 28 of 60 are no nodes, but a race.
 */
export const nodesFilledAtOnce = (history: History, { limit, windowMs }: QuotaWindow): number | null => {
  const spanMs = burstShare * windowMs
  const fullest = fullestWindow(overfullStarts(tallyOf(history, { limit, windowMs: spanMs })))
  if (fullest === undefined) return null
  const { sentMs, outcome } = history
  const nodes = Math.ceil(fullest.count / limit)
  const areRefused = outcome.some(
    (each, i) => each === outcomes.refused && sentMs[i] >= fullest.at && sentMs[i] <= fullest.at + spanMs,
  )
  return areRefused && nodes > 1 && nodes <= mostFull && fullest.count >= nodes * limit - 1 ? nodes : null
}

/** Within so much of a window, and less than a bucket takes to get one back, nothing comes back of what was spent. */
const atOnceShare = 0.05

/**
 * Whether some request was refused and a later one admitted, and then another refused, with nothing come back in between:
 * who was refused by a full node is admitted by another. A window that begins anew would have admitted more.
 */
const isRefusedInBetween = (
  { sentMs, receivedMs, outcome, size }: History,
  { limit, windowMs }: QuotaWindow,
): boolean => {
  const withinMs = Math.min(atOnceShare, 1 / limit) * windowMs
  const of = (code: number) => Array.from({ length: size }, (_, i) => i).filter((i) => outcome[i] === code)
  const [refused, admitted] = [of(outcomes.refused), of(outcomes.admitted)]
  return refused.some((first) =>
    admitted.some(
      (i) =>
        sentMs[i] > receivedMs[first] &&
        sentMs[i] < sentMs[first] + withinMs &&
        refused.some((last) => sentMs[last] > receivedMs[i] && receivedMs[last] < sentMs[first] + withinMs),
    ),
  )
}

/** Nodes that share a limit are few, and each has more than one request of it. */
const [mostSharing, leastShare] = [8, 2]

/**
 * The number of nodes that each keep a share of the limit: no more than all of it is ever admitted, and never is a request
 * refused before a share was spent. Of 20 over two nodes the 13th may be refused and the 14th admitted. Null where no
 * number of nodes does that.
 */
export const nodesSharingLimit = (history: History, window: QuotaWindow): number | null => {
  if (!isRefusedInBetween(history, window)) return null
  const admissible = admissibleModels(window)
  const admissions = admissionsOf(history)
  const keeping = anchored.filter(
    (model) => admissible.includes(model) && explain(model, admissions, window).verdict === 'explained',
  )
  for (let nodes = 2; nodes <= mostSharing && window.limit / nodes >= leastShare; nodes += 1) {
    const share = withLimit(window, Math.floor(window.limit / nodes))
    if (keeping.some((model) => isOnly('over-admission', explain(model, history, share)))) return nodes
  }
  return null
}

const isOnly = (reason: Refutation['reason'], explanation: Explanation): boolean =>
  explanation.verdict === 'refuted' && explanation.reason === reason

/** 300 years, longer than any run: a window of this length never gives anything back. */
const foreverMs = 1e13

/** Whether the quota was spent once and nothing of it ever came back. */
export const explainedWithoutReturn = (history: History, limit: number): boolean =>
  explain('sliding-log', history, { limit, windowMs: foreverMs }).verdict === 'explained'

/** Which requests renew a window, so that it ends W after the last of them. */
type Renewing = 'refused' | 'admitted' | 'every'

/**
 * Whether windows that end only W after the last request of some kind explain the history. With W = 60 s and requests
 * every 10 s, such a window never ends, and after L admissions nothing is admitted any more. Decisions are tried at the
 * start, in the middle and at the end of their intervals.
 */
export const explainedByRenewal = (history: History, window: QuotaWindow, renewedBy: Renewing): boolean =>
  [0, 0.5, 1].some((share) => explainedAtShare(history, window, renewedBy, share))

/**
 * The requests in an order in which they can have been decided: of those that were under way at once the refused ones
 * came last. Requests that nobody answered, or not in time, are left out.
 */
const inOrder = ({ sentMs, receivedMs, outcome, size }: History): number[] => {
  const at = (i: number) => (outcome[i] === outcomes.refused ? receivedMs[i] : sentMs[i])
  return Array.from({ length: size }, (_, i) => i)
    .filter((i) => receivedMs[i] !== Number.POSITIVE_INFINITY)
    .sort((a, b) => at(a) - at(b))
}

/** The same with every decision taken to fall at this share of its interval. */
const explainedAtShare = (history: History, window: QuotaWindow, renewedBy: Renewing, share: number): boolean => {
  const { sentMs, receivedMs, outcome } = history
  let within: number[] = []
  let endMs = Number.NaN
  for (const i of inOrder(history)) {
    const decidedMs = sentMs[i] + share * (receivedMs[i] - sentMs[i])
    if (Number.isNaN(endMs)) endMs = decidedMs + window.windowMs
    if (outcome[i] === outcomes.admitted && decidedMs >= endMs) {
      if (!explainedWithoutReturn(partOf(history, within), window.limit)) return false
      within = []
      endMs = decidedMs + window.windowMs
    }
    within.push(i)
    const renews = renewedBy === 'every' || outcome[i] === outcomes[renewedBy]
    if (renews) endMs = Math.max(endMs, decidedMs + window.windowMs)
  }
  return explainedWithoutReturn(partOf(history, within), window.limit)
}

/** How many admissions before a request its window does not count: surely, and perhaps, as it is decided early or late. */
type Passed = (sentMs: number, receivedMs: number) => { readonly surely: number; readonly perhaps: number }

const windowsFrom =
  ({ admittedReceived }: Tally, beganAt: (sentMs: number) => number): Passed =>
  (sentMs) => {
    const passed = countBelow(admittedReceived, beganAt(sentMs))
    return { surely: passed, perhaps: passed }
  }

const sliding =
  ({ admittedSent, admittedReceived, windowMs }: Tally): Passed =>
  (sentMs, receivedMs) => ({
    surely: countBelow(admittedReceived, sentMs - windowMs),
    perhaps: countUpTo(admittedSent, receivedMs - windowMs),
  })

/**
 * Windows that open with the first admission after the last one's end: with W = 60 s and admissions at 0, 20, 75 and
 * 140 s, at 0, 75 and 140 s.
 */
const opened = (tally: Tally): Passed => {
  const openers: number[] = []
  for (const sentMs of tally.admittedSent) {
    const last = openers.at(-1)
    if (last === undefined || sentMs >= last + tally.windowMs) openers.push(sentMs)
  }
  const starts = Float64Array.from(openers)
  return windowsFrom(tally, (sentMs) => starts[countUpTo(starts, sentMs) - 1])
}

/** Grids that are tried, at most: each costs a search. */
const mostGrids = 8

/** Grids on which a window begins where a request was admitted that was sent once another had been refused. */
const grids = (tally: Tally): Passed[] => {
  const { history, windowMs } = tally
  const { sentMs, receivedMs, outcome } = history
  const decided = Array.from(sentMs.keys()).filter((i) => isDecided(outcome[i]))
  const begun = decided.filter((i, place) => {
    const before = decided[place - 1]
    return outcome[i] === outcomes.admitted && outcome[before] === outcomes.refused && receivedMs[before] <= sentMs[i]
  })
  return begun.slice(0, mostGrids).map((i) => {
    const from = sentMs[i]
    return windowsFrom(tally, (sentMs) => from + windowMs * Math.floor((sentMs - from) / windowMs))
  })
}

/**
 * The history with every admission *unknown* that may have been decided by a count which was read too early: fewer than
 * L were answered before it was sent, and more than L were sent before it was answered. With L = 3: of five requests
 * that are sent together all may have read a count of 0. Null where a request was admitted although 2 L had been
 * admitted and answered in its window before it was sent: no reader of an old count misses those.
 */
const withoutRaced = ({ history, limit, admittedSent, admittedReceived }: Tally, passed: Passed): History | null => {
  let hasSerialExcess = false
  const outcome = history.outcome.map((each, i) => {
    if (each !== outcomes.admitted) return each
    const before = passed(history.sentMs[i], history.receivedMs[i])
    const answered = countBelow(admittedReceived, history.sentMs[i]) - before.perhaps
    const sent = countUpTo(admittedSent, history.receivedMs[i]) - before.surely
    if (answered >= 2 * limit) hasSerialExcess = true
    return answered < limit && sent > limit ? outcomes.unknown : each
  })
  return hasSerialExcess ? null : { ...history, outcome }
}

/**
 * Whether the target seems to check its count and raise it in two steps: every admission beyond the limit overlapped
 * those that should have stopped it. Buckets and grids that no refusal places are not asked: a refill, or a boundary in
 * the middle of the burst, would explain nearly any excess.
 */
export const explainedByCheckThenAct = (history: History, window: QuotaWindow): boolean => {
  const tally = tallyOf(history, window)
  const asked: readonly (readonly [ModelName, Passed])[] = [
    ...grids(tally).map((grid) => ['fixed-window', grid] as const),
    ['fixed-window', sliding(tally)],
    ['fixed-window-first-request', opened(tally)],
    ['sliding-log', sliding(tally)],
  ]
  const admissible = admissibleModels(window)
  return asked.some(([model, passed]) => {
    if (!admissible.includes(model)) return false
    const without = withoutRaced(tally, passed)
    return without !== null && explain(model, without, window).verdict === 'explained'
  })
}
