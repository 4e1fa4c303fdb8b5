import { describe, expect, it } from 'vitest'
import { type Meter, meterOf } from '../limiters/limiter.js'
import { fixedWindowFirstRequest } from '../limiters/windows.js'
import { forgetful, withFallback } from './quota-stores.js'

const [limit, windowMs] = [3, 60_000]
const open = (nowMs: number): Meter => meterOf(fixedWindowFirstRequest({ limit, windowMs }), nowMs)

describe('a meter whose count is lost', () => {
  it.each([
    ['with a fallback store for a third of each half window', () => withFallback(open, 0, windowMs / 2)],
    ['that forgets after three quarters of a window', () => forgetful(open, 0, 0.75 * windowMs)],
  ])('%s names waits that end when a request is admitted', (_, made) => {
    for (let asked = 0; asked < 2 * windowMs; asked += 500) {
      const meter = made()
      for (let at = 0; at <= asked; at += 500) while (meter.available(at) > 0) meter.take(at)
      const named = meter.admitsAtMs(asked)
      const admitted = Array.from({ length: 400 }, (_, i) => asked + i * 500).find((at) => meter.available(at) > 0)
      expect([asked, named]).toEqual([asked, admitted])
    }
  })
})
