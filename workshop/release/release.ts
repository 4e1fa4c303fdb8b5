import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { releasedChangelog } from './changelog.js'
import { command } from './commands.js'
import { installed, pack, playInstalled } from './empty-folder.js'
import { licenceObjections, noticesText, type ShippedPackage, shippedLock, shippedPackages } from './licences.js'
import { tarballObjections } from './tarball-contents.js'

/** The files of the repository that a release changes. */
export const changedFiles = ['CHANGELOG.md', 'package.json', 'package-lock.json'] as const

/** Throws if the working tree differs from its last commit, because a release is made only of commits. */
export const requireCleanTree = async (root: string): Promise<void> => {
  const { stdout } = await command('git', ['status', '--porcelain'], { cwd: root })
  if (stdout !== '') throw new Error(`the working tree is not clean; commit or stash this first:\n${stdout}`)
}

/** Clones the last commit into a folder, with the installed packages, as the version to release. */
export const stageRelease = async (root: string, stage: string, version: string, day: string): Promise<void> => {
  await command('git', ['clone', '--quiet', '--no-hardlinks', root, stage], { cwd: root })
  await command('cp', ['-a', join(root, 'node_modules'), join(stage, 'node_modules')], { cwd: root })
  const changelog = join(stage, 'CHANGELOG.md')
  writeFileSync(changelog, releasedChangelog(readFileSync(changelog, 'utf8'), version, day))
  await command('npm', ['version', version, '--no-git-tag-version', '--allow-same-version'], { cwd: stage })
  await command('npm', ['run', 'build'], { cwd: stage })
}

const textIn = (stage: string) => (each: ShippedPackage) => {
  const folder = join(stage, each.path)
  const name = existsSync(folder) ? readdirSync(folder).find((file) => /^licen[cs]e/i.test(file)) : undefined
  return name === undefined ? undefined : readFileSync(join(folder, name), 'utf8')
}

const refuse = (what: string, objections: readonly string[]): void => {
  if (objections.length > 0) throw new Error(`${what}:\n${objections.map((each) => `  ${each}`).join('\n')}`)
}

const readJson = (stage: string, name: string) => JSON.parse(readFileSync(join(stage, name), 'utf8'))

const stagedLock = (stage: string) =>
  shippedLock(readJson(stage, 'package-lock.json'), readJson(stage, 'package.json').inlined)

/** Writes the third-party notices into the staged folder, from which the tarball takes them. */
export const writeNotices = (stage: string): number => {
  const packages = shippedPackages(stagedLock(stage))
  refuse('licences that are not allowed', licenceObjections(packages))
  writeFileSync(join(stage, 'THIRD-PARTY-NOTICES.md'), noticesText(packages, textIn(stage)))
  return packages.length
}

/**
 * Writes the bill of materials (CycloneDX, JSON) of everything installed with a release, from the lock. Throws if it omits a
 * package.
 */
export const writeBillOfMaterials = async (stage: string, work: string, out: string): Promise<void> => {
  mkdirSync(work)
  const write = (name: string, content: unknown) => writeFileSync(join(work, name), JSON.stringify(content))
  // If npm omits development packages, it also omits those that production shares: so it does not get to see any.
  const lock = stagedLock(stage)
  const { dependencies } = lock.packages['']
  write('package.json', { ...readJson(stage, 'package.json'), dependencies, devDependencies: undefined })
  write('package-lock.json', lock)
  const flags = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only']
  const { stdout } = await command('npm', ['sbom', ...flags], { cwd: work })
  const missing = shippedPackages(lock).filter(({ name, version }) => !stdout.includes(purl(name, version)))
  refuse(
    'the bill of materials leaves out',
    missing.map(({ name, version }) => `${name}@${version}`),
  )
  writeFileSync(join(out, 'sbom.cdx.json'), stdout)
}

const purl = (name: string, version: string): string => `"pkg:npm/${name.replace('@', '%40')}@${version}`

/** Packs the staged version, and tries it in an empty folder. Throws if anything is wrong. */
export const provenTarball = async (stage: string, out: string, empty: string, version: string): Promise<string> => {
  const made = await pack(stage, out)
  refuse(`${made.filename} is not fit to be released`, tarballObjections(made))
  refuse('npm warns those who install it', await installed(join(out, made.filename), empty))
  const played = await playInstalled(empty)
  if (played.version !== version) throw new Error(`npx quotaspec --version says ${played.version}, not ${version}`)
  const library = played.library === undefined ? 'it exports no library' : `it exports ${played.library.join(', ')}`
  return `${made.filename}: ${made.size} bytes, ${made.files.length} files; npx quotaspec demo came to its report; ${library}`
}
