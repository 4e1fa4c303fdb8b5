// Draws the current layers of the code into docs/architecture.md: `npm run picture`. With --check, as in `npm run floors`,
// it only says whether the picture is out of date. Either way, an import that breaks a rule is an error.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const page = fileURLToPath(new URL('../../docs/architecture.md', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))

const folders = ['src', 'reference-server', 'bench', 'observatory', 'workshop', 'test']
const flags = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json']
const { modules, summary } = JSON.parse(
  execFileSync('node_modules/.bin/depcruise', [...folders, ...flags], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  }),
)
for (const { rule, from, to } of summary.violations) {
  console.error(`${rule.name}: ${from} imports ${to}`)
  process.exitCode = 1
}

/** The room of a shipped file. */
const floorOf = (path) =>
  /\.test\.ts$|\/testing\//.test(path)
    ? undefined
    : /^(?:src\/([^/]+)|(reference-server))\//.exec(path)?.slice(1).find(Boolean)
const imports = new Map()
for (const { source, dependencies } of modules) {
  const from = floorOf(source)
  if (from === undefined) continue
  const found = imports.get(from) ?? new Set()
  imports.set(from, found)
  for (const { resolved } of dependencies) {
    const to = floorOf(resolved)
    if (to !== undefined && to !== from) found.add(to)
  }
}
/** Whether a floor is reached through another one, so that it needs no arrow of its own. */
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
const rooms = [...new Set(imports.keys())]
const picture = ['```mermaid', 'flowchart TD', ...arrows, '```'].join('\n')

const saved = readFileSync(page, 'utf8')
const drawn = saved.replace(/```mermaid\n[\s\S]*?```/, picture)
for (const room of rooms)
  if (!saved.includes(`| \`${room === 'reference-server' ? room : `src/${room}`}\` |`)) {
    console.error(`docs/architecture.md: its table of rooms has no row for ${room}`)
    process.exitCode = 1
  }
if (process.argv.includes('--check')) {
  if (drawn !== saved) {
    console.error('docs/architecture.md: the picture is stale; npm run picture draws it anew')
    process.exitCode = 1
  }
} else {
  writeFileSync(page, drawn)
}
