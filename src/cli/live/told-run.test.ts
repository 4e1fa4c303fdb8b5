import { describe, expect, it } from 'vitest'
import type { Progress } from '../../run/playing/run-log.js'
import { createToldRun } from './told-run.js'

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
  it('is judged only once its first event came, for the folder may hold an earlier one', () => {
    const { run } = held()
    expect(run.moment(true).isWatched).toBe(false)
    run.add(begun)
    expect([run.moment(true).isWatched, run.moment(false).isWatched]).toEqual([true, false])
  })

  it('is quiet until a load has waited, and offers more to judge with each probe that ends', () => {
    const { run, at } = held()
    run.add(begun)
    run.add(waits)
    at(6_000)
    const before = run.moment(true)
    expect(before.quietMs).toBe(2_000)
    run.add({ ...begun, at: 6_000, state: 'done' })
    expect(run.moment(true).evidence).not.toBe(before.evidence)
  })

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
