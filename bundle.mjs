// Puts what is shipped together: a few files for what each command and each import needs, in place of some hundred modules,
// which are most of the time that a command takes to start. The packages that it needs are put in as well, from those that
// package.json calls `inlined`: so one install brings one package, in the versions that were tested.

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { build } from 'rolldown'

const { exports, inlined, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))

/** Packages that are asked for by those who have them. */
const left = new Set(Object.keys(peerDependencies))

const packageOf = (path) => /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(path)?.slice(1) ?? []
const nameIn = (id) => /^(?:@[^/]+\/)?[^/]+/.exec(id)[0]

/** Leaves optional packages to be found by Node, and refuses one of ours that nobody decided to ship. */
const shippedPackages = {
  name: 'shipped-packages',
  resolveId: {
    order: 'pre',
    handler(id, importer) {
      if (importer === undefined || /^[./#]|^node:/.test(id)) return null
      if (left.has(nameIn(id))) return { id, external: true }
      const isOurs = packageOf(importer).length === 0
      if (isOurs && !isBuiltin(id) && !inlined.includes(nameIn(id)))
        throw new Error(
          `${importer} imports ${id}: package.json names it neither under inlined nor under peerDependencies`,
        )
      return null
    },
  },
}

/** Of undici the one class that sends: its index also sets up fetch, caches, mocks and sockets, a tenth of what `run` takes to start. */
const undiciAgent = {
  name: 'undici-agent',
  resolveId: {
    order: 'pre',
    handler: (id) => (id === 'undici' ? '\0undici-agent' : null),
  },
  load: (id) => (id === '\0undici-agent' ? "export { default as Agent } from 'undici/lib/dispatcher/agent.js'" : null),
}

const folder = 'dist/src'
const entries = [
  'dist/src/cli/main.js',
  'dist/src/cli/keystone/trial-worker.js',
  ...Object.values(exports).flatMap((each) => each.default ?? []),
].map((path) => path.replace(/^\.\//, ''))
const nameOf = (path) => path.slice(`${folder}/`.length, -'.js'.length)

rmSync(`${folder}/cli/chunks`, { recursive: true, force: true })

const { output } = await build({
  // What tsc has compiled; it writes these files anew with each build.
  input: Object.fromEntries(entries.map((path) => [nameOf(path), path])),
  platform: 'node',
  logLevel: 'warn',
  // That of hdr-histogram-js asks for zlib, to write histograms into a text: none is written.
  checks: { eval: false },
  plugins: [undiciAgent, shippedPackages],
  output: {
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'cli/chunks/[name].js',
    comments: false,
  },
})

/** What is inlined comes with its licence: the text, or what the package says of it where it holds none. */
const licenceOf = ([path, name]) => {
  const file = readdirSync(path).find((each) => /^licen[cs]e/i.test(each))
  const { license, homepage } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
  if (license === undefined) throw new Error(`${name} is inlined, and names no licence`)
  return `${name}\n\n${file === undefined ? `${license} (${homepage})` : readFileSync(join(path, file), 'utf8').trim()}\n`
}

const packages = output.flatMap((chunk) => (chunk.moduleIds ?? []).map(packageOf)).filter(([path]) => path)
const licences = [...new Map(packages.map((each) => [each[1], each])).values()].sort().map(licenceOf)
writeFileSync(`${folder}/cli/chunks/LICENCES.txt`, licences.join(`\n${'-'.repeat(80)}\n\n`))
