import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compareRuns } from '../../src/report/comparison.js'
import { renderComparisonHtml } from '../../src/report/comparison-views.js'
import { renderHistory, storiesOf } from '../../src/report/history.js'
import { renderHtml } from '../../src/report/html/page.js'
import { failingReport } from '../../src/report/testing/failing-report.js'
import { passingReport } from '../../src/report/testing/passing-report.js'
import { waivedReport } from '../../src/report/testing/waived-report.js'

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
const missing = !existsSync(executablePath)
// On CI a missing browser is a failure, never a skip that reads green.
const skipped = missing && !process.env.CI
if (skipped) console.warn(`\n!!! NOT TESTED: comparison and history in a browser. No Chromium at ${executablePath}.\n`)

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[]
}

const later = { ...failingReport, run: { ...failingReport.run, id: 'later', startedAt: '2026-11-22T10:00:00.000Z' } }

const pages: readonly (readonly [string, string])[] = [
  ['a comparison', renderComparisonHtml(compareRuns([passingReport], failingReport), '0.1.0')],
  [
    'a history',
    renderHistory(
      storiesOf([
        { report: passingReport, href: 'a/report.html' },
        { report: later, href: null },
      ]),
      ['b: no report'],
      '0.1.0',
    ),
  ],
  ['a report with waivers', renderHtml(waivedReport)],
]

describe.skipIf(skipped)('in Chromium', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quotaspec-pages-'))
  let browser: Browser

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  })

  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it.each(pages)('%s asks for nothing, fits 360 pixels, and is open to everybody', async (name, markup) => {
    const file = join(folder, `${name.replaceAll(' ', '-')}.html`)
    writeFileSync(file, markup)
    const page = await browser.newPage({ bypassCSP: true, viewport: { width: 1280, height: 900 } })
    const told: string[] = []
    page.on('console', (message) => told.push(message.text()))
    page.on('pageerror', (error) => told.push(error.message))
    page.on('request', (request) => {
      if (request.url() !== pathToFileURL(file).href) told.push(request.url())
    })
    await page.goto(pathToFileURL(file).href)
    await page.addScriptTag({ content: axeSource })
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      const { violations } = (await page.evaluate('axe.run()')) as AxeResult
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
    }
    expect(told).toEqual([])
    await page.close()
  })
})
