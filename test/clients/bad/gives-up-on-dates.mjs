// Keeps seconds, backs off by itself where nothing usable is named, and hands a date on as an error.
import { doubling, namedMs, tooLongMs } from '../named-wait.mjs'
import { giveUp, plainFetch, refused, secondsOf, sleep, work } from '../work.mjs'

await work(
  async (call) => {
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const response = await plainFetch(call)
      await response.arrayBuffer()
      if (!refused(response)) return
      if (attempt === 5) giveUp()
      const named = namedMs(response)
      if (named > tooLongMs || (named !== undefined && secondsOf(response) === undefined)) giveUp()
      await sleep(named === undefined ? doubling(attempt) : named + 5 + Math.random() * 200)
    }
  },
  { workers: 1, endsWhenGivenUp: true },
)
