import { closeSync, mkdirSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** The marks of one share: a byte for each slot, written just before its request goes out. */
export interface SlotMarks {
  mark(): void
  close(): void
}

/**
 * The slots that an agent has begun to send, on its disk, so that none is ever sent again, neither by another process of
 * that name nor when the share comes again.
 */
export interface SlotJournal {
  /** Opens the marks of a share; if it was begun before, returns the number of marked slots. */
  begin(share: string): SlotMarks | { readonly marked: number }
  /** Forgets a share that will not be handed out again. */
  forget(share: string): void
}

const mark = Buffer.from('+')

/** @param folder is created if missing. */
export const openSlotJournal = (folder: string): SlotJournal => {
  mkdirSync(folder, { recursive: true })
  const pathOf = (share: string) => join(folder, `${share}.slots`)
  return {
    begin(share) {
      let file: number
      try {
        file = openSync(pathOf(share), 'wx')
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
        return { marked: statSync(pathOf(share)).size }
      }
      return { mark: () => void writeSync(file, mark), close: () => closeSync(file) }
    },
    forget: (share) => rmSync(pathOf(share), { force: true }),
  }
}
