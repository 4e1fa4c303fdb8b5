// Writes what is made from the code into the folder schema and the pages of docs/reference: `npm run schema`. Needs the
// built program. With --check it only says which file is stale.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { publishedFiles } from '../../dist/workshop/docs/published-files.js'
import { references } from '../../dist/workshop/docs/references.js'
import { reportFields } from './report-fields.mjs'

const fileOf = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

const write = (path, text) => {
  const saved = existsSync(fileOf(path)) ? readFileSync(fileOf(path), 'utf8') : undefined
  if (!process.argv.includes('--check')) writeFileSync(fileOf(path), text)
  else if (text !== saved) {
    console.error(`${path} is stale: npm run schema writes it anew`)
    process.exitCode = 1
  }
}

const [first, last] = ['<!-- from here on made by npm run schema -->', '<!-- up to here -->']

for (const [page, made] of Object.entries({ ...references(), 'report-json': reportFields() })) {
  const saved = readFileSync(fileOf(`docs/reference/${page}.md`), 'utf8')
  const [before, after] = [saved.slice(0, saved.indexOf(first) + first.length), saved.slice(saved.indexOf(last))]
  write(`docs/reference/${page}.md`, `${before}\n\n${made}\n${after}`)
}

for (const [name, text] of Object.entries(publishedFiles())) write(`schema/${name}`, text)
