// OpenAI's SDK, pointed at the petstore; RETRIES sets its limit, 2 as it comes.
import OpenAI from 'openai'
import { baseUrl, work } from '../work.mjs'

const maxRetries = process.env.RETRIES ? Number(process.env.RETRIES) : undefined
const client = new OpenAI({ apiKey: process.env.PETSTORE_API_KEY, baseURL: baseUrl, ...(maxRetries && { maxRetries }) })
await work(({ method }) =>
  method === 'PATCH' ? client.patch('/inventory/1', { body: { quantity: 1 } }) : client.get('/inventory'),
)
