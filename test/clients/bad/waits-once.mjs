// Waits the first time as it is told, and then hammers.
import { plainFetch, refused, secondsOf, sleep, work } from '../work.mjs'

await work(
  async (call) => {
    for (let attempt = 0; attempt < 8; attempt += 1) {
      const response = await plainFetch(call)
      await response.arrayBuffer()
      if (!refused(response)) return
      if (attempt === 0) await sleep(Math.min(3_600_000, (secondsOf(response) ?? 1) * 1000 + 5))
    }
  },
  { workers: 1 },
)
