import { describe, expect, it } from 'vitest'
import { type LiveView, liveParts, renderLivePage } from './live-page.js'

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
    const { progress } = liveParts(view)
    expect(seen(progress)).toBe('12 s of about 40.0 s, ends about 12:00:40 940 of at most 1,200 requests sent')
    expect(matches(progress, /value="(\d+)"/g)).toEqual(['12400', '940'])
    const late = liveParts({ ...view, elapsedMs: 75_000, endsAbout: null }).progress
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
    expect(seen(liveParts({ ...view, lanes: [each, busy] }).lanes)).toContain(expected)
  })

  it('is told of keys that are all done', () => {
    expect(seen(liveParts({ ...view, lanes: [{ ...lane, probe: null }] }).lanes)).toBe('Free 2 probes done Done')
  })

  it('is told of agents, the lost ones marked', () => {
    const agents = [
      { name: 'eu-1', doing: 'ready', isLost: false },
      { name: 'us-1', doing: 'lost: not heard', isLost: true },
    ]
    expect(matches(liveParts({ ...view, agents }).lanes, /<td class="worse">([^<]*)/g)).toEqual(['lost: not heard'])
  })
})

describe('the page', () => {
  const subject = {
    scenario: 'smoke',
    target: 'http://127.0.0.1:8080/v1',
    contract: 'the Petstore interface',
    version: '1.2.3',
  }

  it('may ask the server that it came from, and nothing else in the world', () => {
    const page = renderLivePage(subject, liveParts(view))
    const [policy = ''] = matches(page, /http-equiv="Content-Security-Policy" content="([^"]*)"/g)
    expect(policy.replace(/sha256-[\w+/=]+/g, 'sha256').replaceAll('&#39;', '')).toBe(
      'default-src none; style-src sha256; script-src sha256; connect-src self; base-uri none; form-action none',
    )
    expect(matches(page.slice(page.indexOf('<body>')), /<[^>]*\s(?:src|href|action)="([^"#][^"]*)"/g)).toEqual([])
  })

  it('holds nothing of a target but text', () => {
    const attack = '</p><img src=x onerror=alert(1)>'
    const hostile = { ...lane, key: attack, probe: attack, summary: attack, wait: { ...wait, why: attack } }
    const parts = liveParts({
      ...view,
      lanes: [hostile],
      agents: [{ name: attack, doing: attack, isLost: false }],
      lines: [{ at: 0, text: attack, isAmiss: true }],
    })
    const named = { scenario: attack, target: attack, contract: attack, version: attack }
    const page = renderLivePage(named, parts)
    const body = page.slice(page.indexOf('<body>'), page.lastIndexOf('<script>'))
    expect(body).not.toMatch(/<(?:img|script|iframe|a [^>]*href="[^#])/i)
    expect(body).toContain('&lt;img src=x onerror=alert(1)&gt;')
  })
})
