// Keeps seconds, and takes a date for nothing: then it backs off by itself.
import { giveUp, plainFetch, refused, secondsOf, sleep, work } from '../work.mjs'

await work(
  async (call) => {
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const response = await plainFetch(call)
      await response.arrayBuffer()
      if (!refused(response)) return
      if (attempt === 5) giveUp()
      const seconds = secondsOf(response)
      if (seconds > 600) giveUp()
      await sleep(seconds ? seconds * 1000 + 5 : 300 * 2 ** attempt * (1 + Math.random() / 2))
    }
  },
  { workers: 1, endsWhenGivenUp: true },
)
