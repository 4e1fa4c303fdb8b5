import type { EndOfProcess } from '../../run/folder/folder-lock.js'

/** The end of this process, where it has one: of one that is killed nobody is told. */
export const exitOfProcess: EndOfProcess = {
  once: (release) => process.once('exit', release),
  off: (release) => process.off('exit', release),
}
