import { readFileSync } from 'node:fs'
import { packageFile } from '../kit/package-file.js'

/** Read without a schema: loading one would delay `--version`. */
const versionIn = (text: string): string => {
  const read: unknown = JSON.parse(text)
  if (typeof read === 'object' && read !== null && 'version' in read && typeof read.version === 'string')
    return read.version
  throw new Error('the package.json of quotaspec names no version')
}

export const toolVersion = versionIn(readFileSync(packageFile('package.json'), 'utf8'))

export const scenarioFolder = packageFile('scenarios')

/** The folder of contract files for the published limits of well-known APIs. */
export const contractFolder = packageFile('contracts')

/** A file of the compiled program, by its path below `dist`, even if the caller's code was bundled elsewhere. */
export const builtFile = (...path: readonly string[]): string => packageFile('dist', ...path)
