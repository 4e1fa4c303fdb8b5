import { createServer } from 'node:http'
import Bottleneck from 'bottleneck'

// One limiter for each caller; what finds the reservoir empty is dropped instead of queued, which a server answers with 429.
const limiters = new Bottleneck.Group({
  reservoir: 20,
  reservoirRefreshAmount: 20,
  reservoirRefreshInterval: 4_000,
  highWater: 0,
  strategy: Bottleneck.strategy.OVERFLOW,
})
const server = createServer(async (request, response) => {
  const json = (status, body) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  const serve = async () => json(200, { ok: true })
  if (process.env.LIMITER === 'off') return serve()
  try {
    await limiters.key(request.headers['x-api-key']).schedule(serve)
  } catch (error) {
    json(error instanceof Bottleneck.BottleneckError ? 429 : 500, { error: error.message })
  }
})
server.listen(process.env.PORT, '127.0.0.1')
