import { z } from 'zod'

/** Licences under which a package may come with this one: each lets anybody use, change and pass it on. */
const allowedLicences: readonly string[] = [
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Apache-2.0',
  '(MIT AND Zlib)',
]

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.string().optional(), license: z.string().optional(), dev: z.boolean().optional() }),
  ),
})

const anyLock = z.looseObject({ packages: z.record(z.string(), z.looseObject({ dev: z.boolean().optional() })) })

export interface ShippedPackage {
  readonly name: string
  readonly version: string
  /** As the package names it, in SPDX; undefined where it names none. */
  readonly licence: string | undefined
  /** Where it stands below the root, such as `node_modules/zod`. */
  readonly path: string
}

/** Every package that whoever installs this one gets, by name: the lock's, without those for development. */
export const shippedPackages = (lock: unknown): readonly ShippedPackage[] =>
  Object.entries(lockSchema.parse(lock).packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([path, { version = '', license }]) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      licence: license,
      path,
    }))
    .sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0))

/** A lock without its packages for development. */
export const withoutDevelopment = (lock: unknown): unknown => {
  const { packages, ...rest } = anyLock.parse(lock)
  const kept = Object.entries(packages).filter(([, { dev }]) => dev !== true)
  const { devDependencies: _, ...root } = packages[''] ?? {}
  return { ...rest, packages: { ...Object.fromEntries(kept), '': root } }
}

/** A sentence for each package whose licence is not allowed, or that names none. */
export const licenceObjections = (packages: readonly ShippedPackage[]): readonly string[] =>
  packages
    .filter(({ licence }) => licence === undefined || !allowedLicences.includes(licence))
    .map(({ name, version, licence }) => `${name}@${version}: ${licence ?? 'names no licence'}`)

/**
 * The notices that go with a release, in Markdown: each package with its licence, then each licence's text once, with the
 * packages that it came with. `textOf` gives a package's own text; undefined where it brings none, or is for another platform.
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
    'Packages that are installed with quotaspec, with their licences. The compiled program holds parts of some of them.',
    '',
    '| package | version | licence |',
    '|---|---|---|',
    ...new Set(rows),
    ...[...texts].flatMap(([text, names]) => ['', `## ${[...new Set(names)].join(', ')}`, '', '```', text, '```']),
    '',
  ].join('\n')
}
