// The compliant client: `retrying`, one for the key, everything through it. RETRYING names the built module.
import { headers, work } from './work.mjs'

const { retrying } = await import(process.env.RETRYING ?? '../../dist/src/http/retrying.js')
const fetchPatiently = retrying(fetch)
await work(async ({ url, method, body }) => {
  const response = await fetchPatiently(url, { method, body, headers })
  await response.arrayBuffer()
  return response
})
