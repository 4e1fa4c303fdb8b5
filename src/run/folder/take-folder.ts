import { accessSync, constants, mkdirSync } from 'node:fs'
import { UsageError } from '../../kit/usage-error.js'
import { type EndOfProcess, type FolderLock, lockFolder, type Occupation } from './folder-lock.js'

const advice: Readonly<Record<string, string>> = {
  '--resume': 'only a run that has stopped can go on: wait for its end, or end it first',
  restore: 'a run puts back what it changes: wait for its end, or end it first',
}

const usualAdvice = (name: string, folder: string): string =>
  `wait for it to end, or give a folder that nobody else writes to, such as ${name} ${folder.replace(/\/+$/, '')}-2`

/**
 * Makes the folder that something is to be written to, and takes it, so that nobody else writes there. Throws a
 * {@link UsageError} where it can't be written, or somebody has it.
 *
 * @param name what the user calls the folder: `--out`.
 */
export const takeFolder = async (
  name: string,
  folder: string,
  what: Occupation,
  endOfProcess: EndOfProcess,
): Promise<FolderLock> => {
  const refusal = (who: string) => `${name} ${folder} is in use: ${who}; ${advice[name] ?? usualAdvice(name, folder)}`
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK)
    return await lockFolder(folder, what, refusal, endOfProcess)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(
      `${name} ${folder}: can't be written (${error instanceof Error ? error.message : error}); name another folder`,
    )
  }
}
