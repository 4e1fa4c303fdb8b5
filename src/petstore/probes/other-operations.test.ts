import { describe, expect, it } from 'vitest'
import { rate } from '../../checks/rate/testing/made-headers.js'
import type { OperationId } from '../../contract/petstore/operations.js'
import { madeEvidence } from '../../evidence/testing/made-evidence.js'
import { type ExchangePart, madeExchange } from '../../evidence/testing/made-exchange.js'
import { seededRandom } from '../../kit/random.js'
import type { ProbeContext, Question } from '../../probes/probe.js'
import { remainingByOperation } from '../checks/remaining-by-operation.js'
import { otherOperations } from './odd-requests.js'

/** What a request takes, and how much more than is left its answer shows. */
interface Counting {
  readonly takes?: number
  readonly showsMore?: number
  readonly status?: number
}

/** Plays the probe against a count of a thousand that treats some operations otherwise. */
const played = async (counting: Partial<Record<OperationId, Counting>>) => {
  const parts: ExchangePart[] = []
  let left = 1_000
  const ask = async ({ operation, step }: Question, probe = 'other-operations') => {
    const { takes = 1, showsMore = 0, status = 200 } = (operation && counting[operation]) ?? {}
    left -= takes
    const sentAt = parts.length * 10
    const shown = { status: step === 'absent' ? 404 : status, headers: rate(1_000, left + showsMore) }
    const part = {
      probe,
      step,
      operation: operation ?? null,
      sentAt,
      endedAt: sentAt + 5,
      ...shown,
    }
    parts.push(part)
    return madeExchange(part)
  }
  const context = {
    ask,
    random: seededRandom(1),
    inTurn: <T>([first]: readonly T[]) => first,
    isListed: (id: bigint) => id === 1n,
    async inventory(step: string) {
      await ask({ step, operation: 'listInventory' })
      return [{ id: 1n, quantity: 5n, status: 'sold' }]
    },
  }
  // What the list takes a walk has shown before.
  for (let i = 0; i < 5; i += 1) await ask({ step: 'read', operation: 'listInventory' }, 'model-walk')
  await otherOperations.play(context as unknown as ProbeContext<string>, {})
  return parts
}

describe('what is asked tells an operation that counts otherwise from the one beside it', () => {
  const late = { showsMore: 1 }
  it.each<[string, Partial<Record<OperationId, Counting>>, object]>([
    ['all count alike', {}, { verdict: 'pass' }],
    [
      'orders are shown late',
      { listOrders: late },
      { code: 'operation-shown-late', facts: { operation: 'listOrders' } },
    ],
    ['pets are shown late', { getPet: late }, { code: 'operation-shown-late', facts: { operation: 'getPet' } }],
    [
      'orders are shown too low',
      { listOrders: { showsMore: -1 } },
      { code: 'operation-shown-too-low', facts: { operation: 'listOrders' } },
    ],
    ['both are shown late', { getPet: late, listOrders: late }, { verdict: 'inconclusive', code: 'operation-untold' }],
    [
      'orders take two',
      { listOrders: { takes: 2 } },
      { code: 'operation-counts-otherwise', facts: { operation: 'listOrders' } },
    ],
    ['pets take two', { getPet: { takes: 2 } }, { code: 'operation-counts-otherwise', facts: { operation: 'getPet' } }],
    [
      'orders take nothing',
      { listOrders: { takes: 0 } },
      { verdict: 'inconclusive', facts: { operation: 'listOrders' } },
    ],
    ['pets take nothing', { getPet: { takes: 0 } }, { verdict: 'inconclusive', facts: { operation: 'getPet' } }],
    ['pets are not served', { getPet: { status: 404 } }, { verdict: 'pass' }],
    ['orders are not served', { listOrders: { status: 404 } }, { verdict: 'pass' }],
    [
      'only orders are served, and shown late',
      { getPet: { status: 404 }, listOrders: late },
      { code: 'operation-shown-late', facts: { operation: 'listOrders' } },
    ],
  ])('%s', async (_name, counting, expected) => {
    expect(remainingByOperation.judge(madeEvidence(await played(counting)))).toMatchObject(expected)
  })

  it.each<Partial<Record<OperationId, Counting>>>([{}, { getPet: { status: 404 } }])(
    'takes no more than it says: %j',
    async (counting) => {
      const keyed = (await played(counting)).filter(({ probe }) => probe === 'other-operations').length
      expect(keyed).toBeLessThanOrEqual(otherOperations.cost({} as never, {}, []).keyed)
    },
  )
})
