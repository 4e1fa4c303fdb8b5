import { describe, expect, it } from 'vitest'
import { headerRow } from './single-requests.js'

const key = (minute: number, mostPerWindow?: number) => ({
  name: 'free',
  plan: 'free',
  quota: { limit: minute, longer: 1_000_000 },
  ...(mostPerWindow !== undefined && { mostPerWindow }),
})

describe('a row of requests', () => {
  it.each([
    ['is as long as the settings say', key(60), 8],
    ['is longer where a pace lets a bucket get back nearly as much', key(60, 81), 21],
    ['takes half the limit at most', key(40, 54), 20],
    ['is no shorter than the settings say', key(10, 1_000), 8],
  ])('%s', (_, of, requests) => {
    expect(headerRow.cost(of, { requests: 8 }, [of]).keyed).toBe(requests)
  })
})
