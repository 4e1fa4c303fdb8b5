import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Cell } from './cells.js'
import { type Limiter, readLimiters } from './limiter.js'
import { dataSchema, findingsPage, indexPage, limiterPage } from './pages.js'

const limiter: Limiter = {
  id: 'gate',
  folder: '',
  title: 'gate, memory',
  ecosystem: 'npm',
  package: 'gate',
  algorithm: 'fixed window',
  store: 'memory',
  promises: [{ columns: ['alone'], says: 'Never more than <max>.', source: 'README.md:3', staysUp: false }],
  install: {},
  start: ['node', 'adapter.mjs'],
  truths: [{ column: 'alone', what: 'broken', because: 'It compares with <=.', source: 'gate/index.js:7' }],
}

const play = (state: Cell['state'], date = '2026-11-24', seconds = 90) => ({ state, date, seconds })

const cell = (given: Partial<Cell>): Cell => ({
  column: 'alone',
  state: 'kept',
  measured: 'as it should',
  findings: [],
  excludes: [],
  repeats: [play('kept')],
  ...given,
})

const row = (...cells: readonly Cell[]) => ({ id: 'gate', version: '1.2.3', cells: [...cells] })
const data = (...cells: readonly Cell[]) => ({
  machine: { cores: 2, node: 'v20' },
  rows: [row(...cells)],
})
const broken = cell({
  state: 'broken',
  by: 3,
  measured: 'admitted 23 | of 20',
  repeats: [play('kept', '2026-11-23', 200), play('broken', '2026-11-24', 400)],
})
const unpromised = cell({ column: 'cluster', state: 'not-promised', by: 40 })

describe('pages of the observatory', () => {
  it('show each cell as a link, and how many requests only where a promise is broken', () => {
    const page = indexPage([limiter], data(broken, unpromised))
    expect(page).toContain(
      '| [gate, memory](gate.md) | npm | memory | 1.2.3 | [broken by 3](gate.md#alone) | [not promised](gate.md#cluster) |',
    )
    expect(page).toContain('1 limiters, 2 cells: 0 kept, 1 broken, 0 open, 1 not promised, 0 measured.')
    expect(page.indexOf('what it does not say')).toBeLessThan(page.indexOf('## The table'))
  })

  it('say how often cells were played, which changed, and what time and money the table takes', () => {
    const page = indexPage([limiter], data(broken, unpromised))
    expect(page).toContain(
      'Cells that were played several times (2 to 2 times): 1. Of these came out differently at least once, as their pages say: 1.',
    )
    expect(page).toContain('A cell took 195 s.')
    expect(page).toContain('3 runs go side by side on two cores: at that pace the whole table takes 3 minutes')
    expect(page).toContain('about $0.03 a month')
    expect(page).toContain('Played on 2026-11-23 to 2026-11-24 with')
  })

  it('name what was not played', () => {
    expect(indexPage([limiter, { ...limiter, id: 'wall', title: 'wall' }], data(broken))).toContain('Not played: wall.')
    expect(indexPage([limiter], data(broken))).not.toContain('Not played')
  })

  it('of one limiter have its promises, causes, certificates and the command for each cell', () => {
    const page = limiterPage(limiter, row(cell({ column: 'race', excludes: ['one too many'] }), broken))
    expect(page).toContain('| alone | Never more than &#60;max&#62;. | README.md:3 |')
    expect(page).toContain('**broken by 3**: admitted 23 &#124; of 20')
    expect(page).toContain('Why: It compares with &#60;=. (gate/index.js:7)')
    expect(page).toContain('Played 2 times: kept, broken.')
    expect(page).toContain('The run excludes: one too many.')
    expect(page).toContain('npm run observatory -- --only gate --columns alone')
    expect(page.indexOf('### alone')).toBeLessThan(page.indexOf('### race'))
  })

  it('of one limiter name a cause only where it is that of what was seen', () => {
    const page = limiterPage(limiter, row(cell({}), cell({ column: 'race', state: 'broken' })))
    expect(page.split('Why: ')).toHaveLength(2)
    expect(page.indexOf('Why: ')).toBeGreaterThan(page.indexOf('### race'))
  })

  it('of findings have what breaks a promise, and nothing else', () => {
    expect(findingsPage([limiter], data(broken, unpromised))).toContain(
      '- Cause: It compares with &#60;=. (gate/index.js:7)',
    )
    expect(findingsPage([limiter], data(unpromised))).toContain('Nothing.')
  })

  it('give each breach of a promise a cause by file and line, and each kept one its certificate', () => {
    const read = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8')
    const { rows } = dataSchema.parse(JSON.parse(read('../docs/observatory/data.json')))
    const cells = rows.flatMap(({ id, cells }) => cells.map((cell) => ({ id, ...cell })))
    const isUncertain = ({ state, excludes }: (typeof cells)[number]) => state === 'kept' && excludes.length === 0
    expect(cells.filter(isUncertain).map(({ id, column }) => `${id} ${column}`)).toEqual([])
    const findings = findingsPage(readLimiters(fileURLToPath(new URL('limiters', import.meta.url))), {
      machine: { cores: 0, node: '' },
      rows,
    })
    const causes = findings.match(/^- Cause: .*/gm) ?? []
    expect(causes.length).toBeGreaterThanOrEqual(10)
    expect(causes.filter((cause) => !/:\d+[-, 0-9]*\)$/.test(cause))).toEqual([])
  })
})
