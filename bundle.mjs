// Puts the command line together: a few files for what each command needs, in place of some hundred modules, which are most
// of the time that a command takes to start. What is compiled module by module stays beside it, for whoever imports it.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'rolldown'

/** Packages of many small modules. Every other package is loaded as it is. */
const inlined = new Set(
  [
    'yargs yargs-parser cliui escalade get-caller-file y18n string-width strip-ansi wrap-ansi ansi-regex ansi-styles',
    'emoji-regex get-east-asian-width zod lossless-json structured-headers pure-rand fast-check yaml',
  ].flatMap((line) => line.split(' ')),
)

const packageOf = (path) => /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(path)?.slice(1) ?? []

/** Leaves a package that is not inlined to be found by Node, by the name under which it was asked for. */
const leavePackages = {
  name: 'leave-packages',
  resolveId: {
    order: 'pre',
    async handler(id, importer, options) {
      if (importer === undefined || /^[./]|^node:/.test(id)) return null
      const found = await this.resolve(id, importer, { ...options, skipSelf: true })
      if (!found || found.external) return found
      return inlined.has(packageOf(found.id)[1]) ? found : { id, external: true }
    },
  },
}

const folder = 'dist/src/cli'
rmSync(`${folder}/chunks`, { recursive: true, force: true })

const { output } = await build({
  // What tsc has compiled; it writes this file anew with each build.
  input: `${folder}/main.js`,
  platform: 'node',
  logLevel: 'warn',
  plugins: [leavePackages],
  output: {
    dir: folder,
    format: 'esm',
    entryFileNames: 'main.js',
    chunkFileNames: 'chunks/[name].js',
    comments: false,
  },
})

/** What is inlined comes with its licence. */
const licenceOf = ([path, name]) => {
  const file = readdirSync(path).find((each) => /^licen[cs]e/i.test(each))
  if (file === undefined) throw new Error(`${name} is inlined, and its package holds no licence`)
  return `${name}\n\n${readFileSync(join(path, file), 'utf8').trim()}\n`
}

const packages = output.flatMap((chunk) => (chunk.moduleIds ?? []).map(packageOf)).filter(([path]) => path)
const licences = [...new Map(packages.map((each) => [each[1], each])).values()].sort().map(licenceOf)
writeFileSync(`${folder}/chunks/LICENCES.txt`, licences.join(`\n${'-'.repeat(80)}\n\n`))
