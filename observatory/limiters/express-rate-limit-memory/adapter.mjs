import express from 'express'
import { rateLimit } from 'express-rate-limit'

const app = express()
const limiter = rateLimit({
  windowMs: 4_000,
  limit: 20,
  standardHeaders: 'draft-8',
  legacyHeaders: false,
  keyGenerator: (request) => request.get('X-Api-Key'),
})
if (process.env.LIMITER !== 'off') app.use(limiter)
app.get('/limited', (_request, response) => response.json({ ok: true }))
app.listen(process.env.PORT, '127.0.0.1')
