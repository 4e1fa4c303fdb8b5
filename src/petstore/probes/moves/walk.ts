import {
  shownEntry,
  type UpdateKind,
  type WalkClause,
  type WalkEvent,
  walkBreaches,
} from '../../../contract/petstore/inventory-model.js'
import type { StepOf } from '../../../contract/probe-catalogue.js'
import { readJson } from '../../../kit/lossless-json.js'
import type { Pet, ProbeContext } from '../../../probes/probe.js'

/** The readings of a walk: `end` closes it, `control-reading` follows another reading with nothing sent in between. */
export type ReadingStep = 'before' | 'control-reading' | 'read' | 'end'

/** A walk over the inventory, step by step, with the model's view of it. */
export interface Walk {
  /** Forgets all but the last reading, with which the next walk starts. */
  startAnew(): void
  read(step: ReadingStep): Promise<readonly Pet[]>
  /** Sends a PATCH; `quantity` is what the body says, undefined where it says none. */
  update(asks: UpdateKind, petId: bigint, body: string, quantity?: bigint): Promise<void>
  /** What a pet holds by now, as far as the walk knows. */
  quantityOf(petId: bigint): bigint | undefined
  /** Requests that were sent, those of earlier walks included. */
  sent(): number
  /** The first clause that the walk has broken since its start. */
  broken(): WalkClause | undefined
}

/** Starts a walk; every step is a request to the target. */
export const createWalk = (context: ProbeContext<StepOf<'model-walk'>>): Walk => {
  const held = new Map<bigint, bigint>()
  let events: WalkEvent[] = []
  let sent = 0
  return {
    startAnew() {
      events = events.slice(-1)
    },
    async read(step) {
      sent += 1
      const pets = await context.inventory(step)
      for (const { id, quantity } of pets) held.set(id, quantity)
      const quantities = new Map(pets.map(({ id, quantity }) => [String(id), String(quantity)]))
      events.push({ kind: 'reading', quantities })
      return pets
    },
    async update(asks, petId, body, quantity) {
      const digits = quantity === undefined ? '' : String(quantity)
      const intent = { petId: String(petId), quantity: digits, case: `PATCH ${petId} with ${body}` }
      sent += 1
      const x = await context.ask({ step: asks, operation: 'updateInventory', petId, body, intent })
      const reading = x.response?.body.encoding === 'utf8' ? readJson(x.response.body.content) : undefined
      const shown = shownEntry(reading?.ok ? reading.value : undefined)
      const status = x.response?.status
      events.push({ kind: 'update', asks, petId: String(petId), quantity: digits, status, shown })
      if (status === 200 && quantity !== undefined) held.set(petId, quantity)
    },
    quantityOf: (petId) => held.get(petId),
    sent: () => sent,
    broken: () => walkBreaches(events)[0]?.clause,
  }
}
