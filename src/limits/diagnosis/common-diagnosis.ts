import type { History, QuotaWindow } from '../history.js'
import { type DefectId, type Diagnosis, type DiagnosisContext, diagnose } from './diagnosis.js'
import { explainsWithLength } from './effective-window.js'
import { distance } from './length-search.js'

/** A key whose limiter no admissible one explains. */
export interface Undiagnosed {
  readonly history: History
  readonly window: QuotaWindow
  readonly context: DiagnosisContext
}

/**
 * What each of several keys' limiters looks like. One limiter serves all plans: where one kind of defect explains every
 * key it is that one, though another may come first for a key on which little was sent. Where none does, each key has
 * its own; null where nothing known fits.
 */
export const diagnoseAll = (keys: readonly Undiagnosed[]): readonly (Diagnosis | null)[] => {
  const first = keys.map(({ history, window, context }) => diagnose(history, window, context, 1)[0] ?? null)
  const agree = first.every((each) => each?.id === first[0]?.id)
  const common = agree ? first : (commonOf(keys.map((key) => diagnose(key.history, key.window, key.context))) ?? first)
  return withOneLength(keys, common)
}

/** Of the kinds that every list has the one that stands highest in them, for each list; null where there is none. */
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
 * Each key bounds the length of a wrong window; the farthest from what was said that fits every key is every key's,
 * though one that little was sent on may be explained by the other direction too.
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
