// Tries again at once, whatever it is told.
import { plainFetch, refused, work } from '../work.mjs'

await work(
  async (call) => {
    for (let attempt = 0; attempt < 8; attempt += 1) {
      const response = await plainFetch(call)
      await response.arrayBuffer()
      if (!refused(response)) return
    }
  },
  { workers: 1 },
)
