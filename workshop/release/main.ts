import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { command } from './commands.js'
import {
  changedFiles,
  provenTarball,
  requireCleanTree,
  stageRelease,
  writeBillOfMaterials,
  writeNotices,
} from './release.js'

const usage = `npm run release -- VERSION [--write] [--tag] [--out DIR]

Makes a release from the last commit and tries it in an empty folder. The tarball, its bill of materials and the notices
of third parties go to DIR (reports/release/VERSION). In the repository nothing changes, except
  --write   changelog and version are written
  --tag     they are written, committed and tagged vVERSION
Nothing is ever pushed or published.`

const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

interface Asked {
  readonly version: string
  readonly out: string
  readonly write: boolean
  readonly tag: boolean
}

const asked = (): Asked => {
  const options = { write: { type: 'boolean' }, tag: { type: 'boolean' }, out: { type: 'string' } } as const
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const [version] = positionals
  if (positionals.length !== 1 || version === undefined || !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    throw new Error(`a version such as 0.2.0 is needed\n\n${usage}`)
  const { out = `reports/release/${version}`, tag = false, write = tag } = values
  return { version, out: resolve(out), write: write || tag, tag }
}

const tagIt = async (root: string, version: string): Promise<void> => {
  await command('git', ['commit', '--quiet', '-m', `release: ${version}`, '--', ...changedFiles], { cwd: root })
  await command('git', ['tag', '-a', `v${version}`, '-m', `quotaspec ${version}`], { cwd: root })
  say(`committed, and tagged v${version}; publish with: git push --follow-tags`)
}

const release = async ({ version, out, write, tag }: Asked): Promise<void> => {
  const root = process.cwd()
  await requireCleanTree(root)
  const work = mkdtempSync(join(tmpdir(), 'quotaspec-release-'))
  try {
    const stage = join(work, 'stage')
    mkdirSync(out, { recursive: true })
    await stageRelease(root, stage, version, new Date().toISOString().slice(0, 10))
    say(`built ${version} from the last commit`)
    say(`${writeNotices(stage)} packages, their licences allowed`)
    await writeBillOfMaterials(stage, join(work, 'materials'), out)
    say(await provenTarball(stage, out, join(work, 'empty'), version))
    copyFileSync(join(stage, 'THIRD-PARTY-NOTICES.md'), join(out, 'THIRD-PARTY-NOTICES.md'))
    copyFileSync(join(stage, 'CHANGELOG.md'), join(out, 'CHANGELOG.md'))
    say(`all of it is in ${out}`)
    if (write) for (const file of changedFiles) copyFileSync(join(stage, file), join(root, file))
    if (tag) await tagIt(root, version)
    else say(write ? `written: ${changedFiles.join(', ')}` : 'a dry run: nothing in the repository has changed')
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

try {
  await release(asked())
} catch (error) {
  process.stderr.write(`release: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
