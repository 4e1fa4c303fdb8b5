import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { formatNames } from '../src/cli/report/format-names.js'
import { renderCsv } from '../src/report/formats/csv/render-csv.js'
import { renderOpenMetrics } from '../src/report/formats/metrics/render-openmetrics.js'
import { everyReport } from '../src/report/testing/every-report.js'

const page = readFileSync(new URL('../docs/outputs.md', import.meta.url), 'utf8')

const named = (text: string, pattern: RegExp): string[] => [...new Set(text.match(pattern) ?? [])].sort()

it('the page on outputs names each format', () => {
  const head = page.slice(0, page.indexOf('`--to URL`'))
  expect(formatNames.filter((name) => !head.includes(`\`${name}\``))).toEqual([])
})

it('the page on outputs names the metrics that there are, and no other', () => {
  const metrics = Object.values(everyReport).map(renderOpenMetrics).join('')
  expect(named(page, /\bquotaspec_[a-z_]+/g)).toEqual(named(metrics, /(?<=^# TYPE )quotaspec_[a-z_]+/gm))
})

it('the page on outputs names every column of a CSV', () => {
  const [head = ''] = [...renderCsv([])]
  expect(
    head
      .trim()
      .split(',')
      .filter((name) => !page.includes(`\`${name}\``)),
  ).toEqual([])
})
