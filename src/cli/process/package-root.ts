import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

const findRoot = (folder: string): string => {
  if (existsSync(join(folder, 'package.json'))) return folder
  const parent = dirname(folder)
  if (parent === folder) throw new Error('quotaspec is not inside its package')
  return findRoot(parent)
}

/** The folder of the package, whether it runs from its sources or compiled. */
const packageRoot = findRoot(dirname(fileURLToPath(import.meta.url)))

export const toolVersion = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'))).version

export const scenarioFolder = join(packageRoot, 'scenarios')

/** Contract files after the published limits of well-known APIs. */
export const contractFolder = join(packageRoot, 'contracts')
