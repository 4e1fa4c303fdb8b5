import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { renderHtml } from '../src/report/html/page.js'
import type { Report } from '../src/report/model.js'
import { attackReport, withLongBody } from '../src/report/testing/attack-report.js'
import { failingReport } from '../src/report/testing/failing-report.js'
import { inconclusiveReport } from '../src/report/testing/inconclusive-report.js'
import { passingReport } from '../src/report/testing/passing-report.js'

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
const missing = !existsSync(executablePath)
// On CI a missing browser is a failure, never a skip that reads green.
const skipped = missing && !process.env.CI
if (skipped)
  console.warn(`\n!!! NOT TESTED: report.html in a browser. No Chromium at ${executablePath} (CHROMIUM_PATH).\n`)

const browserArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Three charts for the story of a plan, its envelope, one for the clients of a kind, and one for the gravest failure. */
const chartsOf = (report: Report): number =>
  report.timelines.length * 3 + report.envelopes.length + report.backoff.length + (report.outcome === 'fail' ? 1 : 0)

const require = createRequire(import.meta.url)
const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly target: readonly string[] }[]
  }[]
}

describe.skipIf(skipped)('report.html in Chromium', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quotaspec-report-'))
  let context: BrowserContext

  const open = async (report: Report, options: { readonly hash?: string; readonly dark?: boolean } = {}) => {
    const file = join(folder, `${report.outcome}-${Math.abs(report.headline.length)}.html`)
    writeFileSync(file, renderHtml(report))
    const page = await context.newPage()
    const told: string[] = []
    page.on('console', (message) => told.push(`console ${message.type()}: ${message.text()}`))
    page.on('pageerror', (error) => told.push(`error: ${error.message}`))
    page.on('request', (request) => {
      if (request.url().split('#')[0] !== pathToFileURL(file).href) told.push(`request: ${request.url()}`)
    })
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.emulateMedia({ colorScheme: options.dark ? 'dark' : 'light', reducedMotion: 'reduce' })
    await page.goto(pathToFileURL(file).href + (options.hash ?? ''))
    return { page, told }
  }

  const openAll = (page: Page) =>
    page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true')

  const openClauses = (page: Page) => page.locator('.clause:not([hidden])').count()

  beforeAll(async () => {
    context = await chromium.launchPersistentContext(mkdtempSync(join(folder, 'profile-')), {
      executablePath,
      headless: true,
      args: browserArguments,
    })
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  })

  afterAll(async () => {
    await context?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it.each([
    ['passing', passingReport],
    ['failing', failingReport],
    ['inconclusive', inconclusiveReport],
  ] as const)('draws the %s report without an error, a message or a request', async (_, report) => {
    const { page, told } = await open(report)
    await openAll(page)
    expect(told).toEqual([])
    expect(await page.locator('.plot .still').locator('visible=true').count()).toBe(chartsOf(report))
    await page.close()
  })

  it('is short where all is well, and shows the failing exchange early where it is not', async () => {
    const { page } = await open(passingReport)
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(6_000)
    await page.close()
    const failing = await open(failingReport)
    const top = (selector: string) =>
      failing.page.evaluate(`document.querySelector('${selector}').getBoundingClientRect().top + scrollY`)
    expect(await top('.plan-card')).toBeLessThan(900)
    expect(await top('.finding .chart')).toBeLessThan(1_500)
    expect(await top('.exchange')).toBeLessThan(2_000)
    await failing.page.close()
  })

  it.each([
    ['failing', failingReport],
    ['attacking', attackReport],
  ] as const)('never scrolls sideways, however wide the page of the %s report is', async (_, report) => {
    const { page } = await open(report)
    const beyond: Record<number, unknown> = {}
    for (const width of [360, 400, 768, 1280, 1920]) {
      await page.setViewportSize({ width, height: 900 })
      beyond[width] = await page.evaluate('Math.max(0, document.documentElement.scrollWidth - innerWidth)')
    }
    expect(beyond).toEqual({ 360: 0, 400: 0, 768: 0, 1280: 0, 1920: 0 })
    await page.close()
  })

  it('breaks no rule of axe-core, narrow or wide, light or dark', async () => {
    const { page } = await open(failingReport)
    await openAll(page)
    // The page's own policy rightly keeps scripts out; the tool that looks at it comes in beside it.
    const session = await context.newCDPSession(page)
    await session.send('Runtime.evaluate', { expression: axeSource })
    for (const [width, colorScheme] of [
      [400, 'light'],
      [400, 'dark'],
      [1280, 'light'],
      [1280, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      const result = (await page.evaluate('axe.run({ resultTypes: ["violations"] })')) as AxeResult
      expect(
        result.violations.map((each) => [each.id, each.nodes.slice(0, 3).map((node) => node.target.join(' '))]),
        `${width} ${colorScheme}`,
      ).toEqual([])
    }
    await page.close()
  })

  it('filters clauses by verdict, level, area and plan, searches them, and shows all again', async () => {
    const { page } = await open(failingReport)
    const all = failingReport.clauses.length
    expect(await openClauses(page)).toBe(all)
    expect(await page.locator('.clause:visible').count()).toBe(0)
    await page.getByRole('checkbox', { name: /^Failed/ }).check()
    expect(await openClauses(page)).toBe(2)
    expect(await page.locator('.clause:visible').count()).toBe(2)
    await page.locator('select[name=plan]').selectOption('pro')
    expect(await page.locator('.clause:visible .clause-id').allTextContents()).toEqual(['QUOTA-1'])
    expect(await page.getByRole('status').textContent()).toBe(`1 of ${all} clauses`)
    await page.getByRole('button', { name: 'Show all' }).click()
    await expect.poll(() => openClauses(page)).toBe(all)
    await page.getByRole('checkbox', { name: /^should/ }).check()
    await page.locator('select[name=area]').selectOption('Authentication')
    expect(await page.locator('.clause:visible .clause-id').allTextContents()).toEqual(['AUTH-7', 'AUTH-8', 'AUTH-9'])
    await page.getByLabel('Search').fill('cookie KEY')
    expect(await page.locator('.clause:visible .clause-id').allTextContents()).toEqual(['AUTH-9'])
    await page.getByLabel('Search').fill('no such thing')
    expect(await page.getByText('No clause matches these filters.').isVisible()).toBe(true)
    await page.close()
  })

  it('opens what a link names, even where a filter hides it', async () => {
    const { page } = await open(failingReport, { hash: '#RATE-5' })
    expect(await page.locator('#RATE-5').getAttribute('open')).toBe('')
    await page.getByRole('checkbox', { name: /^Failed/ }).check()
    await page.evaluate('location.hash = "#check-rate.clause-6"')
    await expect.poll(() => page.locator('#check-rate\\.clause-6').isVisible()).toBe(true)
    await page.close()
  })

  it('copies the command, and says so', async () => {
    const { page } = await open(failingReport)
    await page.getByText('About this run').click()
    const button = page.getByRole('button', { name: 'Copy: the command that repeats this run' })
    await button.click()
    await expect.poll(() => button.textContent()).toBe('Copied')
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(failingReport.run.command)
    await page.close()
  })

  it('tells the values under the pointer, as the table behind the chart has them', async () => {
    const { page } = await open(failingReport)
    const figure = page.locator('.finding figure.chart').first()
    const hint = await figure.locator('.readout').textContent()
    const row = await figure.locator('tbody tr').last().locator('th, td').allTextContents()
    await figure.locator('.still').scrollIntoViewIfNeeded()
    const box = await figure.locator('.still').boundingBox()
    if (box === null) throw new Error('the chart is not shown')
    await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2)
    const told = (await figure.locator('.readout').textContent()) ?? ''
    expect(told.startsWith(`${row[0]} s · `)).toBe(true)
    expect(
      told
        .split(' · ')
        .slice(1)
        .map((each) => each.split(': ').at(-1)),
    ).toEqual(row.slice(1))
    expect(await figure.locator('.cursor.shown').count()).toBe(1)
    await page.mouse.move(0, 0)
    expect(await figure.locator('.readout').textContent()).toBe(hint)
    await page.close()
  })

  it('works by keyboard: skip link, clause, filter', async () => {
    const { page } = await open(failingReport)
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the verdict')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main')
    await page.locator('.area > summary', { hasText: 'Rate-limit headers' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('#RATE-5 > summary').focus()
    await page.keyboard.press('Enter')
    expect(await page.locator('#RATE-5').getAttribute('open')).toBe('')
    await page.getByRole('checkbox', { name: /^Failed/ }).focus()
    await page.keyboard.press('Space')
    expect(await openClauses(page)).toBe(2)
    await page.close()
  })

  it('changes colours with the scheme, and prints light, without controls, with the charts', async () => {
    const { page } = await open(failingReport, { dark: true })
    await openAll(page)
    const paper = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    const dark = await paper()
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await paper()).not.toBe(dark)
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    expect(await paper()).toBe('rgb(255, 255, 255)')
    expect(await page.locator('.filters, .copy, .sections, .readout').locator('visible=true').count()).toBe(0)
    expect(await page.locator('.still').locator('visible=true').count()).toBe(chartsOf(failingReport))
    // A sheet of A4 is about so wide; what a table has beyond it would be lost.
    await page.setViewportSize({ width: 720, height: 1000 })
    const cutOff = `[...document.querySelectorAll('.scroll')].filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.ariaLabel)`
    expect(await page.evaluate(cutOff)).toEqual([])
    await page.close()
  })

  it('stays readable with scripts off', async () => {
    const { page } = await open(failingReport)
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setScriptExecutionDisabled', { value: true })
    await page.reload()
    expect(await page.locator('h1').textContent()).toBe(failingReport.headline)
    expect(await openClauses(page)).toBe(failingReport.clauses.length)
    await page.locator('.plan.folded > summary').first().click()
    expect(await page.locator('.still').locator('visible=true').count()).toBe(1 + 3 + 1)
    expect(await page.locator('.filters, .copy').locator('visible=true').count()).toBe(0)
    await page.close()
  })

  it('is not changed by a target whose every string is an attack', async () => {
    const { page, told } = await open(withLongBody(attackReport, 9_999_999))
    await openAll(page)
    expect(told).toEqual([])
    expect(await page.evaluate('window.attacked')).toBeUndefined()
    expect(await page.locator('script, iframe, img, object, embed, base, link').count()).toBe(1)
    expect(await page.locator('a:not([href^="#"])').count()).toBe(0)
    expect(await openClauses(page)).toBe(attackReport.clauses.length)
    await page.close()
  })
})
