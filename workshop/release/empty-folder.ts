import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { command } from './commands.js'
import { type Packed, readPacked } from './tarball-contents.js'

/** Packs a built package into a folder. */
export const pack = async (root: string, folder: string): Promise<Packed> =>
  readPacked(
    (await command('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], { cwd: root })).stdout,
  )

/**
 * Installs a tarball in a folder with only a package.json (without one, npm would install into a parent folder). Prefers
 * npm's cache. Returns npm's warnings about what it installed.
 */
export const installed = async (tarball: string, folder: string): Promise<readonly string[]> => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"name":"empty","private":true,"type":"module"}\n')
  const flags = ['--prefer-offline', '--no-audit', '--no-fund']
  const { stderr } = await command('npm', ['install', ...flags, tarball], { cwd: folder })
  return stderr.split('\n').filter((line) => /EBADENGINE|deprecated|ERESOLVE|install-scripts/.test(line))
}

export interface Played {
  /** What `npx quotaspec --version` printed. */
  readonly version: string
  /** `report.json` of `npx quotaspec demo`. */
  readonly report: string
  /** `report.html` of the same. */
  readonly page: string
  /** What the package exports under its own name; undefined if nothing. */
  readonly library: readonly string[] | undefined
}

/** Uses the installed package as somebody would who has nothing else. */
export const playInstalled = async (folder: string): Promise<Played> => {
  const npx = (args: readonly string[]) => command('npx', ['--no', '--', 'quotaspec', ...args], { cwd: folder })
  const { stdout: version } = await npx(['--version'])
  await npx(['demo'])
  const read = (name: string) => readFileSync(join(folder, 'reports/latest', name), 'utf8')
  return {
    version: version.trim(),
    report: read('report.json'),
    page: read('report.html'),
    library: await names(folder),
  }
}

const names = async (folder: string): Promise<readonly string[] | undefined> => {
  const own = join(folder, 'node_modules/quotaspec/package.json')
  if (!existsSync(own)) throw new Error(`${own} is not there after the install`)
  const { exports = {} }: { readonly exports?: Readonly<Record<string, unknown>> } = JSON.parse(
    readFileSync(own, 'utf8'),
  )
  if (!('.' in exports)) return undefined
  const asked = `import * as library from 'quotaspec'; console.log(JSON.stringify(Object.keys(library)))`
  return JSON.parse((await command('node', ['--input-type=module', '--eval', asked], { cwd: folder })).stdout)
}
