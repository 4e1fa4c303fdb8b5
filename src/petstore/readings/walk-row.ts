import { isWhole, objectOf } from '../../checks/readings/answers.js'
import { shownEntry, type UpdateKind, updateKinds, type WalkEvent } from '../../contract/petstore/inventory-model.js'
import { answersOf, type Evidence } from '../../evidence/evidence.js'
import type { Exchange } from '../../evidence/exchange.js'
import { onceFor } from '../../kit/once-for.js'
import { isUpdated, quantitiesOf } from './listed-pets.js'

/** A walk as it was played, from the reading before it to its last one. */
export interface PlayedWalk {
  readonly exchanges: readonly Exchange[]
  readonly events: readonly WalkEvent[]
}

const isKind = (step: string): step is UpdateKind => (updateKinds as readonly string[]).includes(step)

const eventOf = (x: Exchange): WalkEvent | undefined => {
  if (x.operation === 'listInventory') {
    const quantities = quantitiesOf(x)
    return quantities && { kind: 'reading', quantities }
  }
  if (!isKind(x.step)) return undefined
  const shown = isUpdated(x) && isWhole(x) ? shownEntry(objectOf(x)) : {}
  const { petId, quantity } = x.intent
  return { kind: 'update', asks: x.step, petId, quantity, status: x.response?.status, shown }
}

/** All that the probe did, and the walks that it is made of. */
export interface WalkRow {
  readonly row: readonly Exchange[]
  readonly whole: PlayedWalk
  readonly walks: readonly PlayedWalk[]
}

/** The walks of a run, each closed by the reading at its end; one that was interrupted is left as far as it came. */
const split = ({ exchanges, events }: PlayedWalk): PlayedWalk[] => {
  const walks: PlayedWalk[] = []
  const add = (from: number, to: number) =>
    walks.push({ exchanges: exchanges.slice(from, to), events: events.slice(from, to) })
  let start = 0
  for (const [i, { step }] of exchanges.entries()) {
    if (step === 'end') add(start, i + 1)
    if (step === 'end' || step === 'control-reading') start = i
  }
  if (exchanges.length - start > 1) add(start, exchanges.length)
  return walks
}

/**
 * What the probe did, in order. Long lists are slow to read, and several checks judge the same walks: each run's are read
 * once.
 */
export const walkRow = onceFor((evidence: Evidence): WalkRow => {
  const row = answersOf(evidence, 'model-walk')
  const both = row.flatMap((x) => {
    const event = eventOf(x)
    return event ? [{ x, event }] : []
  })
  const whole = { exchanges: both.map(({ x }) => x), events: both.map(({ event }) => event) }
  return { row, whole, walks: split(whole) }
})

/** The last update before the first that has to be refused: what it was answered is what those prove. */
export const controlOf = ({ row }: WalkRow): Exchange[] => {
  const first = row.findIndex(({ step }) => step === 'invalid' || step === 'absent')
  const control = (first < 0 ? row : row.slice(0, first)).findLast((x) => x.operation === 'updateInventory')
  return control ? [control] : []
}
