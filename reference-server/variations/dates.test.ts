import { describe, expect, it } from 'vitest'
import { buildApp } from '../petstore-app.js'
import { heldClock } from '../testing/held-clock.js'

const keys = [{ plan: 'free', secret: 'free-key' }] as const
const begin = 'Thu, 01 Jan 1970 00:00:00 GMT'

/** The Dates of six answers in a row, and their Resets in seconds from the true time. */
const answers = async (variation: string) => {
  const clock = heldClock()
  const app = buildApp({ keys, clock, variations: [variation] })
  const headers = { authorization: 'Bearer free-key' }
  const told = []
  for (let sent = 0; sent < 6; sent += 1) told.push((await app.inject({ url: '/v1/inventory', headers })).headers)
  return {
    dates: told.map(({ date }) => date),
    inSeconds: told.map((each) => Math.floor(Number(each['x-ratelimit-reset']) - clock.wallMs() / 1000)),
    wallMs: clock.wallMs(),
  }
}

describe('a Date of no use', () => {
  it.each([
    ['date-of-1970', Array(6).fill(begin)],
    ['date-of-no-use', ['today', begin, undefined, 'today', begin, undefined]],
  ])('is that of %s, beside a Reset that is right', async (variation, dates) => {
    expect(await answers(variation)).toMatchObject({ dates, inSeconds: Array(6).fill(60) })
  })

  it('jumps back and forth, within two hours, beside a Reset that is right', async () => {
    const { dates, inSeconds, wallMs } = await answers('date-jumping')
    const jumps = dates.map((date) => Date.parse(String(date)) - wallMs)
    expect(Math.max(...jumps)).toBeGreaterThan(600_000)
    expect(Math.min(...jumps)).toBeLessThan(-600_000)
    expect(Math.max(...jumps.map(Math.abs))).toBeLessThan(7_200_001)
    expect(inSeconds).toEqual(Array(6).fill(60))
  })
})
