import { describe, expect, it } from 'vitest'
import type { Progress } from '../../run/playing/progress.js'
import { createProgress } from './progress.js'

const started = (at: number, key: string, probe: string): Progress => ({
  kind: 'probe',
  at,
  key,
  probe,
  state: 'started',
})
const ended = (at: number, key: string, probe: string, state = 'completed'): Progress => ({
  kind: 'probe',
  at,
  key,
  probe,
  state,
})

const foreseen = { requests: 1_200, durationMs: 40_000 }
const noon = new Date(2026, 10, 21, 12, 0, 0).getTime()

/** A terminal that keeps what is on its screen, moving its cursor as the sequences say. */
const screen = () => {
  const lines = ['']
  let row = 0
  return {
    isTTY: true,
    columns: 80,
    lines: () => lines.join('\n').trimEnd(),
    write(text: string) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences of a terminal
      for (const [part] of text.matchAll(/\u001b\[(\d*)([A-Zm])|\u001b\[2K|\n|\r|[^\u001b\n\r]+/g)) {
        if (part === '\n') row += 1
        else if (part === '\u001b[2K') lines[row] = ''
        else if (part === '\u001b[J') lines.splice(row)
        else if (part.endsWith('A') && part.startsWith('\u001b')) row -= Number(part.slice(2, -1))
        else if (part !== '\r' && !part.startsWith('\u001b')) lines[row] = (lines[row] ?? '') + part
        lines[row] ??= ''
      }
    },
  }
}

const live = (environment: Record<string, string> = { NO_COLOR: '1' }) => {
  const output = screen()
  const held = { now: 5_000, tick: () => {}, stopped: false }
  const progress = createProgress(output, foreseen, {
    environment,
    clock: { monotonicMs: () => held.now, wallMs: () => noon + held.now - 5_000 },
    every: (_, call) => {
      held.tick = call
      return () => {
        held.stopped = true
      }
    },
  })
  return { output, held, progress }
}

describe('on a terminal', () => {
  it('shows the plans side by side, what is waited for and until when, and counts down', () => {
    const { output, held, progress } = live()
    progress.watch(started(0, 'free', 'burst'))
    progress.watch(started(0, 'business', 'split'))
    progress.watch({ kind: 'sent', at: 0, count: 90 })
    progress.watch({ kind: 'waiting', at: 0, key: 'free', until: 8_000, why: 'a fresh window' })
    held.tick()
    expect(output.lines()).toBe(
      [
        '0 s, ends about 12:00:40; 90 of at most 1,200 requests sent',
        '  free      burst: waits 8.0 s, until 12:00:08, for a fresh window',
        '  business  split',
      ].join('\n'),
    )
    held.now += 5_500
    held.tick()
    expect(output.lines()).toContain('burst: waits 3.0 s, until 12:00:08')
    held.now += 3_000
    held.tick()
    expect(output.lines()).toMatch(/^ {2}free {6}burst$/m)
  })

  it('shows all keys on which a probe is played together, and on which its load is', () => {
    const { output, held, progress } = live()
    const together = { key: 'pro', keys: ['free', 'pro'] }
    progress.watch({ ...started(0, 'pro', 'cost'), ...together })
    progress.watch({ kind: 'waiting', at: 0, key: 'pro', until: 6_000, why: 'its quota to be full again' })
    held.now += 6_000
    progress.watch({ kind: 'load', at: 6_000, probe: 'cost', key: 'free' })
    held.tick()
    expect(output.lines().split('\n').slice(1)).toEqual(['  free  cost: sends its load on this key', '  pro   cost'])
    progress.watch({ kind: 'load', at: 6_100, probe: 'cost', key: 'free', sent: 90 })
    held.tick()
    expect(output.lines().split('\n').slice(1)).toEqual(['  free  cost', '  pro   cost'])
    progress.watch({ ...ended(7_000, 'pro', 'cost'), ...together })
    held.tick()
    expect(output.lines().split('\n').slice(1)).toEqual(['  free  done', '  pro   done'])
  })

  it('keeps what went amiss above the block, and takes the block away at the end', () => {
    const { output, held, progress } = live()
    progress.watch(started(0, 'free', 'burst'))
    progress.watch(started(0, 'pro', 'burst'))
    progress.watch(ended(1_000, 'free', 'burst', 'failed: no-answer'))
    expect(output.lines().split('\n')).toHaveLength(4)
    expect(output.lines()).toMatch(/^ {3}1\.0 s {2}burst \(free\): not played to its end: the target gave no answer\n/)
    expect(output.lines()).toMatch(/^ {2}free {2}waits for the others$/m)
    progress.end()
    expect(output.lines()).toBe('   1.0 s  burst (free): not played to its end: the target gave no answer')
    expect(held.stopped).toBe(true)
  })

  it('is in colour unless NO_COLOR is set, and moves no cursor on a dumb terminal', () => {
    const written = (environment: Record<string, string>): string => {
      const all: string[] = []
      const output = { isTTY: true, columns: 80, write: (text: string) => all.push(text) }
      const progress = createProgress(output, foreseen, { environment, every: () => () => {} })
      progress.watch(started(0, 'free', 'burst'))
      progress.watch(ended(900, 'free', 'burst'))
      progress.end()
      return all.join('')
    }
    expect(written({})).toContain('\u001b[36m')
    expect(written({ NO_COLOR: '1' })).not.toContain('\u001b[36m')
    expect(written({ TERM: 'dumb' })).toBe('   0.9 s  burst (free)\n')
  })
})

describe('agents, on a terminal', () => {
  const agent = (name: string, part: Partial<Extract<Progress, { kind: 'agent' }>> = {}): Progress => ({
    kind: 'agent',
    at: 0,
    agent: name,
    sent: 0,
    loads: [],
    clockErrorMs: null,
    lost: null,
    ...part,
  })

  it('have a line each, with what they send, how well their clock is known, and why they are lost', () => {
    const { output, held, progress } = live()
    progress.watch(started(0, 'free', 'burst'))
    progress.watch(agent('eu-1', { sent: 62, loads: ['burst-free'], clockErrorMs: 0.187 }))
    progress.watch(agent('eu-2'))
    progress.watch(agent('us-1', { lost: 'the agent was silent for 6 s' }))
    held.tick()
    expect(output.lines().split('\n').slice(2)).toEqual([
      '  eu-1  burst-free; 62 requests sent, clock ±0.19 ms',
      '  eu-2  ready; 0 requests sent',
      '  us-1  lost: the agent was silent for 6 s',
    ])
    progress.watch(agent('eu-1', { sent: 63, clockErrorMs: 0.2 }))
    held.tick()
    expect(output.lines()).toContain('eu-1  ready; 63 requests sent, clock ±0.20 ms')
  })
})

describe('on a pipe', () => {
  it('writes a plain line with its time for each thing that came to an end, and for a wait or load that is long', () => {
    const all: string[] = []
    const progress = createProgress({ write: (text) => all.push(text) }, foreseen, { environment: {} })
    progress.watch(started(0, 'free', 'burst'))
    progress.watch({ kind: 'sent', at: 10, count: 90 })
    progress.watch({ kind: 'waiting', at: 1_200, key: 'free', until: 6_000, why: 'a fresh window' })
    progress.watch({ kind: 'waiting', at: 1_250, key: 'pro', until: 43_250, why: 'its quota to be full again' })
    progress.watch({ kind: 'note', at: 1_300, text: 'the pro key was not accepted (401)' })
    progress.watch(ended(6_000, 'free', 'burst'))
    progress.watch(ended(6_100, 'pro', 'split', 'skipped: day-spent'))
    progress.watch({ kind: 'load', at: 6_200, probe: 'cost', key: 'free' })
    progress.watch({ kind: 'load', at: 6_300, probe: 'cost', key: 'free', sent: 90 })
    const steady = { kind: 'load', probe: 'steady', key: 'free' } as const
    progress.watch({ ...steady, at: 6_350, planned: { amount: 54, lastsMs: 54_000 } })
    progress.watch({ ...ended(6_400, 'pro', 'cost'), key: 'pro', keys: ['free', 'pro'] } as Progress)
    progress.end()
    expect(all).toEqual([
      '   1.3 s  pro: waits 42.0 s for its quota to be full again\n',
      '   1.3 s  the pro key was not accepted (401)\n',
      '   6.0 s  burst (free)\n',
      '   6.1 s  split (pro): left out: the daily quota is spent\n',
      '   6.3 s  cost (free): 90 requests sent\n',
      '   6.3 s  steady (free): sends 54 requests within 54.0 s\n',
      '   6.4 s  cost (free, pro)\n',
    ])
  })
})
