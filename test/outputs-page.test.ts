import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatNames } from '../src/cli/output/report-formats.js'
import { encodeLedger } from '../src/evidence/ledger-file.js'
import { madeLedger } from '../src/evidence/testing/made-ledger.js'
import { renderOpenMetrics } from '../src/report/formats/metrics.js'
import { everyReport, reportNames } from '../src/report/testing/every-report.js'

const page = readFileSync(new URL('../docs/outputs.md', import.meta.url), 'utf8')

const named = (text: string, pattern: RegExp): string[] => [...new Set(text.match(pattern) ?? [])].sort()

it('the page on outputs names each format', () => {
  const head = page.slice(0, page.indexOf('\n## '))
  expect(formatNames.filter((name) => !head.includes(`\`${name}\``))).toEqual([])
})

it('the page on outputs names the metrics that there are, and no other', () => {
  const metrics = Object.values(everyReport).map(renderOpenMetrics).join('')
  expect(named(page, /\bquotaspec_[a-z_]+/g)).toEqual(named(metrics, /(?<=^# TYPE )quotaspec_[a-z_]+/gm))
})

describe('a recipe of the page on outputs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quotaspec-recipes-'))
  const recipes = [...page.matchAll(/^```js\n(\/\/ node (\S+) .*\n[\s\S]*?)^```$/gm)]
  beforeAll(() => {
    mkdirSync(join(folder, 'ledgers'))
    for (const [, text, name] of recipes) writeFileSync(join(folder, name), text)
    for (const name of reportNames) writeFileSync(join(folder, `${name}.json`), JSON.stringify(everyReport[name]))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  /** What a recipe prints; what it says on the error stream is a failure. */
  const run = (...args: readonly string[]): string => {
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
    expect(stderr).toBe('')
    return stdout
  }

  it('is tried below', () => {
    expect(recipes.map(([, , name]) => name)).toEqual(['badge.mjs', 'chat.mjs', 'requests.mjs'])
  })

  it.each([
    ['passing', 'quotas kept'],
    ['failing', 'quotas broken'],
    ['inconclusive', 'quotas unproven'],
  ])('draws the badge of a %s run, which says %s', (name, words) => {
    const svg = run('badge.mjs', `${name}.json`)
    expect(svg).toMatch(/^<svg [\s\S]*<\/svg>\n$/)
    expect(svg).toContain(`<title>${words}</title>`)
  })

  it.each(reportNames)('makes a message of the %s report, in which nothing that a target says acts', (name) => {
    const { text } = JSON.parse(run('chat.mjs', `${name}.json`, 'https://ci.example/42'))
    const [verdict, ...rest] = text.split('\n')
    expect(verdict).toContain(`${everyReport[name].outcome}: `)
    expect(rest.at(-1)).toBe('https://ci.example/42')
    expect(text).not.toMatch(/[<>]|[@#*_`~](?!\u200b|\d+;)/)
  })

  it('lists every request of a load', () => {
    const sent = [{ sentMs: 1 }, { sentMs: 2, status: 429 }, { sentMs: 3.5, status: 200 }]
    const ledger = madeLedger(sent, { id: 'burst-free', key: 'free' })
    writeFileSync(join(folder, 'ledgers/burst-free.ledger'), encodeLedger(ledger))
    const [head, ...rows] = run('requests.mjs', '.').trim().split('\n')
    expect(head.split(',').slice(0, 4)).toEqual(['ledger', 'row', 'key', 'plannedUs'])
    expect(rows.map((row) => row.split(',').slice(0, 3).join())).toEqual(sent.map((_, row) => `burst-free,${row},free`))
    const status = head.split(',').indexOf('status')
    expect(rows.map((row) => Number(row.split(',')[status]))).toEqual([...ledger.rows.status])
    expect(rows.map((row) => Number(row.split(',')[4]))).toEqual([...ledger.rows.sentUs])
  })
})
