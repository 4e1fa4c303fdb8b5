import { describe, expect, it } from 'vitest'
import { storyOf, storySteps } from '../findings.js'
import type { CheckRow, WitnessRow } from '../model.js'
import { failingReport } from '../testing/failing-report.js'
import { healthyExchange } from '../testing/passing-report.js'
import { storyView } from './exchange-view.js'

const found = failingReport.checks.find(({ code }) => code === 'refused-after-waiting') as CheckRow

const refusal = (id: string, sentAt: number, wait: string): WitnessRow => ({
  ...healthyExchange,
  id,
  sentAt,
  receivedAt: sentAt + 1,
  response: { status: 429, reason: '', headers: [['retry-after', wait]], body: '', bodyBytes: 0 },
})

const told = (exchanges: readonly WitnessRow[]): string[] => {
  const story = storyOf(found)
  if (!story) throw new Error('no story')
  const { markup } = storyView(found, story, exchanges)
  return markup.split('</li>').flatMap((line) => line.replace(/<[^>]*>/g, '').trim() || [])
}

describe('the story of a proof', () => {
  it('tells when a refusal allowed to come back, and that the one who came was refused again', () => {
    expect(told([refusal('x1', 48_000, '2'), refusal('x2', 50_012, '1')])).toEqual([
      '48.000 s GET /v1/inventory: 429, Retry-After: 2 (come back at 50.001 s)',
      '50.012 s GET /v1/inventory: 429 again; no request in between',
    ])
  })

  it('puts the refusal of a spent key beside the spelling that was served, with the time between them', () => {
    const check = {
      ...found,
      clauses: ['QUOTA-6'],
      code: 'spelling-opens-quota',
      witnesses: ['x1', 'x2', 'x3', 'x4', 'x5', 'x6'],
    }
    const served = {
      ...refusal('x2', 12_040, '1'),
      response: { status: 200, reason: '', headers: [['X-RateLimit-Remaining', '59']], body: '', bodyBytes: 0 },
    } satisfies WitnessRow
    const story = storyOf(check)
    if (!story) throw new Error('no story')
    const steps = storySteps(story, [refusal('x1', 12_000, '4'), served, served])
    const lines = storyView(check, story, steps)
      .markup.split('</li>')
      .map((line) => line.replace(/<[^>]*>/g, '').trim())
    expect(lines.slice(0, 2)).toEqual([
      '12.000 s GET /v1/inventory: 429, Retry-After: 4 (come back at 16.001 s)',
      '12.040 s GET /v1/inventory: 200, X-RateLimit-Remaining: 59 (39 ms after that answer)',
    ])
    expect(storySteps(story, [served, served])).toEqual([])
  })

  it('tells what the pet of the finding had, and what was asked for', () => {
    const check = { ...found, clauses: ['INV-8'], code: 'refused-but-changed', facts: { petId: '7' } }
    const story = storyOf(check)
    if (!story) throw new Error('no story')
    const listed = (quantity: number): WitnessRow => ({
      ...healthyExchange,
      sentAt: 1_000,
      response: {
        status: 200,
        reason: '',
        headers: [],
        body: `[{"petId":77,"quantity":1},{"petId":7,"status":"sold","quantity":${quantity}}]`,
        bodyBytes: 60,
      },
    })
    const patch: WitnessRow = {
      ...refusal('x2', 2_000, 'soon'),
      request: { ...healthyExchange.request, method: 'PATCH', body: '{"quantity":18}' },
    }
    const lines = storyView(check, story, [listed(19), patch, listed(18)])
      .markup.split('</li>')
      .map((line) => line.replace(/<[^>]*>/g, '').trim())
    expect(lines.slice(0, 3)).toEqual([
      '1.000 s GET /v1/inventory: 200, pet 7 has 19',
      '2.000 s PATCH /v1/inventory {&quot;quantity&quot;:18}: 429, Retry-After: soon',
      '1.000 s GET /v1/inventory: 200, pet 7 has 18',
    ])
  })

  it.each(['Fri, 01 Jan 2027 00:00:00 GMT', '-1', '1e9', '<b>2</b>'])('names no moment for a wait of %s', (wait) => {
    expect(told([refusal('x1', 0, wait), refusal('x2', 1, '1')])[0]).not.toContain('come back')
  })

  it.each<[string, Partial<CheckRow>]>([
    ['passes', { verdict: 'pass' }],
    ['has one exchange', { witnesses: ['x1'] }],
    ['has too many to be read in one go', { witnesses: ['x1', 'x2', 'x3', 'x4', 'x5', 'x6'] }],
    ['is proven by each exchange alone', { code: 'status-disagrees' }],
    ['has a code that is a name of every object', { code: 'constructor' }],
  ])('is none where the finding %s', (_, change) => {
    expect(storyOf({ ...found, ...change })).toBeUndefined()
  })
})
