import type { ClauseId } from '../clauses.js'
import { inventoryItem } from './schemas.js'

/**
 * Kinds of updates: `valid` and `control` have to be accepted, `loose` is where the interface leaves bounds open,
 * `invalid` has an invalid body, `absent` names a pet that does not exist.
 */
export const updateKinds = ['valid', 'control', 'loose', 'invalid', 'absent'] as const
export type UpdateKind = (typeof updateKinds)[number]

/** One step of a walk over the inventory, with its response. Ids and quantities are decimal digits. */
export type WalkEvent =
  | { readonly kind: 'reading'; readonly quantities: ReadonlyMap<string, string> }
  | {
      readonly kind: 'update'
      readonly asks: UpdateKind
      readonly petId: string
      readonly quantity: string
      /** Undefined if there was no response. */
      readonly status: number | undefined
      readonly shown: ShownEntry
    }

type Update = Extract<WalkEvent, { kind: 'update' }>

/** What the response to an update shows of the entry; unreadable fields are left out. */
interface ShownEntry {
  readonly petId?: string
  readonly quantity?: string
}

/** Where a walk contradicts the model of the inventory: the broken clause, and the event that shows it. */
export type WalkBreach = { readonly at: number } & (
  | { readonly clause: 'INV-3'; readonly what: 'refused'; readonly got: number }
  | {
      readonly clause: 'INV-3'
      readonly what: 'misanswered'
      readonly field: 'petId' | 'quantity'
      readonly sent: string
      readonly shown: string
    }
  | { readonly clause: 'INV-5' | 'INV-6'; readonly what: 'not-refused'; readonly got: number }
  | {
      readonly clause: 'INV-2' | 'INV-8'
      readonly what: 'disagrees'
      readonly petId: string
      readonly model: string
      readonly shown: string
    }
)

/** The clauses whose breach a walk can show. */
export type WalkClause = WalkBreach['clause'] & ClauseId

/** The entry in a body, read field by field, so that one invalid field does not hide the others. */
export const shownEntry = (body: unknown): ShownEntry => {
  const { petId, quantity } = inventoryItem.shape
  const fields = typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : {}
  const [id, count] = [petId.safeParse(fields.petId), quantity.safeParse(fields.quantity)]
  return { ...(id.success ? { petId: `${id.data}` } : {}), ...(count.success ? { quantity: `${count.data}` } : {}) }
}

/** Statuses that say nothing about the update itself: an unknown or banned key, a limit, a gateway. */
const saysNothing = new Set([401, 403, 429, 502, 503, 504])

/** Statuses under which nothing may have changed (INV-8). */
const refusals = new Set([400, 403, 404, 429])

/** Compares the response to an update with what it asked for. A pet that has since gone is not a breach. */
const answerBreach = (update: Update, at: number, isGone: boolean): WalkBreach | undefined => {
  const { asks, status, petId, quantity, shown } = update
  if (status === undefined || saysNothing.has(status)) return undefined
  if (asks === 'invalid') return status === 400 ? undefined : { clause: 'INV-5', what: 'not-refused', at, got: status }
  if (asks === 'absent') return status === 404 ? undefined : { clause: 'INV-6', what: 'not-refused', at, got: status }
  if (status !== 200) {
    const isOpen = asks === 'loose' && status === 400
    return isOpen || isGone ? undefined : { clause: 'INV-3', what: 'refused', at, got: status }
  }
  if (shown.petId !== undefined && shown.petId !== petId)
    return { clause: 'INV-3', what: 'misanswered', at, field: 'petId', sent: petId, shown: shown.petId }
  return shown.quantity !== undefined && shown.quantity !== quantity
    ? { clause: 'INV-3', what: 'misanswered', at, field: 'quantity', sent: quantity, shown: shown.quantity }
    : undefined
}

const stretchOf = (updates: readonly Update[]) => {
  const asked = (update: Update) => update.asks !== 'invalid' && update.asks !== 'absent'
  const accepted = updates.filter((each) => asked(each) && each.status === 200)
  // A 404 for a pet that was there means that it has since gone; who removed it is unknown.
  const hasGone = (update: Update) => update.status === 404 && update.asks !== 'absent'
  const refused = updates.filter((each) => each.status !== undefined && refusals.has(each.status) && !hasGone(each))
  const others = updates.filter((each) => !accepted.includes(each) && !refused.includes(each))
  return {
    set: new Map(accepted.map(({ petId, quantity }) => [petId, quantity])),
    refused: new Set(refused.map(({ petId }) => petId)),
    /** Pets of updates whose effect is unknown or does not matter here. */
    unknown: new Set(others.map(({ petId }) => petId)),
  }
}

type WalkStretch = ReturnType<typeof stretchOf>

/** The clause that is broken if an entry differs from the model; undefined if that is unclear. */
const clauseOfMove = (petId: string, { set, refused, unknown }: WalkStretch): 'INV-2' | 'INV-8' | undefined => {
  if (unknown.has(petId) || (set.has(petId) && refused.has(petId))) return undefined
  if (set.has(petId)) return 'INV-2'
  // No update set this entry: if there were several kinds of updates, it is unclear which one moved it.
  if (unknown.size > 0 || (set.size > 0 && refused.size > 0)) return undefined
  return set.size > 0 ? 'INV-2' : 'INV-8'
}

const readingBreaches = (
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  stretch: WalkStretch,
  at: number,
): WalkBreach[] =>
  [...new Set([...before.keys(), ...after.keys(), ...stretch.set.keys()])].flatMap((petId): WalkBreach[] => {
    const model = stretch.set.get(petId) ?? before.get(petId) ?? 'absent'
    const shown = after.get(petId) ?? 'absent'
    const clause = model === shown ? undefined : clauseOfMove(petId, stretch)
    // A refused update removes no entry from the list, and brings back only the one that it names.
    const isList = shown === 'absent' || (model === 'absent' && !stretch.refused.has(petId))
    return clause === undefined || (clause === 'INV-8' && isList)
      ? []
      : [{ clause, what: 'disagrees', at, petId, model, shown }]
  })

/**
 * Compares a walk with a model of the inventory: each reading shows what the previous one showed, changed only by the
 * accepted updates between them. Each reading starts the next stretch, so a breach is reported once, under one clause. A
 * change with no update in between is no breach but a {@link strangerMove}.
 */
export const walkBreaches = (walk: readonly WalkEvent[]): WalkBreach[] => {
  const readings = walk.flatMap((event, at) => (event.kind === 'reading' ? [{ at, ...event }] : []))
  const answers = walk.flatMap((event, at) => {
    if (event.kind === 'reading') return []
    const next = readings.find((reading) => reading.at > at)
    return answerBreach(event, at, next !== undefined && !next.quantities.has(event.petId)) ?? []
  })
  const disagreements = readings.slice(1).flatMap((after, i) => {
    const before = readings[i]
    const updates = walk.slice(before.at + 1, after.at).filter((event) => event.kind === 'update')
    if (updates.length === 0) return []
    return readingBreaches(before.quantities, after.quantities, stretchOf(updates), after.at)
  })
  return [...answers, ...disagreements].sort((a, b) => a.at - b.at)
}

/** A pet whose quantity or status changed; `absent` if not listed. A type, because an interface can't serve as facts. */
export type PetChange = { readonly petId: string; readonly before: string; readonly after: string }

/** The pets whose quantity or status differs, or that are in only one of the lists. */
export const changedPets = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): PetChange[] =>
  [...new Set([...before.keys(), ...after.keys()])].flatMap((petId) => {
    const [was, is] = [before.get(petId) ?? 'absent', after.get(petId) ?? 'absent']
    return was === is ? [] : [{ petId, before: was, after: is }]
  })

/** The first pet that changed between two readings without an update between them: somebody else writes. */
export const strangerMove = (walk: readonly WalkEvent[]): (PetChange & { readonly at: number }) | undefined => {
  for (const [i, after] of walk.entries()) {
    const before = walk[i - 1]
    if (before?.kind !== 'reading' || after.kind !== 'reading') continue
    const [moved] = changedPets(before.quantities, after.quantities)
    if (moved) return { at: i, ...moved }
  }
  return undefined
}
