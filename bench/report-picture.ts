/**
 * Takes the README's picture of a report: `node dist/bench/report-picture.js REPORT.html PICTURE.png`.
 * Needs Chromium, at CHROMIUM_PATH or where Debian puts it.
 */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'

const [report = 'reports/sample/report.html', picture = 'docs/report.png'] = process.argv.slice(2)

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--force-color-profile=srgb'],
})
try {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 1240 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
  })
  await page.goto(pathToFileURL(resolve(report)).href)
  await page.screenshot({ path: picture })
} finally {
  await browser.close()
}
