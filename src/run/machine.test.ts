import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { invokedAs } from './machine.js'
import { builtFile } from './package.js'

const main = builtFile('src', 'cli', 'main.js')
const clone = builtFile('..')

describe('the words that start this program', () => {
  it.each([
    ['on the path', '/usr/local/bin/quotaspec', '/home/me', 'quotaspec'],
    ['a package of the project', '/home/me/api/node_modules/.bin/quotaspec', '/home/me/api', 'npx quotaspec'],
    ['the same on Windows, by its file', '/api/node_modules/quotaspec/dist/src/cli/main.js', '/api', 'npx quotaspec'],
    ['a clone', main, clone, 'node dist/src/cli/main.js'],
    ['a clone, from elsewhere', main, '/nowhere/else', `node ${main}`],
    ['by another program', '/somewhere/vitest.mjs', '/somewhere', 'quotaspec'],
    ['by a program that is a package', '/api/node_modules/vitest/vitest.mjs', '/api', 'quotaspec'],
    ['by no file', undefined, '/somewhere', 'quotaspec'],
  ])('fit how it was started: %s', (_, script, folder, words) => {
    expect(invokedAs(script, folder)).toBe(words)
  })

  it('name the package that npx was told to run', () => {
    const cache = mkdtempSync(join(tmpdir(), 'quotaspec-npx-'))
    const folder = join(cache, '_npx', 'abc')
    const script = join(folder, 'node_modules', '.bin', 'quotaspec')
    mkdirSync(folder, { recursive: true })
    expect(invokedAs(script, '/home/me')).toBe('npx quotaspec')
    const manifest = { dependencies: {}, _npx: { packages: ['/home/me/my packages/quotaspec-0.1.0.tgz'] } }
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2))
    expect(invokedAs(script, '/home/me')).toBe("npx '/home/me/my packages/quotaspec-0.1.0.tgz'")
    rmSync(cache, { recursive: true })
  })
})
