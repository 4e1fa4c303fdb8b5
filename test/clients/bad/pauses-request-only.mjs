// Each request waits as it is told, and the other workers go on.
import { plainFetch, refused, secondsOf, sleep, work } from '../work.mjs'

await work(async (call) => {
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const response = await plainFetch(call)
    await response.arrayBuffer()
    if (!refused(response)) return
    const seconds = secondsOf(response)
    if (seconds > 600) return
    const text = response.headers.get('retry-after') ?? ''
    const date = /[a-z]{3}/i.test(text) ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) : Number.NaN
    const dateMs = date > Date.now() ? date - Date.now() + 5 : undefined
    await sleep(
      seconds ? seconds * 1000 + Math.random() * 300 : (dateMs ?? 300 * 2 ** attempt * (1 + Math.random() / 2)),
    )
  }
})
