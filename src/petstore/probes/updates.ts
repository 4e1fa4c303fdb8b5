import { exactDoubleLimit, int64 } from '../../contract/petstore/schemas.js'
import { absentIds, atEnds, isModest, otherQuantity, somePet, somePets, updateOf } from '../../probes/moves/pets.js'
import {
  defineProbe,
  type Pet,
  type Probe,
  type ProbeContext,
  ProbeSkipped,
  type Question,
} from '../../probes/probe.js'

/** A PATCH between two readings of the list: of an entry, or of an id beside it that no entry has. */
interface NeighbourAim {
  readonly step: 'patch' | 'patch-absent'
  readonly addressed: bigint
  /** The other id that is the same IEEE double, as 2^53 + 1 is to 2^53: its entry has to stay as it is. */
  readonly neighbour: bigint
  /** The entry whose quantity the PATCH sets, or would set if the ids are confused. */
  readonly pet: Pet
  /** The other entry, if both ids have one. */
  readonly twin: Pet | undefined
}

const sameDouble = (a: bigint, b: bigint): boolean => a !== b && Number(a) === Number(b)

/** 2^53 is among them: it is what a double takes 2^53 + 1 for. */
const isLarge = ({ id }: Pet): boolean => id >= exactDoubleLimit || id <= -exactDoubleLimit

const isSmallNegative = ({ id }: Pet): boolean => id < 0n && id > -exactDoubleLimit

const isWithinInt64 = (id: bigint): boolean => id >= int64.min && id <= int64.max

const isOfAbsent = ({ step }: NeighbourAim): boolean => step === 'patch-absent'

/**
 * What to try on such entries. First two that are neighbours of each other, each to be patched; then entries without
 * one, and the free ids next to them. After two neighbours the free ids come first, because by then it has been tried
 * that an entry is found by its id.
 */
const aimsAt = (delicate: readonly Pet[], alike: typeof sameDouble, pets: readonly Pet[]): NeighbourAim[] => {
  const ids = new Set(pets.map(({ id }) => id))
  const twins: NeighbourAim[] = []
  const lone: NeighbourAim[] = []
  for (const pet of delicate) {
    const twin = pets.find((other) => alike(other.id, pet.id))
    if (twin) {
      twins.push({ step: 'patch', addressed: pet.id, neighbour: twin.id, pet, twin })
      continue
    }
    const beside = [pet.id + 1n, pet.id - 1n, -pet.id]
    const free = beside.find((id) => isWithinInt64(id) && !ids.has(id) && alike(id, pet.id))
    if (free === undefined) continue
    lone.push({ step: 'patch', addressed: pet.id, neighbour: free, pet, twin })
    lone.push({ step: 'patch-absent', addressed: free, neighbour: pet.id, pet, twin })
  }
  if (twins.length === 0) return lone
  const [absent, present] = [lone.filter(isOfAbsent), lone.filter((aim) => !isOfAbsent(aim))]
  return [...twins.slice(0, 2), ...absent, ...present]
}

/** The most aims: two neighbours and an id next to another entry; or an entry, the id next to it, and another one. */
const mostLarge = 3

/**
 * What to try on entries whose ids an IEEE double can't tell from the next ones, and on one with a negative id, or else on one
 * more of the others. The ends of the list and of the ids come first.
 */
export const neighbourAims = (pets: readonly Pet[]): NeighbourAim[] => {
  const inTurn = [...new Set([...atEnds(pets), ...pets])].filter(isModest)
  const large = aimsAt(inTurn.filter(isLarge), sameDouble, pets)
  const [negative] = aimsAt(inTurn.filter(isSmallNegative), (a, b) => a === -b, pets)
  return [...large.slice(0, mostLarge), ...(negative ? [negative] : large.slice(mostLarge, mostLarge + 1))]
}

const showsTwice = (pets: readonly Pet[]): boolean => new Set(pets.map(({ id }) => id)).size < pets.length

/** A quantity other than the pet's and its neighbour's, so that a write to the wrong entry shows. */
const tellingQuantity = ({ pet, twin }: NeighbourAim): bigint =>
  [otherQuantity(pet.quantity), pet.quantity + 1n].find((each) => each !== twin?.quantity) ?? pet.quantity + 2n

/** A reading before and one after each PATCH, the PATCH, and two changes and a reading to put both entries back. */
const requestsEach = 6

const neighbourIds = defineProbe({
  id: 'neighbour-ids',
  summary:
    'Changes pets whose ids are above 2^53 or negative, and reads their neighbours: a rounded id hits the wrong pet.',
  cost: () => ({ keyed: (mostLarge + 1) * requestsEach }),
  async play(context) {
    const pets = await context.inventory('before')
    // A list that shows an id twice has lost digits already: nobody can know which entry a PATCH would change.
    if (showsTwice(pets)) return
    const aims = neighbourAims(pets)
    if (aims.length === 0) throw new ProbeSkipped('no-large-ids')
    for (const [i, aim] of aims.entries()) {
      const { step, addressed, neighbour, pet, twin } = aim
      const quantity = tellingQuantity(aim)
      if (i > 0) await context.inventory('before')
      context.willTouch(pet)
      if (twin) context.willTouch(twin)
      const update = updateOf(addressed, quantity)
      const isUnchanged = async () => {
        await context.ask({ step, ...update, intent: { ...update.intent, neighbour: String(neighbour) } })
        return (await context.inventory('after')).some(
          ({ id, quantity: shown }) => id === addressed && shown === pet.quantity,
        )
      }
      // What shows no change may be somebody else's doing. There is nothing to put back, so it costs no more to ask again.
      if (await isUnchanged()) await isUnchanged()
      await context.restore()
    }
  },
})

/** How many are changed simultaneously, if there are as many. */
const mostAtOnce = 3

/** Once may be somebody else's doing. */
const timesAtOnce = 2

/**
 * Changes different pets simultaneously, reads the list beside them and behind, twice; the second time puts back what the first
 * has changed. A change that was lost the first time is made again, so that each write differs from what the list shows.
 */
const changeAtOnce = async (context: ProbeContext<'at-once' | 'after-all'>, listed: readonly Pet[]): Promise<void> => {
  const pets = somePets(context, listed, 'changed', mostAtOnce)
  if (pets.length < 2) return
  for (const pet of pets) context.willTouch(pet)
  let shown = listed
  for (let time = 1; time <= timesAtOnce; time += 1) {
    const updates = pets.map(({ id, quantity }) => {
      const isBack = shown.find((each) => each.id === id)?.quantity === quantity
      return context.ask({ step: 'at-once', ...updateOf(id, isBack ? otherQuantity(quantity) : quantity) })
    })
    await Promise.all([...updates, context.ask({ step: 'at-once', operation: 'listInventory' })])
    shown = await context.inventory('after-all')
  }
}

/** How often the pet gets the quantity that it has: one that is not counted may be chance (RATE-4). */
const timesUnchanged = 2

/**
 * Reads the list twice, changes one pet, reads, puts it back, writes the same twice more, reads. The first two readings are
 * the control: what changes between them, the PATCH did not change. Then changes several pets simultaneously.
 */
const readWriteRead = defineProbe({
  id: 'read-write-read',
  summary:
    'Reads the inventory, changes the quantity of one pet, reads again, and restores it three times; then several pets in the same moment.',
  leavesChanged: mostAtOnce,
  cost: () => ({ keyed: 6 + timesUnchanged + timesAtOnce * (mostAtOnce + 2) }),
  async play(context) {
    await context.inventory('before')
    const pets = await context.inventory('control')
    const pet = somePet(context, pets, 'changed')
    context.willTouch(pet)
    await context.ask({ step: 'patch', ...updateOf(pet.id, otherQuantity(pet.quantity)) })
    await context.inventory('after')
    await context.ask({ step: 'patch-back', ...updateOf(pet.id, pet.quantity) })
    for (let time = 0; time < timesUnchanged; time += 1)
      await context.ask({ step: 'unchanged', ...updateOf(pet.id, pet.quantity) })
    await changeAtOnce(context, await context.inventory('restored'))
  },
})

type Body = Pick<Question, 'body' | 'contentType'>

/** Bodies that lack quantity (INV-4). */
const lacking: Readonly<Record<string, Body>> = {
  'an empty object': { body: '{}' },
  'no body at all': {},
  'an empty JSON body': { body: '' },
  'another field only': { body: '{"qty":5}' },
}

/** Bodies with an invalid value (INV-5). */
const invalid: Readonly<Record<string, Body>> = {
  'quantity is a string': { body: '{"quantity":"5"}' },
  'quantity is an empty string': { body: '{"quantity":""}' },
  'quantity is a hexadecimal string': { body: '{"quantity":"0x5"}' },
  'quantity is a fraction': { body: '{"quantity":5.5}' },
  'a fraction below zero': { body: '{"quantity":-5.5}' },
  'a fraction of a hair': { body: '{"quantity":5.000000001}' },
  'a fraction of a large number': { body: '{"quantity":20000000.5}' },
  'quantity is true': { body: '{"quantity":true}' },
  'quantity is null': { body: '{"quantity":null}' },
  'quantity is an empty array': { body: '{"quantity":[]}' },
  'quantity is an array': { body: '{"quantity":[5]}' },
  'quantity is an object': { body: '{"quantity":{}}' },
  'the body is an array': { body: '[{"quantity":5}]' },
  'the body is a string': { body: '"{\\"quantity\\":5}"' },
  'the body is a number': { body: '5' },
  'the body is null': { body: 'null' },
  'the body is cut off': { body: '{"quantity":5' },
  'the body is no JSON': { body: 'quantity=5' },
  'single quotes': { body: "{'quantity':5}" },
  'a name without quotes': { body: '{quantity:5}' },
  'a comma too many': { body: '{"quantity":5,}' },
  'a comment': { body: '{"quantity":5/**/}' },
  'a zero in front': { body: '{"quantity":05}' },
  'a plus sign': { body: '{"quantity":+5}' },
  'a hexadecimal number': { body: '{"quantity":0x5}' },
  'NaN as quantity': { body: '{"quantity":NaN}' },
  'Infinity as quantity': { body: '{"quantity":Infinity}' },
  // A streaming parser takes the first value and ignores the rest.
  'more behind the object': { body: '{"quantity":5} 6' },
}

const tables = { lacking, invalid }

/** A pet, and one of each other status: a server may spare some of them the validation. */
const ofEachStatus = (context: ProbeContext, pets: readonly Pet[]): readonly Pet[] => {
  const pet = somePet(context, pets, 'kept')
  const others = pets.filter((each) => isModest(each) && each.status !== pet.status)
  const statuses = new Set(others.map(({ status }) => status))
  return [
    pet,
    ...[...statuses].map((status) =>
      somePet(
        context,
        others.filter((each) => each.status === status),
        'kept',
      ),
    ),
  ]
}

/** Sends bodies, in turn to each of several pets, that differ in one thing from a control: the pet's own quantity. */
const invalidBodies = defineProbe({
  id: 'invalid-bodies',
  summary: 'Sends PATCHes, each with one mistake in the body; none may change the pet.',
  cost: () => ({ keyed: 9 + Object.keys(lacking).length + Object.keys(invalid).length }),
  async play(context) {
    const pets = ofEachStatus(context, await context.inventory('before'))
    for (const pet of pets) {
      context.willTouch(pet)
      await context.ask({ step: 'control', ...updateOf(pet.id, pet.quantity) })
    }
    for (const step of ['lacking', 'invalid'] as const) {
      for (const [i, [name, body]] of Object.entries(tables[step]).entries()) {
        const { id: petId, quantity } = pets[i % pets.length]
        const intent = { case: name, petId: String(petId) }
        // What is refused and stored all the same has to show: the number is none that the pet has.
        const told = quantity === 5n && typeof body.body === 'string' ? body.body.replaceAll('5', '6') : body.body
        await context.ask({ step, operation: 'updateInventory', petId, ...body, body: told, intent })
      }
    }
    await context.inventory('after')
  },
})

/** Sends PATCHes to ids that no entry has, after a control on one that exists, and reads the list before and after each. */
const unknownPet = defineProbe({
  id: 'unknown-pet',
  summary: 'Sends PATCHes to ids that no pet has; none may change anything.',
  cost: () => ({ keyed: 14 }),
  async play(context) {
    const pets = await context.inventory('before')
    const pet = somePet(context, pets, 'kept')
    context.willTouch(pet)
    await context.ask({ step: 'control', ...updateOf(pet.id, pet.quantity) })
    // Two quantities in turn: if they go to some entry by mistake, each PATCH changes it.
    const quantities = [otherQuantity(pet.quantity), pet.quantity]
    for (const [i, petId] of absentIds(context, pets).entries()) {
      await context.ask({ step: 'unknown', ...updateOf(petId, quantities[i % quantities.length]) })
      await context.inventory('after')
    }
  },
})

const quantities = [-1n, 0n, 2n ** 24n + 1n, 2n ** 31n, 2n ** 53n + 1n, 2n ** 63n]

export const quantityBounds = defineProbe({
  id: 'quantity-bounds',
  summary: 'Sets quantities at the edges of number types, such as -1, 2^31 and 2^53 + 1, and reads each back.',
  cost: () => ({ keyed: 2 + quantities.length * 2 }),
  async play(context) {
    const pet = somePet(context, await context.inventory('before'), 'changed')
    context.willTouch(pet)
    for (const quantity of quantities) {
      const update = updateOf(pet.id, quantity)
      const answer = await context.ask({ step: 'patch', ...update })
      if (answer.response?.status === 200 || answer.response?.status === 400)
        await context.ask({ step: 'read-back', operation: 'listInventory', intent: update.intent })
    }
  },
})

export const updateProbes: readonly Probe[] = [readWriteRead, neighbourIds, invalidBodies, unknownPet]
