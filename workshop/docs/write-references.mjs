// Writes what is made from the code into the pages of docs/reference: `npm run schema`. Needs the built program.
// With --check it only says which page is stale.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { references } from '../../dist/workshop/docs/references.js'
import { reportFields } from './report-fields.mjs'

const [first, last] = ['<!-- from here on made by npm run schema -->', '<!-- up to here -->']

for (const [page, made] of Object.entries({ ...references(), 'report-json': reportFields() })) {
  const file = fileURLToPath(new URL(`../../docs/reference/${page}.md`, import.meta.url))
  const saved = readFileSync(file, 'utf8')
  const [before, after] = [saved.slice(0, saved.indexOf(first) + first.length), saved.slice(saved.indexOf(last))]
  const written = `${before}\n\n${made}\n${after}`
  if (!process.argv.includes('--check')) writeFileSync(file, written)
  else if (written !== saved) {
    console.error(`docs/reference/${page}.md is stale: npm run schema writes it anew`)
    process.exitCode = 1
  }
}
