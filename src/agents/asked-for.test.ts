import { describe, expect, it } from 'vitest'
import type { LoadOrder } from '../wire/load/load-order.js'
import { scheduleShape } from '../wire/load/schedule.js'
import { isOf, parseWanted } from './fleet.js'
import type { Member } from './share-desk.js'
import { createSharingOut } from './share-desk.js'

describe('--agents', () => {
  it.each([
    [
      'eu=2,us=1',
      [
        { group: 'eu', count: 2 },
        { group: 'us', count: 1 },
      ],
    ],
    [' eu-west.1=3 ', [{ group: 'eu-west.1', count: 3 }]],
  ])('%s is read', (text, wanted) => {
    expect(parseWanted(text)).toEqual(wanted)
  })

  it.each([
    ['eu', /"eu" is not NAME=COUNT; eu=2,us=2 asks for two agents each/],
    ['eu=0', /is not NAME=COUNT/],
    ['eu=1,,us=1', /"" is not NAME=COUNT/],
    ['eu=1,eu=2', /eu is given twice/],
    ['eu=600,us=500', /at most 1000 agents/],
  ])('%s is refused with what to type instead', (text, why) => {
    expect(() => parseWanted(text)).toThrow(why)
  })

  it('means agents whose names begin so, or are so', () => {
    expect(['eu', 'eu-1', 'europe-1', 'us-eu'].map((name) => isOf(name, 'eu'))).toEqual([true, true, false, false])
  })
})

const member = (name: string, mostPerSecond: number | null = null): Member => ({
  card: {
    type: 'card',
    from: name,
    name,
    version: 1,
    target: 'http://t',
    runsOn: 'http://t',
    mostPerSecond,
    isBusy: false,
  },
  group: 'eu',
  readings: [],
  heardMs: 0,
  sent: 0,
})
const order = {
  id: 'x',
  key: 'free',
  connections: 10,
  amount: 10,
  schedule: { kind: 'constant', perSecond: 10 },
  isSpread: true,
} as unknown as LoadOrder

describe('a load that is shared out', () => {
  it('is the whole, slot by slot, with its connections divided', () => {
    const parts = createSharingOut(
      ['a', 'b', 'c', 'd'].map((name) => member(name)),
      1,
    )(order)
    expect(parts.map((each) => [each.order.amount, each.order.connections])).toEqual([
      [3, 3],
      [3, 3],
      [2, 2],
      [2, 2],
    ])
    const due = parts.flatMap((each) => {
      const shape = scheduleShape(each.order.schedule, each.order.amount)
      return Array.from({ length: each.order.amount }, (_, n) => shape?.(n) ?? Number.NaN)
    })
    expect(due.sort((a, b) => a - b)).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900])
  })

  it('leaves out who would get nothing, and who is lost', () => {
    const lost = { ...member('a'), lost: 'gone' }
    const share = createSharingOut([lost, member('b'), member('c')], 1)
    expect(share({ ...order, amount: 1 }).map((each) => each.member.card.name)).toEqual(['b'])
    expect(createSharingOut([lost], 1)(order)).toEqual([])
  })

  it('keeps to the pace that an agent was allowed, over all keys that may be at work on it', () => {
    const [part] = createSharingOut([member('a', 4)], 2)({ ...order, isSpread: false })
    const shape = scheduleShape(part.order.schedule, part.order.amount)
    expect([0, 1, 2].map((n) => shape?.(n))).toEqual([0, 500, 1_000])
  })
})
