import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LiveParts, openLiveServer } from '../../src/cli/run/live-server.js'
import { createShownProgress, renderLivePage } from '../../src/cli/run/shown-run.js'
import type { Progress } from '../../src/run/playing/progress.js'
import { freshFolder, type Launched, launch, quotaspec, whileServing } from '../cli/built-program.js'

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
const missing = !existsSync(executablePath)
// On CI a missing browser is a failure, never a skip that reads green.
const skipped = missing && !process.env.CI
if (skipped)
  console.warn(`\n!!! NOT TESTED: run --open in a browser. No Chromium at ${executablePath} (CHROMIUM_PATH).\n`)

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly unknown[] }[]
}

const address = /http:\/\/127\.0\.0\.1:\d+\/[\w-]{22}\//

const keys = ['--key', 'free=live-free-key-1', '--key', 'pro=live-pro-key-1', '--key', 'business=live-business-key-1']

const patience = { timeout: 60_000 }

let folder: string
let context: BrowserContext

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quotaspec-live-'))
  if (skipped) return
  context = await chromium.launchPersistentContext(mkdtempSync(join(folder, 'profile-')), {
    executablePath,
    headless: true,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync'],
  })
})

afterAll(async () => {
  await context?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A page with all that it complains about. */
const open = async (url: string) => {
  const page = await context.newPage()
  const told: string[] = []
  page.on('console', (message) => told.push(`console ${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => told.push(`error: ${error.message}`))
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) told.push(`request: ${request.url()}`)
  })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(url)
  return { page, told }
}

const textOf = (page: Page, part: string) => page.locator(`[data-part=${part}]`).textContent()

const addressOf = async (run: Launched): Promise<string> =>
  address.exec(await run.untilWritten('stderr', 'watch it at http'))?.[0] ?? 'no address'

const violationsOn = async (page: Page) => {
  // The page's own policy rightly keeps scripts out; the tool that looks at it comes in beside it.
  const session = await context.newCDPSession(page)
  await session.send('Runtime.evaluate', { expression: axeSource })
  const { violations } = (await page.evaluate('axe.run({ resultTypes: ["violations"] })')) as AxeResult
  return violations.map(({ id, nodes }) => [id, JSON.stringify(nodes.slice(0, 3))])
}

describe.skipIf(skipped)('run --open', () => {
  it('shows a failing run from its start to its report, twice, late, and to nobody who has gone', async () => {
    const serving = ['--time-scale', '4', '--fault', 'error-status-mismatch', ...keys]
    await whileServing(serving, async (target) => {
      const given = ['--target', target, '--time-scale', '4', '--out', freshFolder(), ...keys]
      const run = launch(['run', 'conformance', '--open', ...given])
      const url = await addressOf(run)
      const [first, second] = [await open(url), await open(url)]
      expect(await first.page.title()).toBe(`Running: conformance against ${target}`)
      await expect.poll(() => textOf(first.page, 'lanes'), patience).toMatch(/business/)
      await expect.poll(() => textOf(second.page, 'log'), patience).toContain('hello (free)')
      await second.page.close()
      expect(await first.page.locator('header').textContent()).toContain('Verdicts come at the end')
      expect(await violationsOn(first.page)).toEqual([])
      const late = await open(url)
      expect(await textOf(late.page, 'log')).toContain('hello (free)')
      expect((await run.ended).code).toBe(1)
      for (const { page, told } of [first, late]) {
        // The report has left the run when that ends; a busy browser may not have drawn it yet.
        await expect.poll(() => page.title(), patience).toMatch(/^Fail: conformance against/)
        expect(page.url()).toBe(url)
        expect(await page.locator('#ERR-2').count()).toBe(1)
        expect(told).toEqual([])
        await page.close()
      }
      expect(second.told).toEqual([])
    })
  })

  it('shows the quotas of a contract file, and the report of a run that was interrupted', async () => {
    const contract = join(folder, 'contract.yaml')
    writeFileSync(
      contract,
      [
        'quotaspec: 1',
        'name: acme',
        'credentials: {user: {scheme: bearer, env: ACME_LIVE_KEY}}',
        "requests: {items: {path: '/items', expect: 200}}",
        'quotas: [{id: core, limit: 20, window: 30s, requests: [items]}]',
        '',
      ].join('\n'),
    )
    const secret = 'user=acme-live-key-1'
    const server = launch(['serve', '--port', '0', '--contract', contract, '--key', secret])
    try {
      const target = /http:\/\/127\.0\.0\.1:\d+\S*/.exec(await server.untilWritten('stdout', 'listening on http'))?.[0]
      const given = ['--target', String(target), '--contract', contract, '--key', secret, '--out', freshFolder()]
      const run = launch(['run', 'quota-benchmark', '--open', ...given])
      const { page, told } = await open(await addressOf(run))
      await expect.poll(() => textOf(page, 'lanes'), patience).toMatch(/waits .* until \d\d:\d\d:\d\d, for /s)
      expect(await page.locator('header').textContent()).toContain('Held to acme.')
      run.child.kill('SIGINT')
      expect((await run.ended).code).toBe(130)
      await expect.poll(() => page.title(), patience).toMatch(/^(Inconclusive|Pass): quota-benchmark against/)
      expect(await page.locator('.outcome').textContent()).toContain('interrupted')
      expect(told).toEqual([])
      await page.close()
    } finally {
      server.child.kill('SIGTERM')
      await server.ended
    }
  })

  it('says that there is no word from a run that was killed', async () => {
    await whileServing(['--time-scale', '4', ...keys], async (target) => {
      const given = ['--target', target, '--time-scale', '4', '--out', freshFolder(), ...keys]
      const run = launch(['run', 'conformance', '--open', ...given])
      const { page } = await open(await addressOf(run))
      await expect.poll(() => textOf(page, 'log'), patience).toContain('hello')
      run.child.kill('SIGKILL')
      await run.ended
      await expect.poll(() => page.locator('.connection').textContent()).toMatch(/^Nothing heard from the run since/)
      await page.close()
    })
  })
})

describe('run --open', () => {
  it('ends with the run where nobody looks, and says its address also where it is quiet', async () => {
    await whileServing(['--time-scale', '10', ...keys], async (target) => {
      const given = ['--target', target, '--time-scale', '10', '--out', freshFolder(), ...keys]
      const { code, stderr } = await quotaspec(['run', 'smoke', '--open', '--quiet', ...given])
      expect(code).toBe(0)
      expect(stderr).toMatch(new RegExp(`^watch it at ${address.source}\n$`))
      await expect(fetch(address.exec(stderr)?.[0] ?? '')).rejects.toThrow()
    })
  })
})

/** What a run has told that is 33.3 s old, and whose every name and word is this text. */
const eventsOf = (text: string): readonly Progress[] => [
  { kind: 'sent', at: 0, count: 940 },
  { kind: 'probe', at: 10, probe: text, key: 'pro', state: 'started' },
  { kind: 'probe', at: 20, probe: text, key: 'pro', state: 'completed' },
  { kind: 'probe', at: 30, probe: text, key: text, state: 'started' },
  { kind: 'waiting', at: 40, key: text, until: 34_500, why: text },
  { kind: 'agent', at: 50, agent: text, sent: 0, loads: [], clockErrorMs: null, lost: text },
  { kind: 'note', at: 33_000, text },
]

const subject = (text: string) => ({ scenario: text, target: text, contract: text, version: '1.2.3' })

const partsOf = (text: string): LiveParts => {
  let now = 0
  const run = createShownProgress(
    { requests: 1_200, durationMs: 52_000 },
    { monotonicMs: () => now, wallMs: () => now },
  )
  for (const each of eventsOf(text)) run.add(each)
  now = 33_300
  return run.parts()
}

describe.skipIf(skipped)('the page of a run that goes on', () => {
  const serve = async (text: string, begun: LiveParts) => {
    let parts = begun
    const page = () => renderLivePage(subject(text), begun)
    const server = await openLiveServer({ page, parts: () => parts })
    /** Has the page told so from now on. */
    const send = (changed: Partial<LiveParts>) => {
      parts = { ...parts, ...changed }
    }
    return { ...server, send }
  }

  it('is not changed by a target whose every string is an attack, at once or on the way', async () => {
    const attack = '<img src=x onerror="window.attacked = 1"></script><script>window.attacked = 1</script>'
    const parts = partsOf(attack)
    const { url, send, close } = await serve(attack, partsOf('free'))
    const { page, told } = await open(url)
    send(parts)
    await page.locator('[data-part=lanes] th', { hasText: attack }).first().waitFor()
    expect(await page.evaluate('window.attacked')).toBeUndefined()
    expect(await page.locator('img, iframe, object, embed, base, link').count()).toBe(0)
    expect(await page.locator('script').count()).toBe(1)
    expect(told).toEqual([])
    await page.close()
    await close()
  })

  it.each([
    [400, false],
    [1280, true],
  ] as const)('breaks no rule of axe-core and never scrolls sideways at %d pixels, dark: %s', async (width, dark) => {
    const { url, close } = await serve('smoke', partsOf('free'))
    const { page } = await open(url)
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' })
    expect(await violationsOn(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    await page.close()
    await close()
  })

  it('keeps the focus where it was when something new comes', async () => {
    const { url, send, close } = await serve('smoke', partsOf('free'))
    const { page } = await open(url)
    await page.locator('[data-part=lanes] [tabindex]').first().focus()
    send({ lanes: `<p id="new">new</p>${partsOf('free').lanes}` })
    await page.locator('#new').waitFor()
    expect(await page.evaluate('document.activeElement.textContent')).toContain('What it does')
    await page.close()
    await close()
  })

  it('says so where there will be no report', async () => {
    const { url, giveUp, close } = await serve('smoke', partsOf('free'))
    const { page } = await open(url)
    await giveUp()
    await page.getByText('The run ended without a report. The terminal says why.').waitFor()
    await page.close()
    await close()
  })
})
