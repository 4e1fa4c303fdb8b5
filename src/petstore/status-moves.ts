import { objectOf } from '../checks/framework/answers.js'
import { fail, inconclusive } from '../checks/framework/finding.js'
import type { PetChange } from '../contract/petstore/inventory-model.js'
import { inventoryItem } from '../contract/petstore/schemas.js'
import type { Evidence } from '../evidence/evidence.js'
import type { Exchange } from '../evidence/exchange.js'
import { onceFor } from '../kit/once-for.js'
import { isUpdated, statusesOf } from './listed-pets.js'

/** What an entry's status was when it was last shown, by which answer, and the PATCHes of the entry since. */
interface Shown {
  readonly status: string
  readonly by: Exchange
  readonly since: Exchange[]
}

/** An entry whose status changed with nothing but refused PATCHes of it in between. */
interface StatusMove extends PetChange {
  readonly patch: Exchange
  readonly readings: readonly [Exchange, Exchange]
}

const refusals: ReadonlySet<number | undefined> = new Set([400, 401, 403, 404, 429])

/** None if any other status changed: then somebody else sets statuses, or the target does in its own time. */
const statusMoves = onceFor(({ exchanges }: Evidence): readonly StatusMove[] => {
  const shown = new Map<string, Shown>()
  const moves: StatusMove[] = []
  for (const x of exchanges.toSorted((a, b) => a.sentAt - b.sentAt)) {
    if (x.operation === 'updateInventory') {
      shown.get(x.intent.petId)?.since.push(x)
      const { data } = inventoryItem.safeParse(isUpdated(x) ? objectOf(x) : undefined)
      if (data) shown.set(String(data.petId), { status: data.status, by: x, since: [] })
    }
    for (const [petId, status] of statusesOf(x) ?? []) {
      const was = shown.get(petId)
      if (was && was.status !== status) {
        const patch = was.since.at(-1)
        if (!patch || !was.since.every(({ response }) => refusals.has(response?.status))) return []
        moves.push({ petId, before: was.status, after: status, patch, readings: [was.by, x] })
      }
      shown.set(petId, { status, by: x, since: [] })
    }
  }
  return moves
})

/** What it means that PATCHes refused like this changed a status; undefined if none did. Once may be somebody else. */
export const statusMoved = (evidence: Evidence, isRefusal: (x: Exchange) => boolean) => {
  const moves = statusMoves(evidence)
  const move = moves.find(({ patch }) => isRefusal(patch))
  if (!move) return undefined
  const { petId, before, after, patch, readings } = move
  const facts = { petId, before, after, status: patch.response?.status ?? 0 }
  const witnesses = [readings[0], patch, readings[1]]
  return moves.length > 1
    ? fail('refused-but-changed', facts, ...witnesses)
    : inconclusive('status-changed-once', facts, ...witnesses)
}
