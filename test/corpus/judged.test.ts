import { expect, it } from 'vitest'
import { recordings } from '../../workshop/corpus/recordings.js'
import { quotaspec } from '../cli/built-program.js'

// As built, on all processors: it computes, and vitest's own way of importing would have it take a third longer.
it('every recorded run, judged offline, gives exactly what is expected of it', async () => {
  const corpus = { program: 'workshop/corpus/main.js', patienceMs: 1_800_000 }
  const { code, stdout, stderr } = await quotaspec([], corpus)
  const all = new RegExp(`^${recordings().length} recordings judged in [\\d.]+ s, 0 with differences\n$`)
  expect(stdout + stderr).toMatch(all)
  expect(code).toBe(0)
}, 1_800_000)
