import type { ModelName } from '../contract/limiter-models.js'
import type { Evidence } from '../evidence/evidence.js'
import { outageOf, type SettledEvent, settledEvents } from '../evidence/stretches.js'
import { onceFor } from '../kit/once-for.js'
import { type History, outcomes } from '../readings/history.js'
import { seenAround, stretchesSeen, viewOf } from '../readings/quota-views.js'
import { mayGiveBackAtOnce } from './gives-back-at-once.js'
import { modelsExplaining, type RecordedKey, recordedKeys, unitsOf } from './judged-keys.js'
import { explainAll } from './models/explain.js'

/** What an event did to the quota of one key. */
interface KeyEffect {
  readonly plan: string
  readonly limit: number
  /**
   * How many were admitted beyond what the limiter would have admitted without the event: the fewest and the most, over the
   * ways of counting that explain the stretches before and after it. Null where none explains both.
   */
  readonly more: { readonly least: number; readonly most: number } | null
}

/** What an event did to the target. */
interface EventEffect {
  readonly event: SettledEvent
  /** For how long nothing was answered, in milliseconds; null where all was answered. */
  readonly outageMs: number | null
  readonly keys: readonly KeyEffect[]
}

/** Whether a key was asked within a window before the event, and after it: else nothing could be seen of its effect. */
const wasInUse = ({ sentMs }: RecordedKey['record'], { at, overAt }: SettledEvent, windowMs: number): boolean =>
  sentMs.some((ms) => ms < at && ms > at - windowMs) && sentMs.some((ms) => ms >= overAt && ms < overAt + windowMs)

/** The history with what was admitted since a moment taken for so many that would have been, and so many that would not. */
const withoutEvent = (history: History, from: number, admitted: readonly number[]) => {
  const since = history.outcome.map((each, i) =>
    history.sentMs[i] < from || each === outcomes.unknown ? each : outcomes.excused,
  )
  return (kept: readonly number[], maybe: readonly number[], refused: readonly number[]): History => {
    const outcome = since.slice()
    for (const row of kept) outcome[admitted[row]] = outcomes.admitted
    for (const row of maybe) outcome[admitted[row]] = outcomes.unknown
    for (const row of refused) outcome[admitted[row]] = outcomes.refused
    return { ...history, outcome }
  }
}

const rowsFrom = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i)

/** The smallest number in [low, high] for which it holds, as it does for all above; one more than `high` for none. */
const firstThat = (low: number, high: number, holds: (value: number) => boolean): number => {
  let [from, to] = [low, high + 1]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (holds(middle)) to = middle
    else from = middle + 1
  }
  return from
}

/** So many spent windows are followed: what came within a window after an event lies in two. */
const mostSpent = 2
/** In so many steps the first refusal is looked for: a refusal that was due is early again once its window is over. */
const mostSteps = 24

/**
 * The most of what was admitted after an event that a limiter of the model, had it forgotten nothing, may have refused. It
 * is what a limiter does that has spent its quota as soon as it can have, and gets it back as late as it can.
 *
 * Example: 60 a minute are spent and the process is killed at 0:20. 60 are admitted at 0:21 and 60 more at 0:50. If the
 * window that was open then can have ended at 0:40 at the latest, 60; at 1:01, all 120.
 */
const mostRefused = (key: RecordedKey, model: ModelName, { at }: SettledEvent): number => {
  const { history } = unitsOf(key)
  const admitted = rowsFrom(0, history.size).filter(
    (i) => history.sentMs[i] >= at && history.outcome[i] === outcomes.admitted,
  )
  const made = withoutEvent(history, at, admitted)
  const agreed = { ...key.agreed, models: [model] }
  const explains = (each: History) => explainAll(each, agreed)[model]?.verdict === 'explained'
  const kept: number[] = []
  const refused: number[] = []
  let place = 0
  for (let spent = 0; spent < mostSpent && place < admitted.length; spent += 1) {
    const mayBeFirst = (row: number) => explains(made(kept, rowsFrom(place, row), [...refused, row]))
    const step = Math.ceil((admitted.length - place) / mostSteps)
    let seen = place
    while (seen < admitted.length && !mayBeFirst(seen)) seen += step
    const last = Math.min(seen, admitted.length - 1)
    const first = firstThat(Math.max(place, seen - step + 1), last, mayBeFirst)
    kept.push(...rowsFrom(place, first))
    const endsBy = (row: number) => !explains(made(kept, [], [...refused, ...rowsFrom(first, row + 1)]))
    place = firstThat(first, admitted.length - 1, endsBy)
    refused.push(...rowsFrom(first, place))
  }
  return refused.length
}

/**
 * How many were admitted beyond what the limiter would have: the fewest have to be left out for a model to explain all of
 * it, as if nothing had happened; the most may have hidden behind a window that nobody saw end, where what came after the
 * event fits a count that began anew. What is refused early in a fresh count does not.
 */
const beyond = (
  key: RecordedKey,
  after: RecordedKey,
  event: SettledEvent,
  models: readonly ModelName[],
): KeyEffect['more'] => {
  if (models.length === 0) return null
  const { history } = unitsOf(key)
  const explanations = explainAll(history, key.agreed)
  const counts = models.map((model) => {
    const each = explanations[model]
    return each?.verdict === 'refuted' ? Math.max(0, Math.ceil(each.overAdmitted)) : 0
  })
  const fresh = modelsExplaining(after, { ...after.history, priorUntilMs: Number.NEGATIVE_INFINITY })
  const isPlaced = (model: ModelName) => model === 'sliding-counter' || mayGiveBackAtOnce({ models: [model] })
  const windows = models.filter((model) => fresh.includes(model) && isPlaced(model))
  const hidden = windows.map((model) => mostRefused(key, model, event))
  return { least: Math.min(...counts), most: Math.max(...counts, ...hidden) }
}

/** What each event of a run did, by the quota that the evidence is seen by. */
export const eventEffects = onceFor((evidence: Evidence): readonly EventEffect[] => {
  const stretches = stretchesSeen(evidence).map(recordedKeys)
  const { windowMs } = viewOf(evidence)
  return settledEvents(evidence).map((event, i) => {
    const around = recordedKeys(seenAround(evidence, event))
    const keys = around.flatMap((key, k) => {
      if (!wasInUse(key.record, event, windowMs)) return []
      const [before, after] = [stretches[i][k], stretches[i + 1][k]].map((each) => modelsExplaining(each, each.history))
      const models = before.filter((model) => after.includes(model))
      const more = beyond(key, stretches[i + 1][k], event, models)
      return [{ plan: key.plan, limit: key.window.limit, more }]
    })
    return { event, outageMs: outageOf(evidence, event)?.lastedMs ?? null, keys }
  })
})
