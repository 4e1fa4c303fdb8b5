import Hapi from '@hapi/hapi'
import plugin from 'hapi-rate-limit'

const server = Hapi.server({ port: process.env.PORT, host: '127.0.0.1' })
server.auth.scheme('key', () => ({
  authenticate: (request, h) => h.authenticated({ credentials: { id: request.headers['x-api-key'] } }),
}))
server.auth.strategy('default', 'key')
server.auth.default('default')
if (process.env.LIMITER !== 'off')
  await server.register({
    plugin,
    options: { pathLimit: false, userLimit: 20, userCache: { expiresIn: 4_000 } },
  })
server.route({ method: 'GET', path: '/limited', handler: () => ({ ok: true }) })
await server.start()
