import { z } from 'zod'

/** Allowed licences of shipped packages: each lets anybody use, change and share the package. */
const allowedLicences: readonly string[] = [
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Apache-2.0',
  '(MIT AND Zlib)',
]

const locked = z.looseObject({
  version: z.string().optional(),
  license: z.string().optional(),
  dev: z.boolean().optional(),
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
})

const lockSchema = z.looseObject({ packages: z.record(z.string(), locked) })

export interface ShippedPackage {
  readonly name: string
  readonly version: string
  /** The SPDX licence that the package names; undefined if none. */
  readonly licence: string | undefined
  /** Its path below the root, such as `node_modules/zod`. */
  readonly path: string
}

/** Where Node finds a package that the one at `from` imports: next to it, or in a parent folder. */
const foundFrom = (from: string, name: string, packages: Readonly<Record<string, unknown>>): string | undefined => {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = `${folder}${folder === '' ? '' : '/'}node_modules/${name}`
    if (path in packages) return path
    if (folder === '') return undefined
  }
}

/** The lock with only shipped packages, installed with this one or bundled into it, and their dependencies. */
export const shippedLock = (lock: unknown, inlined: readonly string[]) => {
  const { packages, ...rest } = lockSchema.parse(lock)
  const { devDependencies: _, ...root } = packages['']
  const direct = Object.fromEntries(inlined.map((name) => [name, packages[`node_modules/${name}`].version ?? '']))
  const kept = new Map([['', { ...root, dependencies: { ...root.dependencies, ...direct } }]])
  for (const [path, { dependencies, optionalDependencies }] of kept) {
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = foundFrom(path, name, packages)
      if (found !== undefined && !kept.has(found)) kept.set(found, { ...packages[found], dev: undefined })
    }
  }
  return { ...rest, packages: Object.fromEntries(kept) }
}

/** Every package in such a lock except this one, by name. */
export const shippedPackages = ({ packages }: ReturnType<typeof shippedLock>): readonly ShippedPackage[] =>
  Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, { version = '', license }]) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      licence: license,
      path,
    }))
    .sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0))

/** A sentence for each package with a licence that is not allowed, or with none. */
export const licenceObjections = (packages: readonly ShippedPackage[]): readonly string[] =>
  packages
    .filter(({ licence }) => licence === undefined || !allowedLicences.includes(licence))
    .map(({ name, version, licence }) => `${name}@${version}: ${licence ?? 'names no licence'}`)

/**
 * The notices of a release, in Markdown: each package with its licence, then each licence's text once, with its packages.
 * `textOf` gives a package's own text; undefined if it has none, or is for another platform.
 */
export const noticesText = (
  packages: readonly ShippedPackage[],
  textOf: (each: ShippedPackage) => string | undefined,
): string => {
  const rows = packages.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence ?? 'none named'} |`)
  const texts = new Map<string, string[]>()
  for (const each of packages) {
    const text = textOf(each)?.trim()
    if (text) texts.set(text, [...(texts.get(text) ?? []), `${each.name}@${each.version}`])
  }
  return [
    '# Third-party notices',
    '',
    'Packages that quotaspec holds, or is installed with, and their licences.',
    '',
    '| package | version | licence |',
    '|---|---|---|',
    ...new Set(rows),
    ...[...texts].flatMap(([text, names]) => ['', `## ${[...new Set(names)].join(', ')}`, '', '```', text, '```']),
    '',
  ].join('\n')
}
