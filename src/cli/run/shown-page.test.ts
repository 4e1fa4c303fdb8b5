import { describe, expect, it } from 'vitest'
import type { Progress } from '../../run/playing/progress.js'
import { createShownProgress, renderLivePage } from './shown-run.js'

const noon = new Date(2026, 10, 21, 12, 0, 0).getTime()

/** A run on a clock that is put forward by hand, with 400 ms of it gone at its first event. */
const held = () => {
  let now = 1_000
  const clock = { monotonicMs: () => now, wallMs: () => noon - 600 + now }
  const run = createShownProgress({ requests: 1_200, durationMs: 40_000 }, clock)
  return { run, at: (ms: number) => (now = 600 + ms) }
}

const probe = (at: number, state: string, key = 'free'): Progress => ({ kind: 'probe', at, probe: 'burst', key, state })
const waits: Progress = { kind: 'waiting', at: 500, key: 'free', until: 8_000, why: 'a fresh window' }
const agent = { kind: 'agent', at: 500, agent: 'eu-1', sent: 62, loads: ['burst-free'], clockErrorMs: 0.187 } as const

const partsAt = (ms: number, events: readonly Progress[]) => {
  const { run, at } = held()
  for (const each of [probe(400, 'started'), ...events]) run.add(each)
  at(ms)
  return run.parts()
}

const seen = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

const matches = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((found) => found[1] ?? '')

describe('what goes on', () => {
  it('is told with how far it is, and names no end that has passed', () => {
    const sent: Progress = { kind: 'sent', at: 410, count: 940 }
    const { progress } = partsAt(12_400, [sent])
    expect(seen(progress)).toBe('12 s, ends about 12:00:40; 940 of at most 1,200 requests sent')
    expect(matches(progress, /value="(\d+)"/g)).toEqual(['12400', '940'])
    const late = partsAt(75_000, [sent]).progress
    expect(seen(late)).toBe('1 min 15 s; 940 of at most 1,200 requests sent')
    expect(matches(late, /value="(\d+)"/g)).toEqual(['40000', '940'])
  })

  it.each<[string, number, readonly Progress[], string]>([
    ['asks', 1_000, [], 'free burst pro burst'],
    ['waits for a moment', 5_700, [waits], 'free burst: waits 3.0 s, until 12:00:08, for a fresh window pro'],
    ['has waited', 8_000, [waits], 'free burst pro burst'],
    ['waits for others', 9_000, [probe(900, 'completed')], 'free waits for the others pro burst'],
  ])('is told of a key that %s', (_, ms, events, expected) => {
    expect(seen(partsAt(ms, [...events, probe(600, 'started', 'pro')]).lanes)).toContain(expected)
  })

  it('is told of keys that are all done', () => {
    expect(seen(partsAt(9_000, [probe(900, 'completed')]).lanes)).toBe('Key What it does free done')
  })

  it('is told of agents as the terminal does, the lost ones marked', () => {
    expect(seen(partsAt(900, [{ ...agent, lost: null }]).lanes)).toContain(
      'eu-1 burst-free; 62 requests sent, clock ±0.19 ms',
    )
    const { lanes } = partsAt(900, [
      { ...agent, lost: null },
      { ...agent, agent: 'us-1', lost: 'not heard' },
    ])
    expect(matches(lanes, /<td class="worse">([^<]*)/g)).toEqual(['lost: not heard'])
  })

  it('is told with what happened, the latest first, and what went amiss', () => {
    const { log } = partsAt(9_000, [
      { kind: 'note', at: 410, text: 'the pro key was not accepted (401)' },
      probe(6_000, 'failed: no-answer'),
    ])
    expect(seen(log)).toBe(
      '6.0 s burst (free): not played to its end: the target gave no answer 0.4 s the pro key was not accepted (401)',
    )
    expect(matches(log, /class="worse">([^:]*):/g)).toEqual(['burst (free)'])
  })

  it('is told by its latest lines only, the others counted', () => {
    const { log } = partsAt(
      900,
      Array.from({ length: 100 }, (_, at): Progress => ({ kind: 'note', at, text: `note ${at}` })),
    )
    expect(matches(log, /note (\d+)/g).slice(0, 2)).toEqual(['99', '98'])
    expect([matches(log, /note (\d+)/g).length, seen(log)]).toEqual([40, expect.stringContaining('60 earlier lines')])
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
    const page = renderLivePage(subject, partsAt(900, []))
    const [policy = ''] = matches(page, /http-equiv="Content-Security-Policy" content="([^"]*)"/g)
    expect(policy.replace(/sha256-[\w+/=]+/g, 'sha256').replaceAll('&#39;', '')).toBe(
      'default-src none; style-src sha256; script-src sha256; connect-src self; base-uri none; form-action none',
    )
    expect(matches(page.slice(page.indexOf('<body>')), /<[^>]*\s(?:src|href|action)="([^"#][^"]*)"/g)).toEqual([])
  })

  it('holds nothing of a target but text', () => {
    const attack = '</p><img src=x onerror=alert(1)>'
    const parts = partsAt(900, [
      { ...probe(600, 'started', attack), probe: attack },
      { ...waits, key: attack, why: attack },
      { ...agent, agent: attack, lost: attack },
      { kind: 'note', at: 700, text: attack },
    ] as Progress[])
    const named = { scenario: attack, target: attack, contract: attack, version: attack }
    const page = renderLivePage(named, parts)
    const body = page.slice(page.indexOf('<body>'), page.lastIndexOf('<script>'))
    expect(body).not.toMatch(/<(?:img|script|iframe|a [^>]*href="[^#])/i)
    expect(body.match(/&lt;img src=x onerror=alert\(1\)&gt;/g)?.length).toBeGreaterThan(6)
  })
})
