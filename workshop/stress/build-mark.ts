import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { builtFile, scenarioFolder } from '../../src/run/package.js'

const filesUnder = (folder: string, wanted: RegExp): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && wanted.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()

/** A short hash of all that is played: the program and the reference server as they were built, and the scenarios. */
export const buildMark = (): string => {
  const programs = ['src', 'reference-server'].flatMap((folder) => filesUnder(builtFile(folder), /\.js$/))
  const hash = createHash('sha256')
  for (const file of [...programs, ...filesUnder(scenarioFolder, /\.ya?ml$/)]) hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 12)
}

/** The commit that this was built from, for readers of a page: `a1b2c3d of 2026-11-22`; null outside of a repository. */
export const commitOfBuild = (): string | null => {
  try {
    const told = ['log', '-1', '--format=%h of %cs']
    return execFileSync('git', told, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return null
  }
}
