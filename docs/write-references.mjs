// Writes what is made from the code into the pages of docs: `npm run schema`. Needs the built program.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../dist/src/cli/main.js', import.meta.url))
const [first, last] = ['<!-- from here on made by npm run schema -->', '<!-- up to here -->']

const pages = {
  'configuration.md': ['schema', 'config', '--as', 'markdown'],
  'scenario-file.md': ['schema', 'scenario', '--as', 'markdown'],
  'contract-file.md': ['schema', 'contract', '--as', 'markdown'],
  'probes.md': ['probes', '--as', 'markdown'],
}

for (const [page, command] of Object.entries(pages)) {
  const file = fileURLToPath(new URL(page, import.meta.url))
  const saved = readFileSync(file, 'utf8')
  const made = execFileSync(process.execPath, [program, ...command], { encoding: 'utf8' })
  const [before, after] = [saved.slice(0, saved.indexOf(first) + first.length), saved.slice(saved.indexOf(last))]
  writeFileSync(file, `${before}\n\n${made}\n${after}`)
}
