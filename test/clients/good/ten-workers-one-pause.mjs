// Ten workers, whatever was asked for, and one pause for the whole key: none sends before it is over.
import { doubling, namedMs, tooLongMs } from '../named-wait.mjs'
import { plainFetch, refused, sleep, work } from '../work.mjs'

const key = { pausedUntil: 0, refusals: 0, given: false }

const paused = async () => {
  while (performance.now() < key.pausedUntil) await sleep(key.pausedUntil - performance.now() + 5 + Math.random() * 600)
}

const learn = (response, sentAt) => {
  if (!refused(response)) {
    key.refusals = 0
    return
  }
  const named = namedMs(response)
  if (named > tooLongMs) key.given = true
  // Those that were refused together are one refusal; a wait that was named counts from each.
  const together = sentAt < key.pausedUntil
  if (!together) key.refusals += 1
  const pausedUntil = performance.now() + (named ?? doubling(key.refusals - 1))
  if (!together || named !== undefined) key.pausedUntil = Math.max(key.pausedUntil, pausedUntil)
}

const send = async (call) => {
  while (!key.given && key.refusals < 6) {
    await paused()
    if (key.given || key.refusals >= 6) return
    const sentAt = performance.now()
    const response = await plainFetch(call)
    learn(response, sentAt)
    await response.arrayBuffer()
    if (!refused(response)) return
  }
}

await work(send, {
  workers: Number(process.env.WORKERS ?? 10),
  requests: Math.max(10, Number(process.env.PETSTORE_REQUESTS ?? 1)),
})
