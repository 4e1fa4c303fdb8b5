import { expect, it } from 'vitest'
import type { Behaviour, Call } from './behaviour.js'
import type { Answer } from './http/answer.js'
import { pipelineOf } from './pipeline.js'

it('hands on all that an answer says of how it goes out, whoever made it', () => {
  const behaviour = { fields: () => ({ 'X-Left': '1' }), shown: () => [] } as unknown as Behaviour
  const call = { charges: [{}], operation: 'listInventory', ruling: {} } as unknown as Call
  const answer: Answer = { status: 429, headers: {}, body: 'no', reason: 'Slow', undated: true, breaksOff: true }
  const { complete } = pipelineOf(behaviour, {} as never)
  expect(complete(call, answer)).toEqual({ ...answer, headers: { 'X-Left': '1' } })
})
