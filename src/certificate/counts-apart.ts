import type { QuotaWindow } from '../contract/plans.js'
import { type SpellingKind, spellingKinds } from '../contract/request-spellings.js'
import { groupedBy } from '../kit/grouped-by.js'
import { placesOf } from '../kit/numbers.js'
import { type History, isDecided, outcomes } from '../readings/history.js'
import type { KeyRecord } from '../readings/key-record.js'
import { mostWithin, passageOf } from '../readings/passage.js'
import { type Limiter, limiters } from './limiters.js'
import type { Defect, Make } from './named-defect.js'
import { type Replayed, replayedAs } from './replays.js'

/** Refusals of requests in another spelling on a spent key: their indices, each with the name of its spelling. */
type SpelledRefusals = ReadonlyMap<number, string>

const countingBy =
  (labelOf: (row: number) => string): Make =>
  ({ model, settings }) => {
    const byLabel = new Map<string, Limiter>()
    return (row) => {
      const label = labelOf(row)
      const known = byLabel.get(label)
      if (known) return known
      const made = limiters[model](settings)
      byLabel.set(label, made)
      return made
    }
  }

const isRoute = (kind: SpellingKind): boolean => kind === 'operation'
const isAddress = (kind: SpellingKind): boolean => kind === 'address'
const isSpelling = (kind: SpellingKind): boolean => !isRoute(kind) && !isAddress(kind) && kind !== 'credential'

/**
 * Limiters that count separately what belongs together: by route, by spelling, or by the address that a request claims to
 * come from. A refusal on a spent key exposes them if the request's own separate count was not spent. They are only measured
 * here: the check of QUOTA-6 tests each spelling by itself.
 */
export const apartDefects = (
  history: History,
  { exact }: QuotaWindow,
  routeOf: (row: number) => string,
  spelled: SpelledRefusals = new Map(),
): Defect[] => {
  // A limiter that may admit any number may count as it likes.
  if (exact?.over === null) return []
  const defect = (
    id: string,
    words: string,
    isMeant: (kind: SpellingKind) => boolean,
    labelOf: (row: number) => string,
  ) => {
    const asking = new Set([...spelled].flatMap(([row, name]) => (spellingKinds([name]).some(isMeant) ? [row] : [])))
    const labels = new Set<string>()
    for (let row = 0; row < history.size; row += 1)
      if (isDecided(history.outcome[row]) || asking.has(row)) labels.add(labelOf(row))
    const how: Defect['how'] = {
      make: countingBy(labelOf),
      asking,
      isSeenIn: ({ outcome }) => [...asking].some((row) => outcome[row] === outcomes.admitted),
    }
    return labels.size > 1 ? [{ id, words, clauses: [], of: 'one key' as const, how }] : []
  }
  const nameWhere = (isMeant: (kind: SpellingKind) => boolean) => (row: number) => {
    const name = spelled.get(row)
    return name !== undefined && spellingKinds([name]).some(isMeant) ? name : ''
  }
  return [
    ...defect('routes-apart', 'a count for each route', isRoute, routeOf),
    ...defect('spellings-apart', 'a count for each spelling of a request', isSpelling, nameWhere(isSpelling)),
    ...defect('addresses-apart', 'a count for each address that a request claims', isAddress, nameWhere(isAddress)),
  ]
}

/** One count for this key and another, whose admissions count here too. */
const sharing =
  ({ size, sentMs, outcome }: History): Make =>
  ({ model, settings }) => {
    const inner = limiters[model](settings)
    let next = 0
    const limiter: Limiter = {
      decide(now, cost) {
        for (; next < size && sentMs[next] <= now; next += 1)
          if (outcome[next] === outcomes.admitted) inner.decide(sentMs[next])
        return inner.decide(now, cost)
      },
    }
    return () => limiter
  }

/** The requests on another key, and the requests that tested whether it holds this one back. */
interface SpentBeside {
  readonly history: History
  readonly asking: readonly number[]
}

/** A count shared with the key of another plan. @param others the other keys, by plan. */
export const sharingDefects = (others: Readonly<Record<string, SpentBeside>>): Defect[] =>
  Object.entries(others).map(([plan, { history, asking }]) => ({
    id: `shares-with-${plan}`,
    words: `a count that is shared with ${plan}`,
    clauses: ['QUOTA-4'],
    of: 'each key',
    how: {
      make: sharing(history),
      isSeenIn: ({ outcome }) => asking.some((row) => outcome[row] === outcomes.refused),
    },
  }))

/** A key's rows, each with its operation and whether it was refused. */
type Asked = Pick<KeyRecord, 'size' | 'sentMs' | 'receivedMs' | 'status' | 'operation'>

/**
 * A smaller limit of one operation alone, which could hide wherever one is sent less often than the quota allows: the operation
 * that came nearest, or none. Those of one span may lie in two windows, so not even as many are told to be admitted in one.
 */
export const operationLimit = (record: Asked, { limit, windowMs }: QuotaWindow): readonly Replayed[] => {
  const counted = placesOf(record.size, (i) => record.status[i] !== 429)
  let [most, name] = [0, '']
  for (const [operation, rows] of groupedBy(counted, (i) => record.operation(i))) {
    const within = mostWithin(passageOf(record, rows), windowMs)
    if (operation !== null && within < limit && within > most) [most, name] = [within, operation]
  }
  if (most === 0) return []
  const words = `a smaller limit for ${name} alone, of which at most ${most} came within a window`
  return [replayedAs({ id: 'operation-limit', words, clauses: [], of: 'each key' }, { caught: 0, draws: 1 })]
}
