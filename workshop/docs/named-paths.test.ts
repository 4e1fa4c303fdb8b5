import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Every file of these folders, as a path from the root with `/` before it. */
const files = ['src', 'reference-server', 'workshop', 'docs', 'test', 'scenarios'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => `/${folder}/${path}`),
)

/** A file of the code, by its path or the end of it; the same of a folder, from the root on. */
const filePath = /^[\w.-]+(\/[\w.-]+)*\.(ts|mjs|cjs|css|yaml)$/
const folderPath = /^(src|reference-server|workshop|test|scenarios)(\/[a-z-]+)*\/?$/

const isThere = (path: string): boolean =>
  existsSync(join(root, path)) || files.some((each) => each.endsWith(`/${path}`))

describe.each(['architecture.md', 'contributing.md'])('docs/%s', (page) => {
  const text = readFileSync(join(root, 'docs', page), 'utf8')
  const named = [...new Set(Array.from(text.matchAll(/`([^`\s]+)`/g), ([, path]) => path))]
  const paths = named.filter((path) => filePath.test(path) || folderPath.test(path))

  it('names files and folders that are there', () => {
    expect(paths.length).toBeGreaterThan(10)
    expect(paths.filter((path) => !isThere(path))).toEqual([])
  })
})
