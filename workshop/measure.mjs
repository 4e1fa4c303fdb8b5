// Measures the size of the program. `npm run measure [-- FOLDER ...]`: of this repository, or of several checkouts for
// comparison. Measures that need a reader (shapes, walks through the code) are not here.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

/** Production code: shipped, without tests and test support. */
const isProduction = (path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !/(^|\/)testing\//.test(path)

const filesUnder = (root, folder) =>
  existsSync(join(root, folder))
    ? readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((each) => join(folder, each))
    : []

const production = (root) =>
  [...filesUnder(root, 'src'), ...filesUnder(root, 'reference-server')]
    .filter(isProduction)
    .map((path) => ({ path, lines: readFileSync(join(root, path), 'utf8').trimEnd().split('\n') }))

const exported = /^export (?:declare )?(?:async )?(?:abstract )?(?:const|let|function\*?|class|enum|interface|type) \w/
const exportedType = /^export (?:declare )?(?:abstract )?(?:interface|type|class|enum) \w/

/**
 * A branch that asks whether there is a contract file or a view on one of its quotas, or whether the target is the
 * Petstore: a test, a fallback or an optional step of a name that ends in `contract` or `view`.
 */
const branch = new RegExp(
  [
    String.raw`\b(contract|view) *(\?[^.:]|\?\.|\?\?|&&|===|!==)`,
    String.raw`!(\w+\.)*(contract|view)\b`,
    String.raw`if \((\w+\.)*(contract|view)\)`,
    String.raw`\bisPetstore\(`,
  ].join('|'),
)
const isComment = (line) => /^\s*(\/?\*|\/\/)/.test(line)

const importsOf = (path, lines) =>
  Array.from(
    lines.join('\n').matchAll(/(?:from|import\() ?'(\.[^']*)\.js'/g),
    ([, to]) => `${join(dirname(path), to)}.ts`,
  )

/** How many files import each file. */
const importersOf = (files) => {
  const importers = new Map()
  for (const { path, lines } of files)
    for (const to of new Set(importsOf(path, lines))) importers.set(to, (importers.get(to) ?? 0) + 1)
  return importers
}

/** Faults and variations whose recordings the tests judge or, in older checkouts without recordings, play. */
const trialsHeld = (root) => {
  const recorded = filesUnder(root, 'test/corpus').filter((path) => path.endsWith('.run')).length
  if (recorded > 0) return `${recorded} recorded`
  const played = readFileSync(join(root, 'test/keystone.test.ts'), 'utf8').match(/^ {2}'[\w-]+',$/gm) ?? []
  return `${played.length} played`
}

const measure = (root) => {
  const files = production(root)
  const all = files.flatMap(({ lines }) => lines)
  const importers = importersOf(files)
  const asking = files.map(({ lines }) => lines.filter((line) => !isComment(line) && branch.test(line)).length)
  const tests = ['src', 'reference-server', 'workshop', 'test'].flatMap((each) => filesUnder(root, each))
  return {
    'production lines': all.length,
    files: files.length,
    folders: new Set(files.map(({ path }) => dirname(path))).size,
    'lines of the longest file': Math.max(...files.map(({ lines }) => lines.length)),
    'files of over 300 lines': files.filter(({ lines }) => lines.length > 300).length,
    'files of at most 40 lines with one importer': files.filter(
      ({ path, lines }) => lines.length <= 40 && importers.get(path) === 1,
    ).length,
    'files with one importer': files.filter(({ path }) => importers.get(path) === 1).length,
    'exported names': all.filter((line) => exported.test(line)).length,
    'exported types': all.filter((line) => exportedType.test(line)).length,
    '"contract or view?" branches': asking.reduce((sum, each) => sum + each, 0),
    'files with such branches': asking.filter((each) => each > 0).length,
    'files of tests': tests.filter((path) => path.endsWith('.test.ts')).length,
    'trials held by npm test': trialsHeld(root),
  }
}

const roots = process.argv.length > 2 ? process.argv.slice(2) : ['.']
const counted = roots.map((root) => [relative('.', resolve(root)) || 'here', measure(root)])
const cell = (text, width) => String(text).padStart(width)
const widths = counted.map(([name]) => Math.max(name.length, 14))
const row = (title, cells) => console.log(title.padEnd(46), ...cells.map((each, at) => cell(each, widths[at])))
row(
  '',
  counted.map(([name]) => name),
)
for (const title of Object.keys(counted[0][1]))
  row(
    title,
    counted.map(([, measured]) => measured[title]),
  )

// With a report of vitest (`--reporter=json --outputFile.json=FILE`) in TESTS_JSON: which files took longest.
if (process.env.TESTS_JSON) {
  const { testResults } = JSON.parse(readFileSync(process.env.TESTS_JSON, 'utf8'))
  const longest = testResults.map(({ name, startTime, endTime }) => [(endTime - startTime) / 1000, relative('.', name)])
  for (const [seconds, name] of longest.sort(([one], [other]) => other - one).slice(0, 25))
    console.log(cell(seconds.toFixed(1), 8), name)
}
