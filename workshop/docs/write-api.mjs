// Writes docs/reference/api.md from the declarations that the package is published with: `npm run api`. Needs the built program.
// With --check it only says whether the page is stale.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = fileURLToPath(new URL('../../docs/reference/api.md', import.meta.url))
const { exports: doors } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
const [first, last] = ['<!-- from here on made by npm run api -->', '<!-- up to here -->']

const entries = Object.entries(doors)
  .filter(([, { types }]) => types?.includes('/library/'))
  .map(([door, { types }]) => ({ name: door.replace(/^\./, 'quotaspec'), file: `${root}${types.slice(2)}` }))
const program = ts.createProgram(
  entries.map(({ file }) => file),
  { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, strict: true, types: [] },
)
const checker = program.getTypeChecker()

/** What stands in a comment, its links as code. */
const prose = (parts) =>
  ts
    .displayPartsToString(parts)
    .replace(/\{@link\s+(\S+?)\s*\}/g, '`$1`')
    .replace(/\s*\n\s*/g, ' ')
    .trim()

const throwsOf = (symbol) =>
  symbol
    .getJsDocTags(checker)
    .filter(({ name }) => name === 'throws')
    .map(({ text }) => `Throws ${prose(text)}`)

/** The declaration as it was written, without its comment and without what only a module needs. */
const declared = (node) =>
  (ts.isVariableDeclaration(node) ? node.parent.parent : node)
    .getText()
    .replace(/^export (declare )?/, '')
    .replaceAll(/\r\n/g, '\n')

const described = (symbol) => {
  const [node] = symbol.getDeclarations() ?? []
  if (!node) throw new Error(`${symbol.getName()} is declared nowhere`)
  const words = [prose(symbol.getDocumentationComment(checker)), ...throwsOf(symbol)].filter(Boolean)
  const text = declared(node)
  const isOfSchema = text.includes('z.infer<')
  const code = isOfSchema ? ['What `report.json` holds: `schema/report.schema.json`.', ''] : ['```ts', text, '```', '']
  return [`### ${symbol.getName()}`, '', ...words.flatMap((each) => [each, '']), ...code]
}

/** Functions come before the types that they use. */
const rank = ({ flags }) => (flags & ts.SymbolFlags.Value ? 0 : 1)

const symbolsOf = (file) => {
  const source = program.getSourceFile(file)
  const module = source && checker.getSymbolAtLocation(source)
  if (!module) throw new Error(`${file} is not there: build first`)
  return checker
    .getExportsOfModule(module)
    .map((each) => (each.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(each) : each))
    .sort((one, other) => rank(one) - rank(other))
}

/** What a module adds to the matchers of vitest. */
const matchersOf = (file) => {
  const found = []
  const visit = (node) => {
    if (ts.isInterfaceDeclaration(node) && node.name.text === 'QuotaMatchers') found.push(node)
    ts.forEachChild(node, visit)
  }
  visit(program.getSourceFile(file))
  return found
    .flatMap(({ members }) => [...members])
    .map((each) => checker.getSymbolAtLocation(each.name))
    .flatMap(described)
}

const told = new Set()
const sections = entries.flatMap(({ name, file }) => {
  const own = symbolsOf(file).filter((each) => !told.has(each))
  for (const each of own) told.add(each)
  return [`## ${name}`, '', ...matchersOf(file), ...own.flatMap(described)]
})

const saved = readFileSync(page, 'utf8')
const [before, after] = [saved.slice(0, saved.indexOf(first) + first.length), saved.slice(saved.indexOf(last))]
const made = `${before}\n\n${sections.join('\n').trim()}\n\n${after}`
if (!process.argv.includes('--check')) writeFileSync(page, made)
else if (made !== saved) {
  console.error('docs/reference/api.md is stale: npm run api writes it anew')
  process.exitCode = 1
}
