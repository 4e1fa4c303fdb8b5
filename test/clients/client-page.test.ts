import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BrowserContext, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ClientReport } from '../../src/client-audit/report/model.js'
import { renderClientHtml } from '../../src/client-audit/report/render-client-html.js'
import {
  hammeringClient,
  hostileClient,
  unjitteredClient,
} from '../../src/client-audit/report/testing/sample-client-reports.js'

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
// On CI a missing browser is a failure, never a skip that reads green.
const skipped = !existsSync(executablePath) && !process.env.CI
if (skipped) console.warn(`\n!!! NOT TESTED: a client's page in a browser. No Chromium at ${executablePath}.\n`)

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly target: string[] }[] }[]
}

describe.skipIf(skipped)("a client's page in Chromium", () => {
  const folder = mkdtempSync(join(tmpdir(), 'quotaspec-client-page-'))
  let context: BrowserContext

  beforeAll(async () => {
    context = await chromium.launchPersistentContext(join(folder, 'profile'), {
      executablePath,
      headless: true,
      args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
    })
  })

  afterAll(async () => {
    await context?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it.each<[string, number, boolean, ClientReport]>([
    ['unjittered', 400, true, unjitteredClient],
    ['hammering', 1280, false, hammeringClient],
    ['hostile', 400, false, hostileClient],
  ])(
    'of the %s client, %d pixels wide, breaks no rule of axe-core and asks for nothing',
    async (_, width, dark, report) => {
      const file = join(folder, 'report.html')
      writeFileSync(file, renderClientHtml(report))
      const page = await context.newPage()
      const told: string[] = []
      page.on('console', (message) => told.push(message.text()))
      page.on('request', (request) => {
        if (request.url() !== pathToFileURL(file).href) told.push(request.url())
      })
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' })
      await page.goto(pathToFileURL(file).href)
      expect(told).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
      expect(await page.evaluate('window.attacked')).toBeUndefined()
      await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true')
      const session = await context.newCDPSession(page)
      await session.send('Runtime.evaluate', { expression: axeSource })
      const { violations } = (await page.evaluate('axe.run({ resultTypes: ["violations"] })')) as AxeResult
      expect(violations.map(({ id, nodes }) => [id, nodes.slice(0, 2).map(({ target }) => target.join(' '))])).toEqual(
        [],
      )
      await page.close()
    },
  )
})
