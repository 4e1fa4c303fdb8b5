// ky; RETRIES sets its limit, 2 as it comes.
import ky from 'ky'
import { headers, work } from '../work.mjs'

const retry = process.env.RETRIES ? { limit: Number(process.env.RETRIES) } : undefined
// ky's own time limit of 10 s counts the waits too, and would end most plays.
await work(({ url, method, body }) =>
  ky(url, { method, body, headers, timeout: false, ...(retry && { retry }) }).text(),
)
