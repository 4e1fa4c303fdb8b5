// Writes the reference of the contract file into docs/contract-file.md, from its published JSON Schema: `npm run schema`.
// With --check it only says whether the reference there is stale.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const page = fileURLToPath(new URL('contract-file.md', import.meta.url))
const schema = JSON.parse(readFileSync(new URL('../schema/contract.schema.json', import.meta.url), 'utf8'))

const kinds = { string: 'a text', integer: 'a whole number', number: 'a number', boolean: '`true` or `false`' }

const inWords = (items) => items.join(', ').replace(/, ([^,]*)$/, ' or $1')

/** What may stand there, in words. */
const valueIn = (part) => {
  if ('const' in part) return `\`${part.const}\``
  if (part.enum && !part.title) return inWords(part.enum.map((each) => `\`${each}\``))
  if (part.anyOf) return formsOf(part.anyOf)
  if (part.title) return part.title
  if (part.type === 'array') return isTable(part.items) ? 'a list, see below' : `a list: ${valueIn(part.items)}`
  if (part.properties) return 'fields, see below'
  if (part.additionalProperties) {
    const each = part.additionalProperties
    return isTable(each) ? 'by name, see below' : `by name: ${valueIn(each)}`
  }
  return Array.isArray(part.type) ? 'a text or a number' : kinds[part.type]
}

/** Of `a status; or a list: a status` the second is a list of them. */
const formsOf = (parts) => {
  const forms = [...new Set(parts.flatMap((each) => valueIn(each).split('; or ')))]
  return forms
    .map((form) => (forms.includes(form.replace('a list: ', '')) ? form.replace(/a list: .*/, 'a list of them') : form))
    .join('; or ')
}

const isTable = (part) => part.properties !== undefined

const cell = (text) => text.replaceAll('|', '\\|')

const defaultOf = (value) =>
  JSON.stringify(value)
    .replaceAll('"', '')
    .replaceAll(/([,:])/g, '$1 ')

const rowOf = (name, part, required) => {
  const need = required ? '**needed**' : part.default === undefined ? '' : `\`${defaultOf(part.default)}\``
  return `| \`${name}\` | ${cell(valueIn(part))} | ${need} | ${cell(part.description)} |`
}

const tableOf = ({ properties, required = [] }) => [
  '| field | value | if not there | meaning |',
  '|---|---|---|---|',
  ...Object.entries(properties).map(([name, part]) => rowOf(name, part, required.includes(name))),
]

/** The tables inside a part, each with the path that leads to it. */
const sectionsOf = (part, path) => {
  const tables = isTable(part) ? [{ path, part }] : []
  const inside = [
    ...(part.anyOf ?? []).map((form) => [path, form]),
    ...(part.items ? [[`${path}[]`, part.items]] : []),
    ...(typeof part.additionalProperties === 'object' ? [[`${path}.NAME`, part.additionalProperties]] : []),
    ...Object.entries(part.properties ?? {}).map(([name, field]) => [path ? `${path}.${name}` : name, field]),
  ]
  return [...tables, ...inside.flatMap(([to, each]) => sectionsOf(each, to))]
}

const reference = sectionsOf(schema, '')
  .flatMap(({ path, part }) => [`### ${path === '' ? 'The file' : `\`${path}\``}`, '', ...tableOf(part), ''])
  .join('\n')

const [first, last] = ['<!-- from here on made by docs/write-contract-file.mjs -->', '<!-- up to here -->']
const saved = readFileSync(page, 'utf8')
const written = `${saved.slice(0, saved.indexOf(first) + first.length)}\n\n${reference}\n${saved.slice(saved.indexOf(last))}`
if (process.argv.includes('--check')) {
  if (written !== saved) {
    console.error('docs/contract-file.md: the reference is stale; npm run schema writes it anew')
    process.exitCode = 1
  }
} else {
  writeFileSync(page, written)
}
