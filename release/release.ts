import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { releasedChangelog } from './changelog.js'
import { command } from './commands.js'
import { installed, pack, playInstalled } from './empty-folder.js'
import { licenceObjections, noticesText, type ShippedPackage, shippedPackages } from './licences.js'
import { tarballObjections } from './tarball-contents.js'

/** The files of the repository that a release changes. */
export const changedFiles = ['CHANGELOG.md', 'package.json', 'package-lock.json'] as const

/** Throws where the working tree differs from its last commit: a release is made of commits only. */
export const requireCleanTree = async (root: string): Promise<void> => {
  const { stdout } = await command('git', ['status', '--porcelain'], { cwd: root })
  if (stdout !== '') throw new Error(`the working tree is not clean; commit or stash this first:\n${stdout}`)
}

/** Lays the last commit out in a folder, with the packages that are installed, as the version to be released. */
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

/** Writes the notices of third parties into what is staged, where the tarball takes them from. */
export const writeNotices = (stage: string): number => {
  const packages = shippedPackages(JSON.parse(readFileSync(join(stage, 'package-lock.json'), 'utf8')))
  refuse('licences that are not allowed', licenceObjections(packages))
  writeFileSync(join(stage, 'THIRD-PARTY-NOTICES.md'), noticesText(packages, textIn(stage)))
  return packages.length
}

/** Writes the bill of materials (CycloneDX, JSON) of what is installed with a release, made from the lock. */
export const writeBillOfMaterials = async (stage: string, out: string): Promise<void> => {
  const flags = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--omit', 'dev', '--package-lock-only']
  writeFileSync(join(out, 'sbom.cdx.json'), (await command('npm', ['sbom', ...flags], { cwd: stage })).stdout)
}

/** Packs what is staged, and uses it in an empty folder. Throws where anything is not as it has to be. */
export const provenTarball = async (stage: string, out: string, empty: string, version: string): Promise<string> => {
  const made = await pack(stage, out)
  refuse(`${made.filename} is not fit to be released`, tarballObjections(made))
  refuse('npm warns those who install it', await installed(join(out, made.filename), empty))
  const played = await playInstalled(empty)
  if (played.version !== version) throw new Error(`npx quotaspec --version says ${played.version}, not ${version}`)
  const library = played.library === undefined ? 'it exports no library' : `it exports ${played.library.join(', ')}`
  return `${made.filename}: ${made.size} bytes, ${made.files.length} files; npx quotaspec demo came to its report; ${library}`
}
