import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { madeExchange } from '../evidence/testing/made-exchange.js'
import { targetClock } from './target-clock.js'

const wall = Date.UTC(2026, 0, 15, 12)
const dated = (sentAt: number, tookMs: number, epochMs: number) =>
  madeExchange({ sentAt, tookMs, headers: { Date: new Date(epochMs).toUTCString() } })

describe('the clock of the target', () => {
  it('is taken to be right within five minutes where nothing tells', () => {
    const untold = {
      from: wall - 300_000,
      to: wall + 300_000,
      told: false,
      likely: { from: wall - 2_000, to: wall + 2_000 },
    }
    expect(targetClock([], wall)).toEqual(untold)
    // The exchanges that follow never left this machine.
    const near = { ...untold, likely: { from: wall - 50, to: wall + 50 } }
    const useless = [
      madeExchange({ headers: { Date: 'today' } }),
      madeExchange({
        headers: [
          ['Date', new Date(wall).toUTCString()],
          ['Date', new Date(wall).toUTCString()],
        ],
      }),
      madeExchange({ status: null }),
      madeExchange({}),
    ]
    expect(targetClock(useless, wall)).toEqual(near)
  })

  it('is bounded by one Date: cut off to its second, some time between sending and receipt', () => {
    expect(targetClock([dated(100, 50, wall)], wall)).toEqual({ from: wall - 150, to: wall + 1_000, told: true })
  })

  it('is bounded more closely by several', () => {
    const { from, to } = targetClock([dated(0, 10, wall), dated(900, 10, wall), dated(1_005, 10, wall + 1_000)], wall)
    expect([from - wall, to - wall]).toEqual([-10, 200])
  })

  it('is that of several nodes where Dates contradict each other by little: it holds them all', () => {
    const { from, to, told, contradictionMs } = targetClock([dated(0, 10, wall), dated(20, 10, wall + 3_000)], wall)
    expect({ told, contradictionMs }).toEqual({ told: true, contradictionMs: 1_870 })
    expect(from).toBeLessThanOrEqual(wall)
    expect(to).toBeGreaterThanOrEqual(wall + 3_000)
  })

  it.each([502, 503, 504])('is not that of a gateway that answered %i in its place', (status) => {
    const gateways = madeExchange({
      sentAt: 20,
      tookMs: 10,
      status,
      headers: { Date: new Date(wall + 90_000).toUTCString() },
    })
    expect(targetClock([dated(0, 10, wall), gateways], wall)).toEqual(targetClock([dated(0, 10, wall)], wall))
  })

  const hour = 3_600_000
  it.each<[string, readonly number[]]>([
    ['jumps', [0, hour, 0]],
    ['goes backwards', [0, -hour]],
    ['stands still in 1970', [-wall, -wall - 5_000]],
    ['is of 1970 in turn', [0, -wall, 0]],
    ['lies years off, and goes on as a clock does', [50 * 365 * 24 * hour, 50 * 365 * 24 * hour]],
  ])('is the client’s own where Date %s; what the Dates say is kept', (_name, offsets) => {
    const exchanges = offsets.map((offset, i) =>
      dated(i * 5_000, 10, Math.floor((wall + offset + i * 5_000) / 1000) * 1000),
    )
    const { from, to, told, likely, said } = targetClock(exchanges, wall)
    expect({ from, to, told, likely }).toEqual(targetClock([], wall))
    for (const offset of offsets) {
      expect(said?.from).toBeLessThanOrEqual(wall + offset)
      expect(said?.to).toBeGreaterThanOrEqual(wall + offset)
    }
  })

  it('is the target’s own where it is hours off, and goes on as a clock does', () => {
    const ahead = wall + 5 * hour
    expect(targetClock([dated(0, 10, ahead)], wall)).toEqual({ from: ahead - 10, to: ahead + 1_100, told: true })
  })

  it('always holds the true offset, however long round trips take and however late the header is renewed', () => {
    const answer = fc.record({
      at: fc.integer({ min: 0, max: 100_000 }),
      there: fc.nat(500),
      back: fc.nat(500),
      renewedLateMs: fc.nat(100),
    })
    fc.assert(
      fc.property(
        fc.integer({ min: wall, max: wall + 86_400_000 }),
        fc.array(answer, { minLength: 1 }),
        (offset, answers) => {
          const exchanges = answers.map(({ at, there, back, renewedLateMs }) => {
            const shown = Math.floor((at + there + offset - renewedLateMs) / 1000) * 1000
            return dated(at, there + back, shown)
          })
          const { from, to } = targetClock(exchanges, offset)
          expect(from).toBeLessThanOrEqual(offset)
          expect(to).toBeGreaterThanOrEqual(offset)
        },
      ),
    )
  })
})

it('says by how much a clock contradicts itself, and nothing where it does not', () => {
  const jumping = [dated(0, 10, wall + 3_600_000), dated(20, 10, wall), dated(40, 10, wall + 3_600_000)]
  expect(targetClock(jumping, wall).contradictionMs).toBeGreaterThan(3_590_000)
  expect(targetClock([dated(0, 10, wall), dated(900, 10, wall)], wall)).not.toHaveProperty('contradictionMs')
})
