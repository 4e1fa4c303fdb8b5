import { describe, expect, it } from 'vitest'
import { algorithms } from '../limiters/algorithms.js'
import { alone } from '../testing/alone.js'
import { decide, type NamedWindow, type Ruling, type Subject } from './ruling.js'
import { createMemoryStore } from './store.js'

const nowMs = 1_767_225_600_000
const windows: readonly NamedWindow[] = [{ name: 'minute', limit: 1, windowMs: 60_000 }]

// What it shares with other stores is tested in stores/every-store.test.ts.
describe('the store in memory', () => {
  it('forgets whom nothing matters of any more, and keeps the rest', () => {
    const store = createMemoryStore({ openMeter: algorithms['fixed-window-first-request'] })
    const take = (subject: Subject, atMs: number) => store.take(alone(subject), nowMs + atMs) as Ruling
    const banned: Subject = {
      id: 'key',
      windows: [...windows, { name: 'day', limit: 9, windowMs: 86_400_000 }],
      ban: { threshold: 1, withinMs: 60_000, lengthMs: 10 ** 9 },
    }
    for (const _ of [1, 2, 3]) take(banned, 0)
    for (let index = 0; index < 50_000; index += 1) take({ id: `address ${index}`, windows }, index * 10)
    expect(store.size).toBeLessThan(15_000)
    expect(take(banned, 500_000).outcome).toBe('banned')
    expect(take({ id: 'address 49999', windows }, 500_000).outcome).toBe('refused')
  })

  it('forgets nobody whose request still waits for its decision', async () => {
    const store = createMemoryStore({
      openMeter: algorithms['fixed-window-first-request'],
      async decide(charged, atMs) {
        await Promise.resolve()
        return decide(charged, atMs)
      },
    })
    const key: Subject = { id: 'key', windows }
    const waiting = store.take(alone(key), nowMs)
    for (let index = 0; index < 100; index += 1) store.peek(alone({ id: `address ${index}`, windows }), nowMs)
    await waiting
    expect((await store.take(alone(key), nowMs)).outcome).toBe('refused')
  })
})
