import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installed, type Played, pack, playInstalled } from '../../workshop/release/empty-folder.js'
import { type Packed, tarballObjections } from '../../workshop/release/tarball-contents.js'
import { untilPlayed } from '../cli/built-program.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const own: { readonly version: string; readonly exports: object } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
)

const folder = mkdtempSync(join(tmpdir(), 'quotaspec-packed-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The error of a demo that a crowded machine left open. */
const openedBy = (error: Error): Error => {
  const { code } = Object(error.cause)
  if (code !== 2) throw error
  return error
}

describe('the packed program in an empty folder', () => {
  let made: Packed
  let warnings: readonly string[] | undefined
  let played: Played

  // Some 150 packages are installed, from npm's cache where it has them.
  beforeAll(async () => {
    made = await pack(root, folder)
    const empty = join(folder, 'empty')
    try {
      warnings = await installed(join(folder, made.filename), empty)
    } catch (error) {
      const alone = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|ETIMEDOUT/.test(String(error))
      if (!alone || process.env.CI) throw error
      console.warn('\n!!! NOT TESTED: the packed program in an empty folder. No registry answers.\n')
      return
    }
    const ended = await untilPlayed(
      () => playInstalled(empty).catch(openedBy),
      (each) => each instanceof Error,
      (each) => `${each}`.trim().split('\n')[2],
    )
    if (ended instanceof Error) throw ended
    played = ended
  })

  it('holds what is needed and nothing for development', () => {
    expect(tarballObjections(made)).toEqual([])
  })

  it('installs without a warning about an engine, a deprecation or a peer', ({ skip }) => {
    if (!warnings) skip()
    expect(warnings).toEqual([])
  })

  it('says its version by npx', ({ skip }) => {
    if (!warnings) skip()
    expect(played.version).toBe(own.version)
  })

  it('plays its demo to a passing report by npx', ({ skip }) => {
    if (!warnings) skip()
    expect(JSON.parse(played.report)).toMatchObject({ outcome: 'pass', run: { exitCode: 0 } })
    expect(played.page).toContain('</html>')
  })

  it('can be imported where it exports a library', ({ skip }) => {
    if (!warnings) skip()
    if ('.' in own.exports) expect(played.library).toContain('run')
    else expect(played.library).toBeUndefined()
  })
})
