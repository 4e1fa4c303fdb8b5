import type fc from 'fast-check'
import {
  shownEntry,
  type UpdateKind,
  type WalkClause,
  type WalkEvent,
  walkBreaches,
} from '../../contract/petstore/inventory-model.js'
import type { StepOf } from '../../contract/probe-catalogue.js'
import { readJson } from '../../kit/json.js'
import {
  absentIds,
  greatestQuantity,
  isModest,
  isOrdinary,
  otherQuantity,
  updateBody,
} from '../../probes/moves/pets.js'
import { type Pet, type ProbeContext, ProbeSkipped } from '../../probes/probe.js'
import {
  type QuantityRange,
  type Refusable,
  refusables,
  type SequenceStep,
  searchWithin,
  sequences,
} from './drawn-steps.js'

/** The readings of a walk: `end` closes it; `control-reading` follows another reading with nothing sent in between. */
type ReadingStep = 'before' | 'control-reading' | 'read' | 'end'

const createWalk = (context: ProbeContext<StepOf<'model-walk'>>) => {
  const held = new Map<bigint, bigint>()
  let events: WalkEvent[] = []
  let sent = 0
  return {
    /** Forgets all but the last reading, from which the next walk starts. */
    startAnew() {
      events = events.slice(-1)
    },
    async read(step: ReadingStep) {
      sent += 1
      const pets = await context.inventory(step)
      for (const { id, quantity } of pets) held.set(id, quantity)
      const quantities = new Map(pets.map(({ id, quantity }) => [String(id), String(quantity)]))
      events.push({ kind: 'reading', quantities })
      return pets
    },
    /** Sends a PATCH; `quantity` is what the body says, undefined if it says none. */
    async update(asks: UpdateKind, petId: bigint, body: string, quantity?: bigint) {
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
    quantityOf: (petId: bigint) => held.get(petId),
    /** Requests sent so far, including those of earlier walks. */
    sent: () => sent,
    /** The first clause that the walk has broken since its start. */
    broken: () => walkBreaches(events)[0]?.clause,
  }
}

/** A walk over the inventory, step by step, with the model's view of it. */
type Walk = ReturnType<typeof createWalk>

/** Enough to see whether one changes with another, and to have one of each status. */
const mostPets = 3

/** Requests before the walks: two readings of the list. */
const readingsBefore = 2
/** The share of the requests for walks of valid requests; the others, of invalid ones, are shorter. */
const shareOfSequences = 0.55

/** The least and the greatest quantity in the list: those in between have to be accepted. Undefined if it shows none. */
const rangeOf = (pets: readonly Pet[]): QuantityRange | undefined => {
  const shown = pets.map(({ quantity }) => quantity).filter((each) => each > 0n && each <= greatestQuantity)
  if (shown.length === 0) return undefined
  const sorted = shown.toSorted((a, b) => Number(a - b))
  return { low: sorted[0], high: sorted[sorted.length - 1] }
}

const isWithin = (quantity: bigint, range: QuantityRange | undefined): boolean =>
  range !== undefined && quantity >= range.low && quantity <= range.high

/** The drawn quantity, or one next to it and as much within the range or outside it, that the pet does not hold already. */
const anotherThan = (held: bigint | undefined, drawn: bigint, range: QuantityRange | undefined): bigint => {
  const fits = (q: bigint) => q > 0n && q !== held && isWithin(q, range) === isWithin(drawn, range)
  return [drawn, drawn - 1n, drawn + 1n].find(fits) ?? drawn
}

const walkedPets = (context: ProbeContext, pets: readonly Pet[]): Pet[] => {
  if (pets.length === 0) throw new ProbeSkipped('inventory-empty')
  const ordinary = pets.filter(isOrdinary)
  const left = [...([ordinary.filter(isModest), ordinary].find((some) => some.length > 0) ?? pets)]
  const walked: Pet[] = []
  while (walked.length < mostPets && left.length > 0) {
    const others = left.filter(({ status }) => walked.every((each) => each.status !== status))
    const pet = context.inTurn(others.length > 0 ? others : left, 'changed')
    walked.push(pet)
    left.splice(left.indexOf(pet), 1)
  }
  return walked
}

/** A PATCH that has to be accepted, with which refused ones are compared. */
interface Control {
  readonly pet: Pet
  readonly quantity: bigint
  /** The quantities that have to be accepted; undefined if the list shows none: then the control may be refused. */
  readonly range: QuantityRange | undefined
}

/** What walks are made of, and how one step of them is played. */
interface Rules<Step> {
  readonly arbitrary: fc.Arbitrary<Step[]>
  readonly examples?: readonly Step[][]
  /** Brings the pets to the state from which every walk of this kind starts. */
  prepare(): Promise<unknown>
  /** The most requests that this takes. */
  readonly preparation: number
  play(step: Step): Promise<unknown>
}

/** Sequences of PATCH and GET, all of them valid as far as the interface says. */
const validSequences = (walk: Walk, pets: readonly Pet[], range: QuantityRange | undefined): Rules<SequenceStep> => ({
  arbitrary: sequences(pets.length, range),
  examples: [pets.map((_, place) => ({ place, set: range?.low ?? 1n }))],
  // Any start will do: each step sets another quantity than the pet holds.
  prepare: async () => {},
  preparation: 0,
  play(step) {
    if (step === 'read') return walk.read('read')
    const { id } = pets[step.place]
    const quantity = anotherThan(walk.quantityOf(id), step.set, range)
    return walk.update(isWithin(quantity, range) ? 'valid' : 'loose', id, updateBody(quantity), quantity)
  },
})

/** Requests that have to be refused: they differ from the control, which was just accepted, in the body or in the pet. */
const invalidRequests = (
  walk: Walk,
  { pet, quantity, range }: Control,
  absent: readonly bigint[],
): Rules<Refusable> => {
  let wasSent = false
  const another = anotherThan(quantity, quantity, range)
  let toAbsent = quantity
  let writtenLast: bigint | undefined
  return {
    arbitrary: refusables(absent),
    examples: [[{ absentId: absent[0] }]],
    async prepare() {
      // Not the quantity that the walk before wrote: if that went to some entry, the same again would not show.
      toAbsent = writtenLast === quantity ? another : quantity
      if (wasSent && walk.quantityOf(pet.id) === quantity) return
      wasSent = true
      await walk.update(range ? 'control' : 'loose', pet.id, updateBody(quantity), quantity)
      await walk.read('end')
    },
    preparation: 2,
    play(step) {
      if ('body' in step) return walk.update('invalid', pet.id, step.body)
      writtenLast = toAbsent
      return walk.update('absent', step.absentId, updateBody(toAbsent), toAbsent)
    },
  }
}

/** Whether a breach of the clause shows in readings of the list, where somebody else's writes can look the same. */
const isOfReadings = (clause: WalkClause): boolean => clause === 'INV-2' || clause === 'INV-8'

/** Plays walks until one breaks something, and shrinks that one. Resolves to how many of the requests are left. */
const playWalks = <Step>(context: ProbeContext, walk: Walk, rules: Rules<Step>, requests: number): Promise<number> =>
  searchWithin({
    arbitrary: rules.arbitrary,
    examples: rules.examples,
    seed: context.random.int(0, 2 ** 31 - 1),
    requests,
    sent: walk.sent,
    cost: (steps) => rules.preparation + steps.length + 1,
    async play(steps) {
      await rules.prepare()
      walk.startAnew()
      for (const step of steps) await rules.play(step)
      await walk.read('end')
      return walk.broken()
    },
    isDoubtful: isOfReadings,
    control: () => walk.read('control-reading'),
  })

/** Walks over the inventory: first with valid requests, then with some that have to be refused. `requests` bounds all. */
export const walkAtRandom = async (context: ProbeContext<StepOf<'model-walk'>>, requests: number): Promise<void> => {
  const walk = createWalk(context)
  await walk.read('before')
  const pets = await walk.read('control-reading')
  const walked = walkedPets(context, pets)
  for (const each of walked) context.willTouch(each)
  const [pet] = walked
  const range = rangeOf(pets)
  const means = requests - readingsBefore
  const forSequences = Math.floor(means * shareOfSequences)
  const left = await playWalks(context, walk, validSequences(walk, walked, range), forSequences)
  const quantity = range ? anotherThan(walk.quantityOf(pet.id), range.low, range) : otherQuantity(pet.quantity)
  const rules = invalidRequests(walk, { pet, quantity, range }, absentIds(context, pets))
  await playWalks(context, walk, rules, means - forSequences + left)
}
