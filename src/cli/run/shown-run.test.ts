import { describe, expect, it } from 'vitest'
import type { Progress } from '../../run/playing/run-log.js'
import { afterEvent, browserCommand, createToldRun, type Desk, freshLiveState, viewOf } from './shown-run.js'

const desk: Desk = { platform: 'linux', environment: { DISPLAY: ':0' }, isTerminal: true }

it.each<[string, Partial<Desk>, readonly string[] | undefined]>([
  ['xdg-open with a screen', {}, ['xdg-open']],
  ['xdg-open with a screen of Wayland', { environment: { WAYLAND_DISPLAY: 'wayland-0' } }, ['xdg-open']],
  ['nothing without a screen', { environment: {} }, undefined],
  ['nothing where no terminal is attached', { isTerminal: false }, undefined],
  ['nothing in a pipeline', { environment: { DISPLAY: ':0', CI: 'true' } }, undefined],
  ['open on a Mac', { platform: 'darwin', environment: {} }, ['open']],
  ['explorer.exe on Windows', { platform: 'win32', environment: {} }, ['explorer.exe']],
])('a browser is opened by %s', (_, change, command) => {
  expect(browserCommand({ ...desk, ...change })).toEqual(command)
})

const probe = (at: number, state: string): Progress => ({ kind: 'probe', at, probe: 'burst', key: 'free', state })

const noon = new Date(2026, 10, 21, 12, 0, 0).getTime()

const viewAt = (at: number, events: readonly Progress[]) =>
  viewOf(events.reduce(afterEvent, freshLiveState), {
    at,
    startedAtMs: noon,
    foreseen: { requests: 90, durationMs: 40_000 },
    summaryOf: (id) => `what ${id} does`,
  })

it('shows what each key waits for and until when, and what is planned', () => {
  const view = viewAt(5_000, [
    probe(0, 'started'),
    { kind: 'sent', at: 10, count: 60 },
    { kind: 'waiting', at: 1_000, key: 'free', until: 8_000, why: 'a fresh window' },
  ])
  expect(view).toMatchObject({ elapsedMs: 5_000, endsAbout: '12:00:40', sent: 60, lines: [] })
  expect(view.lanes).toEqual([
    {
      key: 'free',
      probe: 'burst',
      summary: 'what burst does',
      wait: { leftMs: 3_000, until: '12:00:08', why: 'a fresh window' },
      done: 0,
    },
  ])
})

it('says of a wait that is over that nothing is left, and names no end that has passed', () => {
  const view = viewAt(41_000, [
    probe(0, 'started'),
    { kind: 'waiting', at: 1_000, key: 'free', until: 8_000, why: 'a fresh window' },
  ])
  expect([view.lanes[0]?.wait?.leftMs, view.endsAbout]).toEqual([0, null])
})

it('tells what happened, the latest first, and what went amiss', () => {
  const { lines, lanes } = viewAt(9_000, [
    { kind: 'note', at: 10, text: 'the pro key was not accepted (401)' },
    probe(20, 'started'),
    probe(6_000, 'failed: no-answer'),
  ])
  expect(lines).toEqual([
    { at: 6_000, text: 'burst (free): not played to its end: the target gave no answer', isAmiss: true },
    { at: 10, text: 'the pro key was not accepted (401)', isAmiss: false },
  ])
  expect(lanes[0]).toMatchObject({ probe: null, done: 1 })
})

it('keeps the latest lines only, and counts the others', () => {
  const view = viewAt(
    0,
    Array.from({ length: 100 }, (_, at): Progress => ({ kind: 'note', at, text: `note ${at}` })),
  )
  expect([view.lines.length, view.lines[0]?.text, view.linesLeftOut]).toEqual([40, 'note 99', 60])
})

it('shows agents as the terminal does', () => {
  const agent = { kind: 'agent', at: 0, agent: 'eu-1', sent: 62, loads: ['burst-free'], clockErrorMs: 0.187 } as const
  expect(viewAt(0, [{ ...agent, lost: null }]).agents).toEqual([
    { name: 'eu-1', doing: 'burst-free; 62 requests sent, clock ±0.19 ms', isLost: false },
  ])
  expect(viewAt(0, [{ ...agent, lost: 'it was not heard for 6 s' }]).agents[0]).toMatchObject({ isLost: true })
})

const begun: Progress = { kind: 'probe', at: 400, probe: 'burst', key: 'free', state: 'started' }
const waits: Progress = { kind: 'waiting', at: 500, key: 'free', until: 8_000, why: 'a fresh window' }

/** A run on a clock that stands still, with 400 ms of it gone at its first event. */
const held = () => {
  let now = 1_000
  const clock = { monotonicMs: () => now, wallMs: () => 50_000 + now, sleep: () => Promise.resolve() }
  const run = createToldRun({ requests: 90, durationMs: 40_000 }, clock)
  return { run, at: (ms: number) => (now = 600 + ms) }
}

describe('a run as its events tell it', () => {
  it('has news after an event, and where a wait is over, each time once', () => {
    const { run, at } = held()
    expect(run.hasNews()).toBe(false)
    run.add(begun)
    run.add(waits)
    expect([run.hasNews(), run.hasNews()]).toEqual([true, false])
    at(7_999)
    expect(run.hasNews()).toBe(false)
    at(8_000)
    expect([run.hasNews(), run.hasNews()]).toEqual([true, false])
  })

  it('tells how far it is by its own zero', () => {
    const { run, at } = held()
    run.add(begun)
    at(12_400)
    expect(run.parts().progress).toContain('12 s')
  })
})
