// Draws the floors of the house, as the code stands, into docs/architecture.md: `npm run picture`. With --check it only
// says whether the picture there is stale.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const page = fileURLToPath(new URL('../../docs/architecture.md', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))

const flags = [
  'src',
  'reference-server',
  '--config',
  '.dependency-cruiser.cjs',
  '--include-only',
  '^(src|reference-server)/',
  '--exclude',
  String.raw`\.test\.ts$|/testing/`,
  '--collapse',
  '^(src/[^/]+|reference-server)',
  '--output-type',
  'json',
]
const cruised = JSON.parse(
  execFileSync('node_modules/.bin/depcruise', flags, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }),
)
const floorOf = (path) => path.replace(/^src\//, '')
const imports = new Map(
  cruised.modules.map(({ source, dependencies }) => [
    floorOf(source),
    new Set(dependencies.map(({ resolved }) => floorOf(resolved)).filter((each) => each !== floorOf(source))),
  ]),
)
/** What is reached by way of another floor needs no arrow of its own. */
const isReachedOtherwise = (from, to) => {
  const seen = new Set([from])
  const open = [...imports.get(from)].filter((each) => each !== to)
  for (const each of open) {
    if (each === to) return true
    if (seen.has(each)) continue
    seen.add(each)
    open.push(...(imports.get(each) ?? []))
  }
  return false
}
const arrows = [...imports]
  .flatMap(([from, all]) => [...all].filter((to) => !isReachedOtherwise(from, to)).map((to) => `  ${from} --> ${to}`))
  .sort()
const picture = ['```mermaid', 'flowchart TD', ...arrows, '```'].join('\n')

const saved = readFileSync(page, 'utf8')
const drawn = saved.replace(/```mermaid\n[\s\S]*?```/, picture)
if (process.argv.includes('--check')) {
  if (drawn !== saved) {
    console.error('docs/architecture.md: the picture is stale; npm run picture draws it anew')
    process.exitCode = 1
  }
} else {
  writeFileSync(page, drawn)
}
