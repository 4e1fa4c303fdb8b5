import { describe, expect, it } from 'vitest'
import { madeExchange } from '../../evidence/testing/made-exchange.js'
import type { ProbeContext, Question } from '../probe.js'
import { askedWhileRefusedCost, askWhileRefused, inventorySpellings } from './refused-key.js'

/** Asks a key with all spellings; `status` answers each question, told how often that spelling was asked with before. */
const asked = async (status: (question: Question, before: number) => number): Promise<Map<string, number>> => {
  const times = new Map<string, number>()
  const context = {
    readOnly: true,
    ordinary: { operation: 'listInventory' },
    spellings: inventorySpellings,
    askOnce: async (question: Question) => {
      const name = question.intent?.spelling ?? question.step
      const before = times.get(name) ?? 0
      times.set(name, before + 1)
      return madeExchange({ status: status(question, before) })
    },
  }
  await askWhileRefused(context as unknown as ProbeContext<'drain' | 'write-refused' | 'spelling'>, [])
  return times
}

const all = Object.keys(inventorySpellings)
const spelled = (times: Map<string, number>) => all.map((name) => times.get(name))

describe('other spellings on a refused key', () => {
  it.each([
    ['refused', 429, 1],
    ['taken for no key, or for no path', 404, 1],
    ['not answered for a fault of the server', 503, 3],
  ])('are asked with as often as tells something, where they are %s', async (_, status, times) => {
    expect(spelled(await asked(() => status))).toEqual(all.map(() => times))
  })

  it('are asked with again where a bucket served all three, once the key is refused', async () => {
    const times = await asked(({ intent }, before) => (intent?.spelling === 'Forwarded' && before < 3 ? 200 : 429))
    expect(spelled(times)).toEqual(all.map((name) => (name === 'Forwarded' ? 4 : 1)))
  })

  it('are not asked with again where one of the three was refused', async () => {
    const times = await asked(({ intent }, before) => (intent?.spelling === 'Forwarded' && before < 2 ? 200 : 429))
    expect(spelled(times)).toEqual(all.map((name) => (name === 'Forwarded' ? 3 : 1)))
  })

  it('are not asked with again where a new window has begun', async () => {
    expect(spelled(await asked(() => 200))).toEqual(all.map(() => 3))
  })

  it('never take more than is planned for', async () => {
    const times = await asked(({ step }) => (step === 'drain' ? 429 : 200))
    expect([...times.values()].reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(askedWhileRefusedCost)
  })
})
