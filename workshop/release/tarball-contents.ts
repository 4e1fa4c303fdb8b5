import { z } from 'zod'

const packed = z.object({
  filename: z.string(),
  size: z.number(),
  unpackedSize: z.number(),
  files: z.array(z.object({ path: z.string() })),
})

/** What `npm pack --json` says about a tarball; sizes in bytes. */
export type Packed = z.infer<typeof packed>

/** Reads what `npm pack --json` printed: a list of one, or a record of one. */
export const readPacked = (text: string): Packed => {
  const [first] = Object.values(z.union([z.array(packed), z.record(z.string(), packed)]).parse(JSON.parse(text)))
  if (first === undefined) throw new Error('npm pack made no tarball')
  return first
}

/** An install has to stay below 25 MB, of which zod takes 9. */
const most = { size: 2_500_000, unpackedSize: 10_000_000 }

const needed = [
  'package.json',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'docs/ci.md',
  'docs/report.png',
  'dist/src/cli/main.js',
  'dist/src/cli/chunks/LICENCES.txt',
  'dist/src/cli/keystone/trial-worker.js',
  'dist/src/library/reference-server.js',
  'scenarios/release-gate.yaml',
  'src/report/html/page.css',
  'src/report/html/page-script.js',
]

/** Files for development: sources, tests, benches, maps, what runs wrote. */
const unwanted =
  /\.test\.|\/testing\/|(?<!\.d)\.m?ts$|\.map$|^(dist\/(bench|test|workshop)|test|workshop|reports)\/|^docs\/(?!.*\.(md|png)$)|(^|\/)\.env/

/** A sentence for every problem of a tarball: an unwanted file, a missing one, too many bytes. */
export const tarballObjections = ({ files, ...sizes }: Packed): readonly string[] => {
  const paths = files.map(({ path }) => path)
  return [
    ...paths.filter((path) => unwanted.test(path)).map((path) => `${path} is for development only`),
    ...needed.filter((path) => !paths.includes(path)).map((path) => `${path} is missing`),
    ...(['size', 'unpackedSize'] as const)
      .filter((each) => sizes[each] > most[each])
      .map((each) => `${each} is ${sizes[each]} bytes, ${most[each]} at most`),
  ]
}
