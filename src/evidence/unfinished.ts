import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { JournalRecord, RunHead } from './journal.js'
import { journalName, readRecords } from './journal-file.js'

export interface UnrestoredPet {
  readonly petId: string
  readonly quantity: string
}

export const notPutBack = (records: readonly JournalRecord[]): UnrestoredPet[] => {
  const open = new Map<string, string>()
  for (const each of records) {
    if (each.type === 'touched') open.set(each.petId, each.quantity)
    if (each.type === 'restored') open.delete(each.petId)
  }
  return [...open].map(([petId, quantity]) => ({ petId, quantity }))
}

export interface UnfinishedRun {
  readonly run: RunHead
  readonly pets: readonly UnrestoredPet[]
}

/** The few lines of a journal that say what was touched, among many long ones. */
const telling = /^\{"type":"(?:run|touched|restored)"/

/** What the run in a folder left undone; undefined if there is no run, or nothing left. */
export const unfinishedIn = (folder: string): UnfinishedRun | undefined => {
  if (!existsSync(join(folder, journalName))) return undefined
  const records = readRecords(folder, telling).filter((each) => typeof each !== 'string')
  const run = records.find((each) => each.type === 'run')
  const pets = notPutBack(records)
  return run && pets.length > 0 ? { run, pets } : undefined
}
