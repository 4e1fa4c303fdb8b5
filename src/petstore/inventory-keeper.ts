import { inventoryItem } from '../contract/petstore/schemas.js'
import type { Exchange } from '../evidence/exchange.js'
import type { JournalRecord } from '../evidence/journal.js'
import { type Json, readJson } from '../kit/json.js'
import type { Random } from '../kit/random.js'
import { createTurns } from '../probes/moves/pets.js'
import { type Pet, type PetUse, ProbeBlocked, ProbeSkipped, type Question } from '../probes/probe.js'
import { readPetId } from './listed-pets.js'

interface Asking {
  ask(probe: string, question: Question, signal?: AbortSignal): Promise<Exchange>
}

/**
 * The pets of a list, with all digits, and the ids of all entries, those that break the schema among them; undefined if it
 * can't be read.
 */
const listedIn = (x: Exchange): { readonly pets: readonly Pet[]; readonly ids: ReadonlySet<bigint> } | undefined => {
  if (x.response?.status !== 200) return undefined
  const { encoding, content, truncated, coding } = x.response.body
  if (encoding !== 'utf8' || truncated || coding === 'unreadable') return undefined
  const reading = readJson(content)
  if (!reading.ok || !Array.isArray(reading.value)) return undefined
  const elements: readonly Json[] = reading.value
  const pets = elements.flatMap((element) => {
    const entry = inventoryItem.safeParse(element)
    return entry.success ? [{ id: entry.data.petId, quantity: entry.data.quantity, status: entry.data.status }] : []
  })
  if (pets.length === 0 && elements.length > 0) return undefined
  return { pets, ids: new Set(elements.flatMap((element) => readPetId(element) ?? [])) }
}

export const createInventoryKeeper = (log: { write(record: JournalRecord): void }, readOnly: boolean) => {
  const touched = new Map<bigint, Pet>()
  let lastRead: (NonNullable<ReturnType<typeof listedIn>> & { readonly at: number }) | undefined
  let lastWriteAt = 0
  const turn = createTurns()

  const read = async (session: Asking, probe: string, step: string, signal?: AbortSignal): Promise<readonly Pet[]> => {
    const x = await session.ask(probe, { step, operation: 'listInventory' }, signal)
    if (x.response?.status === 429) throw new ProbeBlocked('still-refused')
    const listed = listedIn(x)
    if (!listed) throw new ProbeBlocked('inventory-unreadable')
    lastRead = { at: x.sentAt, ...listed }
    return listed.pets
  }

  const putBack = async (session: Asking, probe: string, pet: Pet, signal?: AbortSignal) => {
    const x = await session.ask(
      probe,
      {
        step: 'patch',
        operation: 'updateInventory',
        petId: pet.id,
        body: `{"quantity":${pet.quantity}}`,
        intent: { petId: String(pet.id), quantity: String(pet.quantity) },
      },
      signal,
    )
    lastWriteAt = x.endedAt
  }

  /** Takes pets that are back as they were off the list of those touched; returns the others. */
  const notYetBack = (pets: readonly Pet[]): Pet[] => {
    const open: Pet[] = []
    for (const pet of touched.values()) {
      if (pets.find(({ id }) => id === pet.id)?.quantity !== pet.quantity) open.push(pet)
      else {
        touched.delete(pet.id)
        log.write({ type: 'restored', petId: String(pet.id) })
      }
    }
    return open
  }

  return {
    read,
    /** Whether the list that was read last has an entry with this id, which may be too broken to be a pet. */
    isListed: (id: bigint) => lastRead?.ids.has(id) ?? false,
    inTurn: (pets: readonly Pet[], use: PetUse, random: Random) => turn(pets, use, lastRead?.pets ?? pets, random),
    willTouch(pet: Pet) {
      if (readOnly) throw new ProbeSkipped('read-only')
      if (touched.has(pet.id)) return
      touched.set(pet.id, pet)
      log.write({ type: 'touched', petId: String(pet.id), quantity: String(pet.quantity) })
    },
    /** To be called when a PATCH was sent: what was read before may no longer hold. */
    wrote(at: number) {
      lastWriteAt = Math.max(lastWriteAt, at)
    },
    /** Puts back the pets that differ, booked as requests of `probe`; true if every pet is as it was. */
    async restore(session: Asking, signal?: AbortSignal, probe = 'restore') {
      if (touched.size === 0) return true
      const isFresh = lastRead && lastRead.at > lastWriteAt
      const open = notYetBack(isFresh && lastRead ? lastRead.pets : await read(session, probe, 'read', signal))
      if (open.length === 0) return true
      for (const pet of open) await putBack(session, probe, pet, signal)
      return notYetBack(await read(session, probe, 'read-back', signal)).length === 0
    },
  }
}
