import { describe, expect, it } from 'vitest'
import { isValidForm } from '../../evidence/credential-forms.js'
import { madeExchange } from '../../evidence/testing/made-exchange.js'
import type { Pet, ProbeContext, Question } from '../probe.js'
import {
  askedWhileRefusedCost,
  askWhileRefused,
  inventorySpellings,
  strangersWhileRefused,
  withoutWrongKeys,
} from './refused-key.js'

/** Asks a key with all spellings; `status` answers each question, told how often that spelling was asked with before. */
const asked = async (
  status: (question: Question, before: number) => number,
  hasInventory = false,
  pets: readonly Pet[] = [],
): Promise<Map<string, number>> => {
  const times = new Map<string, number>()
  const context = {
    readOnly: pets.length === 0,
    hasInventory,
    inTurn: <T>([first]: readonly T[]) => first,
    willTouch: () => {},
    ordinary: { operation: 'listInventory' },
    spellings: inventorySpellings,
    askOnce: async (question: Question) => {
      const name = question.intent?.spelling ?? question.step
      const before = times.get(name) ?? 0
      times.set(name, before + 1)
      return madeExchange({ status: status(question, before) })
    },
  }
  await askWhileRefused(
    context as unknown as ProbeContext<'drain' | 'write-refused' | 'spelling' | 'unknown-key'>,
    pets,
  )
  return times
}

const all = Object.keys(inventorySpellings)
const keyCase = 'the key in other letter case'
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

  it('are asked with six times where another operation gets another status, and once where another path does', async () => {
    const times = await asked(({ operation, intent, step }) => {
      const isElse = operation === 'listOrders' || intent?.spelling === 'a trailing slash'
      return isElse && step !== 'drain' ? 302 : 429
    }, true)
    expect(spelled(times)).toEqual(all.map((name) => (name === 'another operation' ? 6 : 1)))
  })

  it('claim to come from the machine itself and from its own network, which a limiter may spare', async () => {
    const isSpared = ({ headers = [] }: Question) => headers.some(([, value]) => /^(127|10)\./.test(value))
    const times = await asked((question) => (question.step !== 'drain' && isSpared(question) ? 200 : 429))
    expect(all.filter((name) => times.get(name) !== 1)).toEqual(['X-Forwarded-For', 'X-Real-IP'])
  })

  it('are not asked with again where one of the three was refused', async () => {
    const times = await asked(({ intent }, before) => (intent?.spelling === 'Forwarded' && before < 2 ? 200 : 429))
    expect(spelled(times)).toEqual(all.map((name) => (name === 'Forwarded' ? 3 : 1)))
  })

  it('are not asked with again where a new window has begun', async () => {
    expect(spelled(await asked(() => 200))).toEqual(all.map(() => 3))
  })

  it.each([
    ['refused', 429, undefined, 1],
    ['taken for no key', 401, undefined, 1],
    ['served', 200, 2, 6],
  ])('ask with a key that nobody has where the key in other letter case was %s', async (_, status, unknown, times) => {
    const isOther = ({ intent }: Question) => intent?.spelling === keyCase
    const sent = await asked((question) => (isOther(question) ? status : 429))
    expect([sent.get('unknown-key'), sent.get(keyCase)]).toEqual([unknown, times])
  })

  it.each([
    ['taken for no key', 'key-in-other-case', 401, false],
    ['refused', 'key-in-other-case', 429, true],
    ['served', 'key-in-other-case', 200, true],
    ['as it is and taken for no key', 'agreed', 401, true],
  ] as const)('go on with the key in other letter case after one was %s: %s, %i', (_, credential, status, isLeft) => {
    const left = withoutWrongKeys(inventorySpellings, [madeExchange({ credential, status })])
    expect(Object.keys(left)).toEqual(all.filter((name) => isLeft || name !== keyCase))
  })

  it.each([
    ['two pets of six', 6, [5n, 6n]],
    ['the other pet of two', 2, [2n, 2n]],
  ])('write another quantity, and one that is stored already, to %s', async (_, size, [changed, unchanged]) => {
    const pets = Array.from({ length: size }, (_, i): Pet => ({ id: BigInt(i + 1), quantity: 7n, status: 'sold' }))
    const written: unknown[] = []
    const write = ({ intent, petId, body }: Question) => {
      if (intent?.quantity !== undefined && intent.spelling) written.push([intent.spelling, petId, body])
      return 429
    }
    await asked(write, true, pets)
    expect(written).toEqual([
      ['a PATCH of another pet', changed, '{"quantity":6}'],
      ['a PATCH that changes nothing', unchanged, '{"quantity":7}'],
      ['a PATCH with a long body', unchanged, '{"quantity":7}'.padEnd(4096)],
    ])
  })

  it('never take more keys that are none than is planned for', async () => {
    const isStrange = ({ as = 'bearer' }: Question) => !isValidForm(as)
    let strange = 0
    await asked((question) => {
      strange += isStrange(question) ? 1 : 0
      return question.step === 'drain' ? 429 : 200
    })
    expect(strange).toBeLessThanOrEqual(strangersWhileRefused)
  })

  it('never take more than is planned for', async () => {
    const times = await asked(({ step }) => (step === 'drain' ? 429 : 200))
    expect([...times.values()].reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(askedWhileRefusedCost)
  })
})
