import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { builtFile } from './package-root.js'

const quoted = (text: string): string => (/^[\w./:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

/** What npx was told to run: it keeps that in the folder that it made for it. */
const packageOfNpx = (script: string): string => {
  const manifest = join(dirname(script), '..', '..', 'package.json')
  const text = existsSync(manifest) ? readFileSync(manifest, 'utf8') : ''
  const named = /"_npx":\s*\{\s*"packages":\s*\[\s*"([^"]+)"/.exec(text)?.[1]
  return named ?? 'quotaspec'
}

/**
 * The words that start this program from where the user is: `quotaspec` where it is on the path, `npx quotaspec` where it
 * is a package of the project, `node dist/src/cli/main.js` in a clone.
 *
 * @param script the file that Node was told to run, as it was told.
 * @param folder the working directory.
 */
export const invokedAs = (script: string | undefined, folder: string): string => {
  if (script === undefined) return 'quotaspec'
  const parts = script.split(sep)
  const isCommand = /^quotaspec(?:\.\w+)?$/.test(parts.at(-1) ?? '')
  const isPackage = parts.at(parts.lastIndexOf('node_modules') + 1) === 'quotaspec'
  if (!isCommand && !isPackage && script !== builtFile('src', 'cli', 'main.js')) return 'quotaspec'
  if (parts.includes('_npx')) return `npx ${quoted(packageOfNpx(script))}`
  if (parts.includes('node_modules')) return 'npx quotaspec'
  if (isCommand) return 'quotaspec'
  const near = relative(folder, script)
  return `node ${quoted(near.startsWith('..') ? script : near)}`
}

/** The same of this process. */
export const thisProgram = (): string => invokedAs(process.argv[1], process.cwd())
