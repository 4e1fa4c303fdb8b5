// got; RETRIES sets its limit, 2 as it comes.
import got from 'got'
import { headers, work } from '../work.mjs'

const retry = process.env.RETRIES ? { limit: Number(process.env.RETRIES) } : undefined
await work(({ url, method, body }) => got(url, { method, body, headers, ...(retry && { retry }) }))
