import { accessSync, constants, mkdirSync } from 'node:fs'
import { UsageError } from '../../kit/usage-error.js'
import { type EndOfProcess, type FolderLock, lockFolder, type Occupation } from './folder-lock.js'

const refusals = {
  '--out': (folder: string, who: string) =>
    `--out ${folder} is in use: ${who}; wait for it to end, or give a folder that nobody else writes to, such as --out ${folder.replace(/\/+$/, '')}-2`,
  '--resume': (folder: string, who: string) =>
    `--resume ${folder}: the folder is in use: ${who}; only a run that has stopped can go on: wait for its end, or end it first`,
  restore: (folder: string, who: string) =>
    `restore ${folder}: the folder is in use: ${who}; a run puts back what it changes: wait for its end, or end it first`,
} as const

/**
 * Makes the folder that something is to be written to, and takes it, so that nobody else writes there. Throws a
 * {@link UsageError} where it can't be written, or somebody has it.
 */
export const takeFolder = async (
  flag: keyof typeof refusals,
  folder: string,
  what: Occupation,
  endOfProcess: EndOfProcess,
): Promise<FolderLock> => {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK)
    return await lockFolder(folder, what, (who) => refusals[flag](folder, who), endOfProcess)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(
      `${flag} ${folder}: can't be written (${error instanceof Error ? error.message : error}); name another folder`,
    )
  }
}
