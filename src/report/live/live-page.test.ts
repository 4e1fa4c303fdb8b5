import { describe, expect, it } from 'vitest'
import type { Report } from '../model.js'
import { attackReport } from '../testing/attack-report.js'
import { failingReport } from '../testing/failing-report.js'
import { inconclusiveReport } from '../testing/inconclusive-report.js'
import { passingReport } from '../testing/passing-report.js'
import { renderLivePage } from './live-page.js'
import type { LiveView } from './live-view.js'
import { progressParts } from './progress-parts.js'
import { nothingJudged, soFarParts } from './so-far-parts.js'

const view: LiveView = {
  elapsedMs: 12_400,
  foreseen: { requests: 1_200, durationMs: 40_000 },
  endsAbout: '12:00:40',
  sent: 940,
  lanes: [],
  agents: [],
  lines: [],
  linesLeftOut: 0,
}

const wait = { leftMs: 2_300, until: '12:00:08', why: 'a fresh window' }
const lane = { key: 'free', probe: 'burst', summary: 'Sends more than the limit.', wait: null, done: 2 }

const seen = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

const matches = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((found) => found[1] ?? '')

describe('what goes on', () => {
  it('is told with how far it is', () => {
    const { progress } = progressParts(view)
    expect(seen(progress)).toBe('12 s of about 40.0 s, ends about 12:00:40 940 of at most 1,200 requests sent')
    expect(matches(progress, /value="(\d+)"/g)).toEqual(['12400', '940'])
    const late = progressParts({ ...view, elapsedMs: 75_000, endsAbout: null }).progress
    expect(seen(late)).toContain('1 min 15 s of about 40.0 s, longer than planned')
    expect(matches(late, /value="(\d+)"/g)).toEqual(['40000', '940'])
  })

  it.each([
    ['asks', lane, 'Free 2 probes done burst Asking now Sends more than the limit.'],
    [
      'waits for a moment',
      { ...lane, wait },
      'Free 2 probes done burst Waits 3 s , until 12:00:08, for a fresh window Sends more than the limit.',
    ],
    [
      'has waited',
      { ...lane, wait: { ...wait, leftMs: 0 } },
      'Free 2 probes done burst Asking now Sends more than the limit.',
    ],
    ['waits for others', { ...lane, probe: null }, 'Free 2 probes done Waits for the other keys'],
  ])('is told of a key that %s', (_, each, expected) => {
    const busy = { ...lane, key: 'pro' }
    expect(seen(progressParts({ ...view, lanes: [each, busy] }).lanes)).toContain(expected)
  })

  it('is told of keys that are all done', () => {
    expect(seen(progressParts({ ...view, lanes: [{ ...lane, probe: null }] }).lanes)).toBe('Free 2 probes done Done')
  })

  it('is told of agents, the lost ones marked', () => {
    const agents = [
      { name: 'eu-1', doing: 'ready', isLost: false },
      { name: 'us-1', doing: 'lost: not heard', isLost: true },
    ]
    expect(matches(progressParts({ ...view, agents }).lanes, /<td class="worse">([^<]*)/g)).toEqual(['lost: not heard'])
  })
})

describe('what is judged on the way', () => {
  it.each<[string, Report, string]>([
    ['names what is broken', failingReport, '2 rules broken so far,'],
    ['does not call a run passed', passingReport, 'Nothing is broken so far.'],
    ['does not call what is open undecided', inconclusiveReport, 'Nothing is broken so far.'],
  ])('%s', (_, report, expected) => {
    expect(seen(soFarParts(report).standing)).toContain(expected)
  })

  it('says of quotas what is certain, and no more', () => {
    const words = (report: Report) => matches(soFarParts(report).soFar, /<span class="plan-word">([^<]*)/g)
    expect(words(failingReport)).toEqual(['Keeps its limit so far', 'Admits too much'])
    expect(words(inconclusiveReport)).toEqual(['Not settled yet', 'Not settled yet'])
  })

  it('shows failures with their evidence, and nothing of what is merely open', () => {
    const { soFar } = soFarParts(failingReport)
    expect(soFar).toContain('<details class="exchange" id="exchange-burst-pro_23301" open')
    expect(soFarParts(inconclusiveReport).soFar).not.toMatch(/class="finding|Inconclusive|Not tested|Passed|Broken/)
  })

  it('gives every rule its place, and every link one', () => {
    const { soFar } = soFarParts(failingReport)
    const ids = matches(soFar, /<[a-z][^>]*\sid="([^"]*)"/g)
    expect(ids.length).toBe(new Set(ids).size)
    expect(failingReport.clauses.filter(({ id }) => !ids.includes(id))).toEqual([])
    expect(matches(soFar, /<a [^>]*href="#([^"]*)"/g).filter((id) => !ids.includes(id))).toEqual([])
  })
})

describe('the page', () => {
  const subject = { scenario: 'smoke', target: 'http://127.0.0.1:8080/v1', contract: null, version: '1.2.3' }

  it('may ask the server that it came from, and nothing else in the world', () => {
    const page = renderLivePage(subject, { ...progressParts(view), ...nothingJudged })
    const [policy = ''] = matches(page, /http-equiv="Content-Security-Policy" content="([^"]*)"/g)
    expect(policy.replace(/sha256-[\w+/=]+/g, 'sha256').replaceAll('&#39;', '')).toBe(
      'default-src none; style-src sha256; script-src sha256; connect-src self; base-uri none; form-action none',
    )
    expect(matches(page.slice(page.indexOf('<body>')), /<[^>]*\s(?:src|href|action)="([^"#][^"]*)"/g)).toEqual([])
  })

  it('holds nothing of a target but text', () => {
    const attack = '</p><img src=x onerror=alert(1)>'
    const hostile = { ...lane, key: attack, probe: attack, summary: attack, wait: { ...wait, why: attack } }
    const parts = progressParts({
      ...view,
      lanes: [hostile],
      agents: [{ name: attack, doing: attack, isLost: false }],
      lines: [{ at: 0, text: attack, isAmiss: true }],
    })
    const named = { scenario: attack, target: attack, contract: attack, version: attack }
    const page = renderLivePage(named, { ...parts, ...soFarParts(attackReport) })
    const body = page.slice(page.indexOf('<body>'), page.lastIndexOf('<script>'))
    expect(body).not.toMatch(/<(?:img|script|iframe|a [^>]*href="[^#])/i)
    expect(body).toContain('&lt;img src=x onerror=alert(1)&gt;')
  })
})
