// The site of the docs: `npm run docs` builds it into docs/.vitepress/dist. Its pages are those that the repository and the
// package show, where they stand; so links lead to the same place everywhere.
import { readdirSync } from 'node:fs'
import { defineConfig } from 'vitepress'
import { arrowsAsTable } from './arrows-as-table.mjs'

/** Pages of wide tables: they take the place of the outline. */
const wide =
  /observatory\/|reference\/(checks|faults|report-json)|explanation\/(kill-matrix(-contracts)?|hostile-targets|silent-targets|stress)/

const observatory = new URL('../observatory/', import.meta.url)

/** A page of each limiter, as they were played. */
const limiterPages = () =>
  readdirSync(observatory)
    .filter((file) => file.endsWith('.md') && file !== 'index.md' && file !== 'findings.md')
    .map((file) => page(file.slice(0, -'.md'.length), `observatory/${file.slice(0, -'.md'.length)}`))

/** Sorts a table by the column whose head is clicked. */
const sortTables = `addEventListener('click', ({ target }) => {
  const head = target.closest?.('.vp-doc th')
  if (!head) return
  const body = head.closest('table').tBodies[0]
  const textOf = (row) => row.cells[head.cellIndex].textContent
  body.append(...[...body.rows].sort((a, b) => textOf(a).localeCompare(textOf(b), 'en', { numeric: true })))
})`

const page = (text, path) => ({ text, link: `/docs/${path}` })

export default defineConfig({
  title: 'quotaspec',
  description: 'Proves that an HTTP API keeps its contract, quotas included',
  lang: 'en',
  head: [['script', {}, sortTables]],
  srcDir: '..',
  srcExclude: [
    'node_modules/**',
    'dist/**',
    'reports/**',
    'test/**',
    'src/**',
    'THIRD-PARTY-NOTICES.md',
    'observatory/**',
  ],
  rewrites: { 'docs/index.md': 'index.md' },
  // Where the site does not stand at the root of its host: /quotaspec/.
  base: process.env.DOCS_BASE ?? '/',
  markdown: { config: arrowsAsTable },
  transformPageData: ({ relativePath, frontmatter }) =>
    wide.test(relativePath) ? { frontmatter: { ...frontmatter, aside: false } } : undefined,
  themeConfig: {
    outline: [2, 3],
    search: { provider: 'local' },
    nav: [
      { text: 'Start', link: '/docs/first-report' },
      { text: 'Commands', link: '/docs/reference/commands' },
      { text: 'A sample report', link: '/reports/sample/report.html', target: '_blank' },
    ],
    sidebar: [
      {
        text: 'Tutorial',
        items: [
          { text: 'Install it', link: '/README' },
          page('A red and a green report', 'first-report'),
          page('Your API in ten minutes', 'your-api-in-ten-minutes'),
        ],
      },
      {
        text: 'How to',
        items: [
          page('Test a staging server', 'staging'),
          page('Watch a run', 'live'),
          page('Gate a pipeline', 'ci'),
          page('Benchmark a quota', 'quota-benchmark'),
          page('Judge access logs', 'logs'),
          page('Give it to a coding agent', 'coding-agents'),
          page('Audit a client', 'clients'),
          page('Serve a contract', 'serving-a-contract'),
          page('Use many machines', 'many-machines'),
          page('Feed other tools', 'outputs'),
        ],
      },
      {
        text: 'Reference',
        items: [
          page('Commands', 'reference/commands'),
          page('quotaspec.yaml', 'reference/configuration'),
          page('The scenario file', 'reference/scenario-file'),
          page('Probes', 'reference/probes'),
          page('The contract file', 'reference/contract-file'),
          page('Clauses and checks', 'reference/checks'),
          page('Faults', 'reference/faults'),
          page('What comes with it', 'reference/shipped-files'),
          page('report.json', 'reference/report-json'),
          page('The ledger', 'reference/ledger'),
          page('The library', 'reference/api'),
          page('Glossary', 'glossary'),
        ],
      },
      {
        text: 'Explanation',
        items: [
          page('When a pass is earned', 'explanation/evidence'),
          page('How a limiter is judged', 'explanation/oracle'),
          page('What a pass excludes', 'explanation/certificate'),
          page('The generator', 'explanation/generator'),
          page('The kill matrix', 'explanation/kill-matrix'),
          page('The kill matrices of contracts', 'explanation/kill-matrix-contracts'),
          page('Under stress', 'explanation/stress'),
          page('Hostile targets', 'explanation/hostile-targets'),
          page('Silent targets', 'explanation/silent-targets'),
        ],
      },
      {
        text: 'The observatory',
        collapsed: true,
        items: [
          page('Which limiters keep their promise', 'observatory/index'),
          page('What maintainers may want to know', 'observatory/findings'),
          ...limiterPages(),
        ],
      },
      {
        text: 'Working on it',
        items: [
          page('Contributing', 'contributing'),
          page('Architecture', 'architecture'),
          { text: 'Changes', link: '/CHANGELOG' },
        ],
      },
    ],
  },
})
