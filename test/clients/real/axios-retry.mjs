// axios with axios-retry: three tries as it comes; DELAY=exponential takes its exponentialDelay. Told to retry a 429.
import axios from 'axios'
import axiosRetry from 'axios-retry'
import { headers, work } from '../work.mjs'

const client = axios.create()
const refused = (error) => error.response?.status === 429 || error.response?.status === 503
axiosRetry(client, {
  retryCondition: refused,
  ...(process.env.DELAY === 'exponential' && { retryDelay: axiosRetry.exponentialDelay }),
  ...(process.env.RETRIES && { retries: Number(process.env.RETRIES) }),
})
await work(({ url, method, body }) => client.request({ url, method, data: body, headers }))
