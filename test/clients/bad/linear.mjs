// Keeps all that is named; its own waits grow by equal steps, with jitter.
import { namedMs, tooLongMs } from '../named-wait.mjs'
import { giveUp, plainFetch, refused, sleep, work } from '../work.mjs'

await work(
  async (call) => {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const response = await plainFetch(call)
      await response.arrayBuffer()
      if (!refused(response)) return
      if (attempt === 4) giveUp()
      const named = namedMs(response)
      if (named > tooLongMs) giveUp()
      const own = 1000 * (attempt + 1) * (1 + Math.random() / 2)
      await sleep(named === undefined ? own : named + 5 + Math.random() * 200)
    }
  },
  { workers: 1, endsWhenGivenUp: true },
)
