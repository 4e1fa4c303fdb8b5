// Copies the files that the built site's pages link to, and checks every link: the last step of `npm run docs`. A link to
// a missing file or heading fails.
import { cpSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const site = fileURLToPath(new URL('../../docs/.vitepress/dist', import.meta.url))

for (const linked of ['contracts', 'scenarios', 'schema', 'reports/sample/report.html', 'docs/report.png'])
  cpSync(join(root, linked), join(site, linked), { recursive: true })

const pages = readdirSync(site, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.html') && !path.startsWith('reports'))
  .map((path) => join(site, path))
const html = new Map(pages.map((page) => [page, readFileSync(page, 'utf8')]))
const ids = new Map(
  [...html].map(([page, text]) => [page, new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]),
)

/** Why a link is broken; undefined if it works or leaves the site. */
const broken = (link, page) => {
  if (/^[a-z]+:|^\/\//.test(link)) return undefined
  const [path, fragment] = decodeURI(link.replaceAll('&amp;', '&')).split('#')
  const named = path === '' ? page : path.startsWith('/') ? join(site, path) : join(dirname(page), path)
  const file = existsSync(named) && statSync(named).isDirectory() ? join(named, 'index.html') : named
  if (!existsSync(file)) return 'no such file'
  return fragment && html.has(file) && !ids.get(file).has(fragment) ? 'no such heading' : undefined
}

const objections = [...html].flatMap(([page, text]) =>
  [...new Set([...text.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, link]) => link))].flatMap((link) => {
    const why = broken(link, page)
    return why ? [`${relative(site, page)}: ${link}: ${why}`] : []
  }),
)
// Every page lists all others in its navigation.
const listed = html.get(join(site, 'docs/staging.html')) ?? ''
const unlisted = pages
  .map((page) => `/${relative(site, page)}`)
  .filter((page) => page.startsWith('/docs/') && !listed.includes(`href="${page}"`))
objections.push(...unlisted.map((page) => `${page}: not in the sidebar of docs/.vitepress/config.mjs`))

for (const each of objections) console.error(each)
console.log(`${pages.length} pages in ${relative(root, site)}, ${objections.length} objections`)
if (objections.length > 0) process.exitCode = 1
