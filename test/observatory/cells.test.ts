import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readLimiter } from '../../observatory/limiter.js'
import { playCells } from '../../observatory/play-cells.js'
import { type Play, playsFor } from '../../observatory/plays.js'
import { freshFolder, untilPlayed } from '../cli/built-program.js'

const program = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url))
const limiters = fileURLToPath(new URL('../../observatory/limiters', import.meta.url))

// Limiters that are among this project's own packages, so that nothing has to be installed.
const cases = [
  ['express-rate-limit-memory', 'cluster', 'not-promised', /two|one/, true],
  ['express-rate-limit-memory', 'restart', 'not-promised', /\d+ of 20 more were admitted/, undefined],
  ['koa-ratelimit-redis', 'restart', 'kept', /no more were admitted/, undefined],
] as const

// One after the other: a server that is started beside others takes longer than its window.
describe('cells of the observatory', () => {
  for (const [id, column, state, measured, breaksQuota] of cases) {
    it(`${id} in the column ${column} is ${state}, and told`, async () => {
      const limiter = readLimiter(limiters, id)
      const [play] = playsFor(limiter, new Set([column])) as [Play]
      // Where a restart takes a window or longer, it gives nothing.
      const cells = await untilPlayed(
        () => playCells({ program, limiter, play }, join(freshFolder(), id)),
        ([cell]) => !measured.test(`${cell?.measured}`),
        ([cell]) => `${cell?.measured}`,
      )
      expect(cells).toMatchObject([{ column, state }])
      expect(cells[0]?.measured).toMatch(measured)
      expect(cells[0]?.breaksQuota).toBe(breaksQuota)
    })
  }
})
