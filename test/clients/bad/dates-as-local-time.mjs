// Reads a date without its zone, as a parser does that knows of none: on a machine whose zone is UTC it looks right.
import { doubling, tooLongMs } from '../named-wait.mjs'
import { giveUp, plainFetch, refused, secondsOf, sleep, work } from '../work.mjs'

const namedMs = (response) => {
  const text = response.headers.get('retry-after') ?? ''
  const seconds = secondsOf(response)
  const ms =
    seconds === undefined
      ? /[a-z]{3}/i.test(text)
        ? Date.parse(text.replace(' GMT', '')) - Date.now()
        : 0
      : seconds * 1000
  return ms > 0 ? ms : undefined
}

await work(
  async (call) => {
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const response = await plainFetch(call)
      await response.arrayBuffer()
      if (!refused(response)) return
      if (attempt === 5) giveUp()
      const named = namedMs(response)
      if (named > tooLongMs) giveUp()
      await sleep(named === undefined ? doubling(attempt) : named + 5 + Math.random() * 200)
    }
  },
  { workers: 1, endsWhenGivenUp: true },
)
