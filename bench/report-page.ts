/**
 * The cost of a report of a million exchanges: `node dist/bench/report-page.js [EXCHANGES]`. Nothing is sent: the exchanges
 * are simulated, seven tenths of them on one plan. Prints the page's size, and the times to judge, render, open in Chromium
 * (CHROMIUM_PATH, or where Debian puts it), filter and search it.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import { buildReport } from '../src/assembly/build-report.js'
import type { Evidence } from '../src/evidence/evidence.js'
import type { RunHead } from '../src/evidence/journal.js'
import { countRows, type Ledger, LedgerWriter } from '../src/evidence/ledger.js'
import { seededRandom } from '../src/kit/random.js'
import { renderHtml } from '../src/report/html/page.js'
import type { Report, WitnessRow } from '../src/report/model.js'
import { judge } from '../src/run/judge.js'

/** The size limit of a report of a million exchanges. */
const mostBytes = 1_500_000

const rounds = 5
const minuteMs = 60_000
const baseUrl = 'http://127.0.0.1:8080/v1'
const quotas = {
  free: { limit: 60, longer: 1_000_000 },
  pro: { limit: 300, longer: 10_000_000 },
  business: { limit: 1_000, longer: 100_000_000 },
  enterprise: { limit: 400, longer: 20_000_000 },
} as const
type Plan = keyof typeof quotas
const plans = Object.keys(quotas) as Plan[]

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** An hour of load against an exact fixed window on the wall clock, with answers of 1 to 5 ms. */
const ledgerOf = (plan: Plan, amount: number, wallStartMs: number): Ledger => {
  const random = seededRandom(plans.indexOf(plan) + 1)
  const writer = new LedgerWriter(amount)
  const { limit: minute } = quotas[plan]
  const everyUs = (60 * minuteMs * 1000) / amount
  let [window, spent] = [-1, 0]
  for (let i = 0; i < amount; i += 1) {
    const sentUs = 1_000_000 + i * everyUs
    const row = writer.append(sentUs, sentUs, i % 50)
    const now = Math.floor((wallStartMs + sentUs / 1000) / minuteMs)
    if (now !== window) [window, spent] = [now, 0]
    spent += 1
    const { columns } = writer
    columns.receivedUs[row] = sentUs + 1_000 + Math.floor(random.float() * 4_000)
    columns.status[row] = spent <= minute ? 200 : 429
    columns.limit[row] = minute
    columns.remaining[row] = Math.max(0, minute - spent)
    columns.reset[row] = ((window + 1) * minuteMs) / 1000
    if (spent > minute)
      columns.retryAfter[row] = Math.ceil(((window + 1) * minuteMs - wallStartMs - sentUs / 1000) / 1000)
  }
  const rows = writer.rows()
  return {
    head: {
      id: `steady-${plan}`,
      probe: 'steady',
      key: plan,
      phases: [],
      samples: [],
      counts: countRows(rows, amount),
      scheduleErrorMs: { p50: 0, p99: 0, max: 0 },
      stoodStillMs: 0,
      problem: null,
    },
    rows,
  }
}

const evidenceOf = (exchanges: number): Evidence => {
  const wallStartMs = Date.UTC(2026, 0, 15, 12)
  const share = (plan: Plan) => Math.floor(exchanges * (plan === 'business' ? 0.7 : 0.1))
  const run: RunHead = {
    type: 'run',
    journalVersion: 1,
    toolVersion: 'bench',
    id: 'a-million',
    startedAt: new Date(wallStartMs).toISOString(),
    wallStartMs,
    scenario: 'a-million',
    probes: [{ probe: 'steady', settings: {} }],
    gates: {},
    only: [],
    skip: [],
    baseUrl,
    timeScale: 1,
    seed: 1,
    strict: false,
    readOnly: true,
    keys: plans.map((plan) => ({ name: plan, plan, quota: quotas[plan] })),
    planned: {
      requests: plans.map((plan) => ({ key: plan, probe: 'steady', requests: share(plan) })),
      durationMs: 61 * minuteMs,
    },
    command: `quotaspec run a-million --target ${baseUrl} --seed 1`,
    environment: { node: process.version, platform: `${process.platform} ${process.arch}`, cpus: 2 },
  }
  return {
    run,
    exchanges: [],
    ledgers: plans.map((plan) => ledgerOf(plan, share(plan), wallStartMs)),
    probes: [{ type: 'probe', probe: 'steady', key: null, at: 0, end: 'completed', reason: '' }],
    notes: [],
    events: [],
    unrestored: [],
    endedAt: 61 * minuteMs,
    interrupted: false,
    resumed: false,
  }
}

/** More exchanges with long bodies than the page has room for, so that its evidence is as large as possible. */
const withEvidence = (report: Report): Report => {
  const body = JSON.stringify(Array.from({ length: 90 }, (_, petId) => ({ petId, quantity: 7, status: 'available' })))
  const exchange = (at: number): WitnessRow => ({
    ...{
      id: `x${at}`,
      probe: 'header-row',
      step: 'list',
      key: 'free',
      operation: 'listInventory',
      sentAt: at,
      receivedAt: at + 2,
    },
    request: { method: 'GET', url: `${baseUrl}/inventory`, headers: [['Accept', 'application/json']], body: null },
    response: {
      status: 200,
      reason: 'OK',
      headers: [['Content-Type', 'application/json']],
      body,
      bodyBytes: body.length,
    },
    error: null,
    curl: `curl -i ${baseUrl}/inventory`,
  })
  return { ...report, exchanges: Array.from({ length: 250 }, (_, at) => exchange(at)) }
}

interface Times {
  readonly paintMs: number
  readonly readyMs: number
  readonly filterMs: number
  readonly searchMs: number
}

/** Scripts that run in the page: its load times, and the time from an input to the next frame. */
const ready = `(() => { const [n] = performance.getEntriesByType('navigation'); const [p] = performance.getEntriesByName('first-contentful-paint'); return [p.startTime, n.domContentLoadedEventEnd] })()`
const untilDrawn = (act: string): string =>
  `new Promise((resolve) => { const from = performance.now(); ${act}; requestAnimationFrame(() => { document.body.offsetHeight; const channel = new MessageChannel(); channel.port1.onmessage = () => resolve(performance.now() - from); channel.port2.postMessage(0) }) })`
const filtering = `document.querySelector('.filters input[name=verdict]').click()`
const searching = `(() => { const input = document.querySelector('.filters input[type=search]'); input.value = 'retry-after'; input.dispatchEvent(new Event('input', { bubbles: true })) })()`

const openPage = async (file: string): Promise<Times[]> => {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    const times: Times[] = []
    for (let round = 0; round < rounds; round += 1) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
      await page.goto(pathToFileURL(file).href, { waitUntil: 'load' })
      await page.waitForFunction(`performance.getEntriesByName('first-contentful-paint').length > 0`)
      const [paintMs, readyMs] = (await page.evaluate(ready)) as [number, number]
      const filterMs = (await page.evaluate(untilDrawn(filtering))) as number
      const searchMs = (await page.evaluate(untilDrawn(searching))) as number
      times.push({ paintMs, readyMs, filterMs, searchMs })
      await page.close()
    }
    return times
  } finally {
    await browser.close()
  }
}

const timed = <T>(work: () => T): { readonly value: T; readonly ms: number } => {
  const startedAt = performance.now()
  const value = work()
  return { value, ms: performance.now() - startedAt }
}

const main = async (exchanges: number): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'quotaspec-report-page-'))
  const tell = (what: string, figure: string) => console.log(`${what.padEnd(28)} ${figure}`)
  try {
    const evidence = evidenceOf(exchanges)
    const judged = timed(() => judge(evidence))
    const built = timed(() => withEvidence(buildReport(evidence, judged.value, { version: 'bench', crashed: false })))
    const rendered = timed(() => renderHtml(built.value))
    const file = join(folder, 'report.html')
    writeFileSync(file, rendered.value)
    const bytes = Buffer.byteLength(rendered.value)
    tell('exchanges', exchanges.toLocaleString('en-US'))
    tell('judged in', `${(judged.ms / 1000).toFixed(1)} s`)
    tell('report put together in', `${(built.ms / 1000).toFixed(1)} s`)
    tell('page made in', `${rendered.ms.toFixed(0)} ms`)
    tell('page', `${bytes.toLocaleString('en-US')} bytes (at most ${mostBytes.toLocaleString('en-US')})`)
    const times = await openPage(file)
    const figure = (of: (each: Times) => number) =>
      `${median(times.map(of)).toFixed(0)} ms (median of ${rounds}, most ${Math.max(...times.map(of)).toFixed(0)})`
    tell(
      'readable (first paint) in',
      figure((each) => each.paintMs),
    )
    tell(
      'filters and links work in',
      figure((each) => each.readyMs),
    )
    tell(
      'a filter is drawn in',
      figure((each) => each.filterMs),
    )
    tell(
      'a search is drawn in',
      figure((each) => each.searchMs),
    )
    if (bytes > mostBytes) process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true })
  }
}

await main(Number(process.argv[2] ?? 1_000_000))
