import { closeSync, mkdirSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** The marks of one share: a byte for each slot, written just before its request goes out. */
export type SlotMarks = Exclude<ReturnType<SlotJournal['begin']>, { readonly marked: number }>

const mark = Buffer.from('+')

/** Opens the slot journal in a folder, which is created if missing. */
export const openSlotJournal = (folder: string) => {
  mkdirSync(folder, { recursive: true })
  const pathOf = (share: string) => join(folder, `${share}.slots`)
  return {
    /** Opens the marks of a share; if it was begun before, returns the number of marked slots. */
    begin(share: string) {
      let file: number
      try {
        file = openSync(pathOf(share), 'wx')
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
        return { marked: statSync(pathOf(share)).size }
      }
      return { mark: () => void writeSync(file, mark), close: () => closeSync(file) }
    },
    /** Forgets a share that will not be handed out again. */
    forget: (share: string): void => rmSync(pathOf(share), { force: true }),
  }
}

/** The slots that an agent has begun to send, on its disk: none is sent again, whichever process gets the share. */
export type SlotJournal = ReturnType<typeof openSlotJournal>
