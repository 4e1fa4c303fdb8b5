import express from 'express'
import { rateLimit } from 'express-rate-limit'

/** An API with a quota: so many requests in five seconds for each key. */
const createApp = (limit: number) => {
  const app = express()
  app.use(
    rateLimit({
      windowMs: 5_000,
      limit,
      // The key alone: with the scheme in it, "bearer KEY" would be another quota than "Bearer KEY".
      keyGenerator: (request) => request.get('authorization')?.replace(/^bearer +/i, '') ?? 'nobody',
      legacyHeaders: false,
    }),
  )
  app.get('/items', (_request, response) => {
    response.json([])
  })
  return app
}

export const app = createApp(10)
export const oneTooMany = createApp(11)
