// fetch alone: it never tries again.
import { plainFetch, work } from '../work.mjs'

await work(async (call) => {
  await (await plainFetch(call)).arrayBuffer()
})
