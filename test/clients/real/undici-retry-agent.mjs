// undici's RetryAgent as it comes: five retries.
import { Agent, RetryAgent, request } from 'undici'
import { headers, work } from '../work.mjs'

const dispatcher = new RetryAgent(new Agent())
await work(async ({ url, method, body }) => {
  // It throws when it gives up.
  const response = await request(url, { method, body, headers, dispatcher })
  await response.body.dump()
})
await dispatcher.close()
