import type { ModelName } from '../contract/limiter-models.js'
import type { Evidence } from '../evidence/evidence.js'
import { outageOf, type SettledEvent, settledEvents } from '../evidence/stretches.js'
import { countBelow } from '../kit/numbers.js'
import { onceFor } from '../kit/once-for.js'
import { outcomes } from '../readings/history.js'
import { seenAround, stretchesSeen, viewOf } from '../readings/quota-views.js'
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
export interface EventEffect {
  readonly event: SettledEvent
  /** For how long nothing was answered, in milliseconds; null where all was answered. */
  readonly outageMs: number | null
  readonly keys: readonly KeyEffect[]
}

/** Whether a key was asked within a window before the event, and after it: else nothing could be seen of its effect. */
const wasInUse = ({ sentMs }: RecordedKey['record'], { at, overAt }: SettledEvent, windowMs: number): boolean =>
  sentMs.some((ms) => ms < at && ms > at - windowMs) && sentMs.some((ms) => ms >= overAt && ms < overAt + windowMs)

/** How many admissions have to be left out for a model to explain all of it, as if nothing had happened. */
const beyond = (key: RecordedKey, models: readonly ModelName[], hidden: number): KeyEffect['more'] => {
  if (models.length === 0) return null
  const { history } = unitsOf(key)
  const explanations = explainAll(history, key.agreed)
  const counts = models.map((model) => {
    const each = explanations[model]
    return each?.verdict === 'refuted' ? Math.max(0, Math.ceil(each.overAdmitted)) : 0
  })
  return { least: Math.min(...counts), most: Math.max(hidden, ...counts) }
}

/**
 * How many a count that begins anew at the event can have admitted beyond the limit, where what came after the event fits such
 * a count. A window whose end is not known to the millisecond may have ended meanwhile: then the whole is explained by a
 * limiter that forgot nothing as well, and only this says how much it can hide. What is refused early in a fresh count can't.
 *
 * Example: 20 in 4 s are spent, the process is killed, and 17 are admitted before the next refusal: up to 17.
 */
const hiddenBy = (key: RecordedKey, after: RecordedKey, { at }: SettledEvent, models: readonly ModelName[]): number => {
  const fresh = { ...after.history, priorUntilMs: Number.NEGATIVE_INFINITY }
  const fits = modelsExplaining(after, fresh)
  if (!models.some((model) => fits.includes(model))) return 0
  const { history } = unitsOf(key)
  const sent = history.sentMs.filter((_, i) => history.outcome[i] === outcomes.admitted)
  const { limit, windowMs } = key.agreed
  const beforeInAll = countBelow(sent, at)
  let [most, behind] = [0, 0]
  for (let first = 0; first < sent.length; first += 1) {
    while (behind < sent.length && sent[behind] < sent[first] + windowMs) behind += 1
    const within = behind - first
    const before = Math.min(within, Math.max(0, beforeInAll - first))
    most = Math.max(most, Math.min(before, within - before, within - limit))
  }
  return most
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
      const hidden = hiddenBy(key, stretches[i + 1][k], event, models)
      return [{ plan: key.plan, limit: key.window.limit, more: beyond(key, models, hidden) }]
    })
    return { event, outageMs: outageOf(evidence, event)?.lastedMs ?? null, keys }
  })
})
