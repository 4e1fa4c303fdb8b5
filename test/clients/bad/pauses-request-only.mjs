// Each request waits as it is told, and the others go on: five workers, started one after the other.
import { plainFetch, refused, secondsOf, sleep, work } from '../work.mjs'

const send = async (call) => {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const response = await plainFetch(call)
    await response.arrayBuffer()
    if (!refused(response)) return
    const seconds = secondsOf(response)
    if (seconds > 600) return
    await sleep(seconds ? seconds * 1000 + 5 : 300 * 2 ** attempt * (1 + Math.random() / 2))
  }
}
const workers = Math.max(5, Number(process.env.PETSTORE_WORKERS ?? 1))
await Promise.all(
  Array.from({ length: workers }, async (_, index) => {
    await sleep(index * 250)
    await work(send, { requests: 3, workers: 1 })
  }),
)
