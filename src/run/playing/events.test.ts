import { describe, expect, it } from 'vitest'
import type { JournalRecord } from '../../evidence/journal.js'
import { madeKey } from '../../evidence/testing/made-evidence.js'
import type { Clock } from '../../kit/clock.js'
import type { LoadOrder } from '../../wire/load/load-order.js'
import type { ScenarioEvent } from '../options/scenario.js'
import { type CommandRunner, createEvents, EventFailed } from './events.js'

const restart: ScenarioEvent = { name: 'restart', during: 'burst', at: 0.5, run: ['./restart.sh'], withinMs: 30_000 }
const order = (schedule: LoadOrder['schedule'] = null) =>
  ({ id: 'burst-free', probe: 'burst', amount: 89, schedule }) as LoadOrder
const key = madeKey('free')

const desk = (run: CommandRunner, part: Partial<Parameters<typeof createEvents>[0]> = {}) => {
  let now = 1_000
  const written: JournalRecord[] = []
  const notes: string[] = []
  const failures: EventFailed[] = []
  const clock: Clock = { monotonicMs: () => now, wallMs: () => now, sleep: async () => {} }
  const events = createEvents({
    planned: [restart],
    happened: [],
    run: async (...args) => {
      now += 250
      return run(...args)
    },
    clock,
    startedAt: 900,
    log: { write: (each) => void written.push(each), note: (_, text) => void notes.push(text) },
    fail: (why) => void failures.push(why),
    signal: new AbortController().signal,
    ...part,
  })
  return { events, written, notes, failures }
}

describe('an event of a scenario', () => {
  it('happens at its share of the load, once, and is on record with its beginning and its end', async () => {
    const { events, written, failures } = desk(async () => 0)
    const event = events.during('burst', key, order())
    expect(event).toMatchObject({ after: 44, standsStill: true })
    await Promise.all([event?.happen(44), event?.happen(50)])
    expect(written).toEqual([{ type: 'event', name: 'restart', ledger: 'burst-free', sent: 44, at: 100, endedAt: 350 }])
    expect(events.last()).toEqual({ fromMs: 1_000, endedMs: 1_250 })
    expect([failures, events.left(), events.during('burst', key, order())]).toEqual([[], [], undefined])
  })

  it('does not hold a load that keeps a schedule', () => {
    const { events } = desk(async () => 0)
    expect(events.during('burst', key, order({ kind: 'constant', perSecond: 1 }))).toMatchObject({ standsStill: false })
  })

  it.each([
    ['another probe', 'steady', {}],
    ['another plan', 'burst', { planned: [{ ...restart, plan: 'pro' }] }],
    ['a part of the run in which it happened before', 'burst', { happened: ['restart'] }],
  ])('has no place in %s', (_, probe, part) => {
    expect(desk(async () => 0, part).events.during(probe, key, order())).toBeUndefined()
  })

  it('ends the run where its command fails', async () => {
    const { events, failures } = desk(async () => 7)
    await events.during('burst', key, order())?.happen(44)
    expect(failures.map(({ message }) => message)).toEqual(['the command of restart ended with 7'])
  })

  it('ends the run where its command can’t be run', async () => {
    const { events, failures } = desk(async () => 'spawn ./restart.sh ENOENT')
    await events.during('burst', key, order())?.happen(44)
    expect(failures[0]?.message).toContain('ENOENT')
  })

  it('calls its command off where it hangs, and ends the run', async () => {
    const hanging: CommandRunner = (_, signal) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve('SIGKILL')))
    const { events, failures } = desk(hanging, { planned: [{ ...restart, withinMs: 1 }] })
    await events.during('burst', key, order())?.happen(44)
    expect(failures[0]).toBeInstanceOf(EventFailed)
    expect(failures[0]?.message).toContain('did not end within')
  })
})
