import { freeGrids, type ModelName } from '../contract/limiter-models.js'
import type { Evidence } from '../evidence/evidence.js'
import { outageMsOf, type SettledEvent, settledEvents } from '../evidence/stretches.js'
import { firstThat } from '../kit/numbers.js'
import { onceFor } from '../kit/once-for.js'
import { type History, outcomes } from '../readings/history.js'
import { seenAround, stretchesSeen, viewOf } from '../readings/quota-views.js'
import { tallyOf } from './counting/tally.js'
import { mayGiveBackAtOnce } from './gives-back-at-once.js'
import { modelsExplaining, type RecordedKey, recordedKeys, unitsOf } from './judged-keys.js'
import { explainAll } from './models/explain.js'
import type { Explanation } from './models/explanation.js'
import { phaseErrorShare } from './models/sliding-counter.js'
import { leftOutOfLog } from './models/sliding-log.js'

interface Range {
  readonly least: number
  readonly most: number
}

interface KeyEffect {
  readonly plan: string
  readonly limit: number
  /**
   * How many more were admitted than without the event, until a window after it: the fewest and the most, over the ways of
   * counting that explain the stretches before and after it. Null if none explains both.
   */
  readonly more: Range | null
  /** Requests around the event without an answer of the target's own: each may have been counted, and so may be in `most`. */
  readonly failed: number
}

interface EventEffect {
  readonly event: SettledEvent
  /** For how long nothing was answered, in milliseconds; null if everything was. */
  readonly outageMs: number | null
  readonly keys: readonly KeyEffect[]
}

/** Whether a key was used within a window before the event and after it: otherwise no effect could be seen. */
const wasInUse = ({ sentMs }: RecordedKey['record'], { at, overAt }: SettledEvent, windowMs: number): boolean =>
  sentMs.some((ms) => ms < at && ms > at - windowMs) && sentMs.some((ms) => ms >= overAt && ms < overAt + windowMs)

/** Makes histories in which the admissions since a moment are admitted, unknown or refused, as given; others are excused. */
const withoutEvent = (history: History, from: number, admitted: readonly number[]) => {
  const since = history.outcome.map((each, i) =>
    history.sentMs[i] < from || each === outcomes.unknown ? each : outcomes.excused,
  )
  return (kept: readonly number[], maybe: readonly number[] = [], refused: readonly number[] = []): History => {
    const outcome = since.slice()
    for (const row of kept) outcome[admitted[row]] = outcomes.admitted
    for (const row of maybe) outcome[admitted[row]] = outcomes.unknown
    for (const row of refused) outcome[admitted[row]] = outcomes.refused
    return { ...history, outcome }
  }
}

const rowsFrom = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i)

/** How many spent windows are followed: the time within a window after an event lies in two. */
const mostSpent = 2
/** The first refusal is searched for in this many steps: a refusal that was due is early again once its window is over. */
const mostSteps = 24

/** How many admissions a model would have to leave out. */
const leftOut = (each: Explanation | undefined): number =>
  each?.verdict === 'refuted' ? Math.max(0, Math.ceil(each.overAdmitted)) : 0

/** How many requests, sent within a window before an event or while it lasted, got no answer of the target's own. */
const failedAbout = ({ history, agreed }: RecordedKey, { at, overAt }: SettledEvent): number => {
  const isAbout = (ms: number) => ms > at - agreed.windowMs && ms < overAt
  return history.receivedMs.filter((ms, i) => ms === Number.POSITIVE_INFINITY && isAbout(history.sentMs[i])).length
}

/**
 * How many of the admissions after an event a limiter of the model would refuse if it had forgotten nothing: the fewest, if
 * it admits whatever it can; the most, if it spends its quota as early as possible and gets it back as late as possible.
 * Refusals after the event are left aside: a count that began anew made them.
 *
 * Example: 60 a minute are spent and the process is killed at 0:20. 60 are admitted at 0:21 and 60 more at 0:50. If the
 * window that was open then ended at 0:40 at the latest, it refuses 60 at most; if at 1:01, all 120.
 */
const refusedWithout = (key: RecordedKey, model: ModelName, event: SettledEvent): Range => {
  const { at } = event
  const { history } = unitsOf(key)
  const admitted = rowsFrom(0, history.size).filter(
    (i) => history.sentMs[i] >= at && history.outcome[i] === outcomes.admitted,
  )
  const made = withoutEvent(history, at, admitted)
  // By their answers: whoever waited in a queue may have been decided late, though asked early.
  const answered = admitted.toSorted((a, b) => history.receivedMs[a] - history.receivedMs[b])
  const madeOfAnswered = withoutEvent(history, at, answered)
  const agreed = { ...key.agreed, models: [model] }
  const explanationOf = (each: History) => explainAll(each, agreed)[model]
  const explains = (each: History) => explanationOf(each)?.verdict === 'explained'
  const last = admitted.length - 1

  // In one window: refused are those from the first that no longer fits up to the first that may belong to the next window.
  const fewest = (): number => {
    const first = firstThat(0, last, (row) => !explains(madeOfAnswered(rowsFrom(0, row + 1))))
    return firstThat(first, last, (row) => explains(madeOfAnswered([...rowsFrom(0, first), row]))) - first
  }

  const most = (): number => {
    const [kept, refused]: [number[], number[]] = [[], []]
    let place = 0
    for (let spent = 0; spent < mostSpent && place <= last; spent += 1) {
      const mayBeFirst = (row: number) => explains(made(kept, rowsFrom(place, row), [...refused, row]))
      const step = Math.ceil((admitted.length - place) / mostSteps)
      let seen = place
      while (seen <= last && !mayBeFirst(seen)) seen += step
      const first = firstThat(Math.max(place, seen - step + 1), Math.min(seen, last), mayBeFirst)
      kept.push(...rowsFrom(place, first))
      const endsBy = (row: number) => !explains(made(kept, [], [...refused, ...rowsFrom(first, row + 1)]))
      place = firstThat(first, last, endsBy)
      refused.push(...rowsFrom(first, place))
    }
    return refused.length
  }

  if (mayGiveBackAtOnce({ models: [model] })) return { least: fewest(), most: most() }
  const whole = made(rowsFrom(0, admitted.length))
  const beyond = model === 'sliding-log' ? leftOutOfLog(tallyOf(whole, agreed)) : leftOut(explanationOf(whole))
  const ifCounted = beyond + failedAbout(key, event)
  return { least: beyond, most: model === 'sliding-counter' ? Math.max(ifCounted, most()) : ifCounted }
}

/**
 * How many more were admitted than the limiter would have, over the models that explain what came before and after. None for
 * a model that explains everything as if nothing had happened, if a count that began anew would have refused too early.
 */
const beyond = (
  key: RecordedKey,
  after: RecordedKey,
  event: SettledEvent,
  models: readonly ModelName[],
): KeyEffect['more'] => {
  if (models.length === 0) return null
  const goesOn = modelsExplaining(key, key.history)
  const fresh = modelsExplaining(after, { ...after.history, priorUntilMs: Number.NEGATIVE_INFINITY })
  const ranges = models.map((model) =>
    goesOn.includes(model) && !fresh.includes(model) ? { least: 0, most: 0 } : refusedWithout(key, model, event),
  )
  return { least: Math.min(...ranges.map(({ least }) => least)), most: Math.max(...ranges.map(({ most }) => most)) }
}

/** A clock of whole milliseconds is off by up to half of one: this safety margin is taken back for measuring. */
const addedMs = 1

const narrowed = (key: RecordedKey): RecordedKey => {
  const { sentMs, receivedMs } = key.history
  const history = {
    ...key.history,
    sentMs: sentMs.map((ms) => ms + addedMs),
    receivedMs: receivedMs.map((ms) => ms - addedMs),
  }
  return { ...key, history }
}

const explainingBoth = (before: RecordedKey, after: RecordedKey): ModelName[] => {
  const both = [before, after].map((each) => modelsExplaining(each, each.history))
  return both[0].filter((model) => both[1].includes(model))
}

/**
 * What is certain whatever the phase. The best fit may have another one than the limiter: one admission more or less in the
 * visible window. For a sliding counter the phase is searched in steps.
 */
const certainOf = (more: Range, models: readonly ModelName[], limit: number): Range => {
  const steps = models.includes('sliding-counter') ? limit * phaseErrorShare : 0
  const by = models.some((model) => freeGrids.includes(model)) && more.most > 0 ? Math.floor(1 + steps) : 0
  return { least: Math.max(0, more.least - by), most: more.most + by }
}

const effectsAs = (isMeasured: boolean) =>
  onceFor((evidence: Evidence): readonly EventEffect[] => {
    const stretches = stretchesSeen(evidence).map(recordedKeys)
    const { windowMs } = viewOf(evidence)
    return settledEvents(evidence).map((event, i) => {
      const around = recordedKeys(seenAround(evidence, event))
      const keys = around.flatMap((key, k) => {
        if (!wasInUse(key.record, event, windowMs)) return []
        const [before, after] = [stretches[i][k], stretches[i + 1][k]]
        const models = explainingBoth(before, after)
        const isNarrow = isMeasured && explainingBoth(narrowed(before), narrowed(after)).length === models.length
        const as = isNarrow ? narrowed : (same: RecordedKey) => same
        const found = beyond(as(key), as(after), event, models)
        const more = isMeasured || !found ? found : certainOf(found, models, key.window.limit)
        return [{ plan: key.plan, limit: key.window.limit, more, failed: failedAbout(key, event) }]
      })
      return { event, outageMs: outageMsOf(evidence, event), keys }
    })
  })

/** The effect of each event of a run, for the quota through which the evidence is viewed. */
export const eventEffects = effectsAs(true)

/** The same, as far as it is certain; for verdicts. */
export const certainEffects = effectsAs(false)
