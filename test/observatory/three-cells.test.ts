import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, it } from 'vitest'
import { readLimiter } from '../../observatory/limiter.js'
import { playCells } from '../../observatory/play-cells.js'
import { type Play, playsFor } from '../../observatory/plays.js'
import { freshFolder } from '../cli/built-program.js'

const program = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url))
const limiters = fileURLToPath(new URL('../../observatory/limiters', import.meta.url))

// Limiters that are among this project's own packages, so that nothing has to be installed.
const cases = [
  ['express-rate-limit-memory', 'cluster', 'not-promised'],
  ['express-rate-limit-memory', 'restart', 'not-promised'],
  ['fastify-rate-limit-memory', 'restart', 'not-promised'],
] as const

describe('cells of the observatory', { concurrent: true }, () => {
  for (const [id, column, state] of cases) {
    it(`${id} in the column ${column} is ${state}`, async ({ expect }) => {
      const limiter = readLimiter(limiters, id)
      const [play] = playsFor(limiter, new Set([column])) as [Play]
      const cells = await playCells({ program, limiter, play }, 1, join(freshFolder(), id))
      expect(cells.map((each) => [each.column, each.state])).toEqual([[column, state]])
      // Three processes that count alone admit at least one limit too many; so does one that forgets.
      expect(cells[0]?.by).toBeGreaterThanOrEqual(10)
    })
  }
})
