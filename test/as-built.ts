import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vitest/config'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The file that was built from a module; none of tests' own, which read files beside them, nor of what is a bundle by now. */
const builtFrom = (path: string): string | undefined => {
  const place = relative(root, path)
  const built = join(root, 'dist', place)
  return !place.startsWith('test/') && existsSync(built) && !readFileSync(built, 'utf8').includes('/chunks/')
    ? built
    : undefined
}

/**
 * Has tests import what `npm run build` made, which Node loads by itself: vitest's own way to import takes a third of the
 * time of all units, most of it as its modules run.
 */
export const asBuilt: Plugin = {
  name: 'as-built',
  enforce: 'pre',
  resolveId: (id, importer) =>
    importer !== undefined && id.startsWith('.') && id.endsWith('.js')
      ? builtFrom(resolve(dirname(importer.replace(/\?.*$/, '')), id))
      : undefined,
}
