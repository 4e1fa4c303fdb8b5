import type { History, QuotaWindow } from '../../readings/history.js'
import { type DefectId, type Diagnosis, type DiagnosisContext, diagnose } from './diagnosis.js'
import { explainsWithLength } from './effective-window.js'
import { distance } from './length-search.js'

/** A key whose history no admissible model explains. */
export interface Undiagnosed {
  readonly history: History
  readonly window: QuotaWindow
  readonly context: DiagnosisContext
}

/**
 * What the limiter of each key looks like. One limiter serves all plans: a defect that explains every key is named for
 * all of them, even if another comes first for a key on which little was sent. Where none explains all, each key has
 * its own; null where no known defect fits.
 */
export const diagnoseAll = (keys: readonly Undiagnosed[]): readonly (Diagnosis | null)[] => {
  const first = keys.map(({ history, window, context }) => diagnose(history, window, context, 1)[0] ?? null)
  const agree = first.every((each) => each?.id === first[0]?.id)
  const common = agree ? first : (commonOf(keys.map((key) => diagnose(key.history, key.window, key.context))) ?? first)
  return withOneLength(keys, common)
}

/** The defect that is in every list, with the best places; of each list its own entry. Null where none is in all. */
const commonOf = (lists: readonly (readonly Diagnosis[])[]): readonly Diagnosis[] | null => {
  const placeOf = (id: DefectId) => (list: readonly Diagnosis[]) => list.findIndex((each) => each.id === id)
  const ranked = (lists[0] ?? [])
    .map(({ id }) => ({ id, places: lists.map(placeOf(id)) }))
    .filter(({ places }) => !places.includes(-1) && !lists.every((list, i) => list[places[i]].saysLittle))
    .map(({ places }) => ({ places, sum: places.reduce((sum, place) => sum + place, 0) }))
  if (ranked.length === 0) return null
  const { places } = ranked.reduce((best, each) => (each.sum < best.sum ? each : best))
  return lists.map((list, i) => list[places[i]])
}

/**
 * Gives all keys one length, where all of them have a window of a wrong one: of the lengths that were found, the one
 * farthest from the plan's that explains every key. Found 45 s on Free and 30 s on Pro, and 30 s explains both: it is
 * 30 s.
 */
const withOneLength = (
  keys: readonly Undiagnosed[],
  diagnoses: readonly (Diagnosis | null)[],
): readonly (Diagnosis | null)[] => {
  const ofLength = diagnoses.filter((each) => each?.id === 'window-shorter' || each?.id === 'window-longer')
  if (ofLength.length < keys.length) return diagnoses
  const saidMs = keys[0]?.window.windowMs
  const windowMs = ofLength
    .map((each) => Number(each?.facts.windowMs))
    .sort((a, b) => distance(b, saidMs) - distance(a, saidMs))
    .find((length) => keys.every(({ history, window }) => explainsWithLength(history, window, length)))
  if (windowMs === undefined) return diagnoses
  const id = windowMs < saidMs ? 'window-shorter' : 'window-longer'
  return diagnoses.map((each) => each && { ...each, id, facts: { windowMs } })
}
