// Keeps both forms and doubles its own waits, to the millisecond.
import { giveUp, plainFetch, refused, secondsOf, sleep, work } from '../work.mjs'

const namedMs = (response) => {
  const seconds = secondsOf(response)
  if (seconds) return seconds * 1000 + 5
  const text = response.headers.get('retry-after') ?? ''
  const date = /[a-z]{3}/i.test(text) ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) : Number.NaN
  return date > Date.now() ? date - Date.now() + 5 : undefined
}

await work(
  async (call) => {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const response = await plainFetch(call)
      await response.arrayBuffer()
      if (!refused(response)) return
      if (attempt === 4) giveUp()
      const waitMs = namedMs(response) ?? 400 * 2 ** attempt
      if (waitMs > 600_000) giveUp()
      await sleep(waitMs)
    }
  },
  { workers: 1, endsWhenGivenUp: true },
)
