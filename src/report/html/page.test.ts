import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { BanRow, Report } from '../model.js'
import { attackReport, withLongBody } from '../testing/attack-report.js'
import { failingReport } from '../testing/failing-report.js'
import { inconclusiveReport } from '../testing/inconclusive-report.js'
import { healthyExchange, passingReport } from '../testing/passing-report.js'
import { renderHtml } from './page.js'

const largest = 1_500_000

const between = (text: string, from: string, to: string): string => {
  const start = text.lastIndexOf(from) + from.length
  return text.slice(start, text.indexOf(to, start))
}

const matches = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((found) => found[1] ?? '')

describe.each([
  ['passing', passingReport],
  ['failing', failingReport],
  ['inconclusive', inconclusiveReport],
  ['hostile', attackReport],
] as const)('the page of the %s report', (_, report) => {
  const page = renderHtml(report)

  it('allows exactly its own style and script to act', () => {
    const policy = between(page, 'http-equiv="Content-Security-Policy" content="', '"').replaceAll('&#39;', "'")
    for (const text of [between(page, '<style>', '</style>'), between(page, '<script>', '</script>')]) {
      expect(policy).toContain(`'sha256-${createHash('sha256').update(text).digest('base64')}'`)
    }
    expect(policy).not.toContain('unsafe')
    expect(policy).toContain("default-src 'none'")
  })

  it('refers to nothing outside itself', () => {
    const body = page.slice(page.indexOf('<body>'), page.lastIndexOf('<script>'))
    expect(matches(body, /<[^>]*\s(?:src|href|action|srcset)="([^"#][^"]*)"/g)).toEqual([])
    expect(body.replace(/"[^"]*"/g, '""')).not.toMatch(/<[^>]+\s(?:style|on\w+)=/)
  })

  it('gives each place one name, and every link a place', () => {
    const ids = matches(page, /<[a-z][^>]*\sid="([^"]*)"/g)
    expect(ids.length).toBe(new Set(ids).size)
    expect(matches(page, /href="#([^"]*)"/g).filter((id) => !ids.includes(id))).toEqual([])
  })

  it('shows every clause', () => {
    expect(matches(page, /<details class="(clause) /g)).toHaveLength(report.clauses.length)
  })
})

describe('vantage points', () => {
  const row: Report['vantages'][number] = {
    agent: 'eu-<1>',
    name: 'eu',
    target: 'http://eu.example/v1',
    key: 'free',
    profile: 'spread',
    planned: 75,
    sent: 75,
    admitted: 60,
    refused: 13,
    unknown: 2,
    untold: 2,
    clockErrorMs: 7.125,
    isClockKept: false,
  }

  it('are shown where agents sent the loads, with their clocks and what nobody knows', () => {
    const page = renderHtml({ ...passingReport, vantages: [row] })
    expect(page).toContain('id="vantages"')
    expect(page).toContain('eu-&lt;1&gt;')
    expect(page).toMatch(/7\.1\d? <span class="quiet">moved<\/span>/)
    expect(page).toContain('nobody knows whether 2 requests were sent')
  })

  it('are left out where this machine sent them', () => {
    expect(renderHtml(passingReport)).not.toContain('id="vantages"')
  })
})

describe('the page', () => {
  it('has the verdict and the plans before the failures, and the failures before all else', () => {
    const page = renderHtml(failingReport)
    const places = [
      '<h1>',
      'id="glance"',
      'id="failed"',
      'id="gates"',
      'id="plans"',
      'id="clauses"',
      'id="backoff"',
      'id="generator"',
    ].map((each) => page.indexOf(each))
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(places).not.toContain(-1)
  })

  it('marks in the evidence what the finding names, and nothing else', () => {
    expect(matches(renderHtml(failingReport), /<mark><span class="header-name">([^<]*)/g)).toEqual([
      'retry-after',
      'retry-after',
    ])
  })

  it('tells what clients got and wasted, each kind by itself, and how a ban showed and ended', () => {
    const page = renderHtml(failingReport)
    expect(page).toContain(
      '20 clients that wait as told had 150 of 150 requests served in 12.6 s, at best 12.0 s; 40 of 190 attempts (21 %) were wasted.',
    )
    expect(page).toContain(
      '20 clients that hammer had 60 requests served in 1.9 s; 1,001 of 1,061 attempts (94 %) were wasted.',
    )
    expect(page).toContain(
      'Clients that hammer were banned on Free after 1,000 refusals in a row: status 403 with Retry-After. It was lifted within 6.2 s, asked 2 times meanwhile.',
    )
    const none = renderHtml({ ...passingReport, backoff: [] })
    expect(none).toContain('This run simulated no clients that share a key')
  })

  it.each<[string, Partial<BanRow>, string]>([
    [
      'was set off by none',
      { startedAt: null, status: null },
      'No ban was seen on Free: 1,000 refusals had no effect.',
    ],
    ['was not lifted', { lengthMs: null }, 'It was not lifted while the run waited, asked 2 times meanwhile.'],
    [
      'hit clients that obeyed',
      { behaviour: 'compliant', refusedBefore: null, headers: [] },
      'Clients that wait as told were banned on Free: status 403. They had done nothing wrong.',
    ],
  ])('says so where a ban %s', (_, change, said) => {
    expect(renderHtml({ ...failingReport, bans: failingReport.bans.map((ban) => ({ ...ban, ...change })) })).toContain(
      said,
    )
  })

  it('says whether the counts of the generator add up, and why a load ended early', () => {
    const sent = 'requests sent'
    expect(renderHtml(passingReport)).toContain(
      `The counts add up: 540 ${sent} = 540 answered, 0 errors, 0 timeouts, 0 lost. The generator never stalled`,
    )
    const load = passingReport.load.map((row) => ({ ...row, answered: 80, lost: 3, problem: 'it was cut <off>' }))
    const page = renderHtml({ ...passingReport, load })
    expect(page).toContain(`The counts do not add up: 540 ${sent}, but 160 answered, 0 errors, 0 timeouts, 6 lost.`)
    expect(page).toContain('burst, free: it was cut &lt;off&gt;')
  })

  it('tells facts in words, not as JSON, and leaves out those that say nothing', () => {
    const facts = {
      looksLikeFacts: {},
      shape: { limit: 61 },
      plays: [
        { plan: 'free', done: 3 },
        { plan: 'pro', done: 4 },
      ],
    }
    const checks = failingReport.checks.map((check) => (check.verdict === 'fail' ? { ...check, facts } : check))
    const page = renderHtml({ ...failingReport, checks })
    expect(page).toContain('<dt>Shape</dt><dd>limit 61</dd>')
    expect(page).toContain('<dt>Rounds of clients</dt><dd>plan Free, done 3; plan Pro, done 4</dd>')
    expect(page).not.toContain('Looks like facts')
  })

  it('names no limiter where every one explains the little that was seen', () => {
    const quotas = passingReport.quotas.map((quota) => ({
      ...quota,
      models: { 'fixed-window': 'explained', gcra: 'explained' } as const,
      recovery: { afterMs: null, retryAfterMs: 2_000, resetAfterMs: 1_900, lateMs: null },
    }))
    const page = renderHtml({ ...passingReport, quotas })
    expect(page).toContain('Fits every permitted way of counting: too little was seen to tell them apart.')
    expect(page).toContain(
      'so the run did not see when the quota came back. In that refusal Retry-After said 2.0 s and Reset said 1.9 s.',
    )
  })

  it('says so where nothing failed', () => {
    expect(renderHtml(passingReport)).toContain('No rule that can fail the run is broken.')
  })

  it('has no word of limiters that are refuted where all is well, and explains two bursts across an edge', () => {
    const quotas = passingReport.quotas.map((quota) => ({ ...quota, worstMinute: quota.limit + 29 }))
    const page = renderHtml({ ...passingReport, quotas })
    const seen = page.slice(page.indexOf('<body>'), page.lastIndexOf('<script>'))
    expect(seen).not.toMatch(/refuted|too early/i)
    expect(seen).toContain(
      'Most admitted in any 6.0 s: 89. With a limit of 60 that is no breach: where one window ends and the next begins, each may admit its 60, so up to 120 can come close together.',
    )
    expect(renderHtml(passingReport)).toContain('Most admitted in any 6.0 s: 60, never more than the limit.')
  })

  it('shows the gravest failure first, with every plan, its picture and what to do next', () => {
    const page = renderHtml(failingReport)
    const [, card = ''] = page.split('<article class="finding fail">')
    expect(matches(card, /<h3>([^<]*)/g)).toEqual([
      'Pro admits more than its limit, which looks like a check apart from its count: a race that a burst wins',
    ])
    expect(card).toContain('Pro: 380 admitted, but 300 are allowed, between 10:00:00.500 and 10:00:01.900 UTC')
    expect(card).toContain('href="#QUOTA-1"')
    expect(card.indexOf('exchange-burst-pro')).toBeGreaterThan(card.indexOf('<figure'))
    expect(matches(card, /<li><p>([^<]*)/g)).toEqual([
      'Check whether checking and counting are one atomic step: simultaneous requests slip between the two.',
      'Fix it, then run only this check:',
      'Read the rule QUOTA-1 (§8): ',
    ])
  })

  it('shows the first exchange of a finding open, and all of a proof that takes several', () => {
    const page = renderHtml(failingReport)
    const opened = matches(page, /<details class="exchange" id="([^"]*)" open/g)
    expect(opened).toEqual(['exchange-burst-pro_23301', 'exchange-x31', 'exchange-x32'])
  })

  it('names the rule that a plan breaks which keeps its limit, and does not show it all green', () => {
    const checks = failingReport.checks.map((check) =>
      check.clauses[0] === 'THROTTLE-4'
        ? {
            ...check,
            facts: {
              waits: [
                { plan: 'free', tried: 4, tooShort: 1 },
                { plan: 'pro', tried: 2, tooShort: 0 },
              ],
            },
          }
        : check,
    )
    const page = renderHtml({ ...failingReport, checks })
    expect(matches(page, /class="plan-card ([^"]*)"/g)).toEqual(['fail but', 'fail'])
    expect(matches(page, /class="plan-but">([^<]*)/g)).toEqual([
      'but Retry-After is too short: THROTTLE-4',
      'but Retry-After is too short: THROTTLE-4',
    ])
    expect(renderHtml(passingReport)).not.toContain('class="plan-but"')
  })

  it('says of a plan whose limit can be got around just that, and of the others where nobody tried', () => {
    const spelt: Partial<Report['checks'][number]> = {
      code: 'spelling-opens-quota',
      clauses: ['QUOTA-6'],
      facts: { plan: 'free', spellings: ['a query string'] },
    }
    const checks = failingReport.checks.map((check) =>
      check.clauses[0] === 'THROTTLE-4' ? { ...check, ...spelt } : check,
    )
    const quotas = failingReport.quotas.map((quota) => ({ ...quota, otherSpellings: quota.plan === 'free' }))
    const page = renderHtml({ ...failingReport, checks, quotas })
    expect(matches(page, /<span class="plan-word">([^<]*)/g)).toEqual(['Can be bypassed', 'Admits too much'])
    expect(matches(page, /class="plan-but">([^<]*)/g)).toEqual([
      'a query string opens a fresh quota: QUOTA-6',
      'a query string opens a fresh quota: QUOTA-6',
    ])
    expect(matches(page, /class="plan-untried">([^<]*)/g)).toEqual(['Other spellings were tried on the Free key only'])
    expect(renderHtml(failingReport)).not.toContain('class="plan-untried"')
  })

  it('says of what is left open that it follows from a failure', () => {
    const checks = inconclusiveReport.checks.map((check) =>
      check.verdict === 'inconclusive' ? { ...check, followsFrom: ['QUOTA-6'] } : check,
    )
    const page = renderHtml({ ...inconclusiveReport, checks })
    expect(page).toContain('Fix QUOTA-6 first, then repeat this check.')
    expect(renderHtml(inconclusiveReport)).not.toContain('then repeat this check')
  })

  it('says below an inconclusive headline whether another run may help', () => {
    expect(matches(renderHtml(inconclusiveReport), /class="rerun">([^<]*)/g)).toEqual([
      'Another run may help: this machine could not send the load on time (QUOTA-1 and QUOTA-2).',
    ])
    expect(renderHtml(failingReport)).not.toContain('class="rerun"')
  })

  it.each([
    [
      10,
      'Test setup: the windows of the service were 10 times shorter, so a minute lasted 6.0 s (--time-scale 10). The limits were the same.',
    ],
    [1, undefined],
  ])('says below the headline what a time scale of %i comes to', (timeScale, said) => {
    const page = renderHtml({ ...passingReport, run: { ...passingReport.run, timeScale } })
    expect(matches(page, /class="time-scale">([^<]*)/g)).toEqual(said === undefined ? [] : [said])
  })

  it('gives each plan one mark with its word', () => {
    const row = (report: Report) => matches(renderHtml(report), /<span class="plan-word">([^<]*)/g)
    expect(row(passingReport)).toEqual(['Keeps its limit', 'Keeps its limit'])
    expect(row(failingReport)).toEqual(['Keeps its limit', 'Admits too much'])
    expect(row(inconclusiveReport)).toEqual(['Inconclusive', 'Inconclusive'])
    const early = failingReport.quotas.map(({ breach: _, ...quota }) => quota)
    const checks = failingReport.checks.map((check) =>
      check.clauses[0] === 'QUOTA-1' ? { ...check, clauses: ['QUOTA-2'] } : check,
    )
    expect(row({ ...failingReport, quotas: early, checks })).toEqual(['Keeps its limit', 'Refuses too early'])
  })

  it('says why a clause was not tested', () => {
    expect(renderHtml(passingReport)).toContain('the inventory holds no id above 2^53')
  })

  it('stays readable without scripts: nothing but controls is hidden', () => {
    const hidden = matches(renderHtml(failingReport), /<(\w+[^>]*) hidden(?=[\s>])/g)
    expect(hidden.filter((each) => !each.includes('needs-script') && !each.includes('none-shown'))).toEqual([])
  })

  it('is no larger for a body of 10 MB, nor for very many exchanges', () => {
    const crowd = Array.from({ length: 5_000 }, (_, at) => ({ ...healthyExchange, id: `x${at}` }))
    expect(renderHtml(withLongBody(failingReport, 9_999_999)).length).toBeLessThan(largest)
    const witnesses = crowd.map((x) => x.id)
    const checks = failingReport.checks.map((check) => ({
      ...check,
      witnesses: check.witnesses.length > 0 ? witnesses : [],
    }))
    const page = renderHtml({ ...failingReport, exchanges: crowd, checks: checks.slice(0, 45) })
    expect(page.length).toBeLessThan(largest)
    const ids = new Set(matches(page, /<[a-z][^>]*\sid="([^"]*)"/g))
    expect(matches(page, /href="#([^"]*)"/g).filter((id) => id.startsWith('exchange-') && !ids.has(id))).toEqual([])
  })

  it('draws a story of many points within its size, and leaves out what an old report has not counted', () => {
    const points: Report['timelines'][number]['points'] = Array.from({ length: 4_000 }, (_, at) => [
      at,
      at + 3,
      'admitted',
      at % 60,
    ])
    const admissions = points.map(([at], count): [number, number] => [at, count + 1])
    const timelines = ['free', 'pro', 'business', 'enterprise'].map((plan) => ({
      plan,
      limit: 60,
      windowMs: 60_000,
      points,
      admissions,
      total: 1_000_000,
      counts: [],
      stretchMs: 0,
      resets: [],
      retryMoments: [],
    }))
    const page = renderHtml({ ...failingReport, timelines })
    expect(page.length).toBeLessThan(largest)
    expect(page).toContain('Total admitted, and the most that each limiter allows')
    expect(page).not.toContain('Requests by outcome over time')
  })
})

it('says why loads count fewer requests than the run, and nothing where they count all', () => {
  const sent = passingReport.load.reduce((sum, each) => sum + each.sent, 0)
  const spentOn = (spent: number) => ({
    ...passingReport,
    spending: [{ key: 'free', probe: 'burst', planned: 9, spent }],
  })
  expect(renderHtml(spentOn(sent + 3))).toContain('The run sent 3 of its')
  expect(renderHtml(spentOn(sent))).not.toContain('This table counts only the requests of loads')
})
