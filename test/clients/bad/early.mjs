// Keeps all of it, only that it comes 48 ms before the moment, each time.
import { doubling, namedMs, tooLongMs } from '../named-wait.mjs'
import { giveUp, plainFetch, refused, sleep, work } from '../work.mjs'

await work(
  async (call) => {
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const response = await plainFetch(call)
      await response.arrayBuffer()
      if (!refused(response)) return
      if (attempt === 5) giveUp()
      const named = namedMs(response)
      if (named > tooLongMs) giveUp()
      await sleep(named === undefined ? doubling(attempt) : named - 48)
    }
  },
  { workers: 1, endsWhenGivenUp: true },
)
