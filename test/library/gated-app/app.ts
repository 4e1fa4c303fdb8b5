import express from 'express'
import { rateLimit } from 'express-rate-limit'

/** An API with a quota: ten requests in two seconds for each key. */
export const app = express()
app.use(
  rateLimit({
    windowMs: 2_000,
    limit: Number(process.env.LIMIT ?? 10),
    keyGenerator: (request) => request.get('authorization') ?? 'nobody',
    legacyHeaders: false,
  }),
)
app.get('/items', (_request, response) => {
  response.json([])
})
