// Reads a date in the one form that servers may send, and takes the two obsolete ones for nothing.
import { doubling, namedMs, tooLongMs } from '../named-wait.mjs'
import { giveUp, plainFetch, refused, sleep, work } from '../work.mjs'

const fixdate = /^(\d+|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} .* GMT)$/

await work(
  async (call) => {
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const response = await plainFetch(call)
      await response.arrayBuffer()
      if (!refused(response)) return
      if (attempt === 5) giveUp()
      const named = fixdate.test(response.headers.get('retry-after') ?? '') ? namedMs(response) : undefined
      if (named > tooLongMs) giveUp()
      await sleep(named === undefined ? doubling(attempt) : named + 5 + Math.random() * 200)
    }
  },
  { workers: 1, endsWhenGivenUp: true },
)
