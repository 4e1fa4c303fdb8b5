// The compliant client: `retrying`, one for the key, everything through it. RETRYING names the built module; BASE_MS and
// ATTEMPTS make its schedule shorter.
import { headers, work } from './work.mjs'

const { retrying } = await import(process.env.RETRYING ?? '../../dist/src/wire/http/retrying.js')
const { BASE_MS, ATTEMPTS } = process.env
const fetchPatiently = retrying(fetch, {
  ...(BASE_MS && { baseMs: Number(BASE_MS) }),
  ...(ATTEMPTS && { attempts: Number(ATTEMPTS) }),
})
await work(async ({ url, method, body }) => {
  const response = await fetchPatiently(url, { method, body, headers })
  await response.arrayBuffer()
  return response
})
