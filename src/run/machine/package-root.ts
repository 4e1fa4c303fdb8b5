import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const findRoot = (folder: string): string => {
  if (existsSync(join(folder, 'package.json'))) return folder
  const parent = dirname(folder)
  if (parent === folder) throw new Error('quotaspec is not inside its package')
  return findRoot(parent)
}

/** The folder of the package, whether it runs from its sources or compiled. */
const packageRoot = findRoot(dirname(fileURLToPath(import.meta.url)))

/** Read by hand: a schema would have to be loaded before the program can say its version. */
const versionIn = (text: string): string => {
  const read: unknown = JSON.parse(text)
  if (typeof read === 'object' && read !== null && 'version' in read && typeof read.version === 'string')
    return read.version
  throw new Error('the package.json of quotaspec names no version')
}

export const toolVersion = versionIn(readFileSync(join(packageRoot, 'package.json'), 'utf8'))

export const scenarioFolder = join(packageRoot, 'scenarios')

/** Contract files after the published limits of well-known APIs. */
export const contractFolder = join(packageRoot, 'contracts')

/** A file of the compiled program, by its path below `dist`, wherever the code that asks for it was put together. */
export const builtFile = (...path: readonly string[]): string => join(packageRoot, 'dist', ...path)
