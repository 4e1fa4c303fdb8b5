import express from 'express'
import { rateLimit } from 'express-rate-limit'

/** An API with a quota: ten requests in two seconds for each key. */
export const app = express()
app.use(
  rateLimit({
    windowMs: 2_000,
    limit: Number(process.env.LIMIT ?? 10),
    // The key alone: with the scheme in it, "bearer KEY" would be another quota than "Bearer KEY".
    keyGenerator: (request) => request.get('authorization')?.replace(/^bearer +/i, '') ?? 'nobody',
    legacyHeaders: false,
  }),
)
app.get('/items', (_request, response) => {
  response.json([])
})
