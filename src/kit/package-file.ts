import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const findRoot = (folder: string): string => {
  if (existsSync(join(folder, 'package.json'))) return folder
  const parent = dirname(folder)
  if (parent === folder) throw new Error('quotaspec is not inside its package')
  return findRoot(parent)
}

/** The folder of the package, whether it runs from its sources, compiled, or bundled. */
const packageRoot = findRoot(dirname(fileURLToPath(import.meta.url)))

/** The path of a file that the package ships, by its path in the package. */
export const packageFile = (...path: readonly string[]): string => join(packageRoot, ...path)

/** The names of the YAML files in a folder that the package ships. */
export const bundledIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => basename(name, '.yaml'))
    .sort()
