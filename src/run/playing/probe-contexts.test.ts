import { expect, it } from 'vitest'
import { madeExchange } from '../../evidence/testing/made-exchange.js'
import { petstoreSubject } from '../../petstore/subject.js'
import { heldRun } from '../testing/held-run.js'
import { createProbeContexts } from './probe-contexts.js'
import { createUsageBook } from './usage-book.js'

const otherCase = 'the key in other letter case'

it('no probe sends a form of the key again that was taken for none', () => {
  const key = { name: 'free', plan: 'free', quota: { limit: 60, longer: 1_000 } } as const
  const section = { ...petstoreSubject([key]), windowMs: 1_000, scheduled: [] }
  const { log, clock, sender } = heldRun(() => ({}))
  const book = createUsageBook([section.quota], 60)
  const head = { wallStartMs: 0, timeScale: 60, seed: 1, readOnly: false }
  const made = { run: { head, clock, startedAt: 0 }, log, sender, book, section, keys: () => [key] }
  const { contextOf } = createProbeContexts(made as unknown as Parameters<typeof createProbeContexts>[0])
  const spellings = () => {
    const room = { isShort: () => false }
    const [probe, ...rest] = [{ id: 'burst', played: 'each-plan' }, key, room] as unknown as Parameters<
      typeof contextOf
    >
    return Object.keys(contextOf(probe, ...rest).spellings)
  }
  const all = spellings()
  log.exchange(madeExchange({ status: 401, credential: 'unknown-key' }))
  expect(all).toContain(otherCase)
  expect(spellings()).toEqual(all)
  log.exchange(madeExchange({ status: 401, credential: 'key-in-other-case' }))
  expect(spellings()).toEqual(all.filter((name) => name !== otherCase))
})
