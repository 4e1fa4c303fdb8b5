// Five tries at once, each on a connection of its own; then it waits as it is told, and does so again.
import http from 'node:http'
import { call, giveUp, headers, sleep, work } from '../work.mjs'

const once = () =>
  new Promise((resolve, reject) => {
    const request = http.request(call.url, { method: call.method, headers, agent: false }, (response) => {
      response.resume().on('end', () => resolve(response))
    })
    request.on('error', reject).end(call.body)
  })

await work(
  async () => {
    for (let round = 0; round < 3; round += 1) {
      let response
      for (let attempt = 0; attempt < 5; attempt += 1) {
        response = await once()
        if (response.statusCode === 200) return
      }
      const seconds = Number(response.headers['retry-after'])
      if (seconds > 600 || round === 2) giveUp()
      await sleep(seconds > 0 ? seconds * 1000 + 5 : 500 * 2 ** round * (1 + Math.random() / 2))
    }
  },
  { workers: 1, endsWhenGivenUp: true },
)
