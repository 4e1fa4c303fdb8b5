// What every client here is asked to do: so many requests, by so many workers, of one operation.
const { PETSTORE_BASE_URL, PETSTORE_API_KEY, PETSTORE_REQUESTS, PETSTORE_WORKERS, PETSTORE_OPERATION } = process.env
/** Set: whatever was asked for, one request follows the other, and none a request that was given up. */
const { ONE_AT_A_TIME } = process.env

export const baseUrl = PETSTORE_BASE_URL ?? 'http://127.0.0.1:8080/v1'
export const headers = { Authorization: `Bearer ${PETSTORE_API_KEY}`, 'Content-Type': 'application/json' }
export const call =
  PETSTORE_OPERATION === 'updateInventory'
    ? { method: 'PATCH', url: `${baseUrl}/inventory/1`, body: '{"quantity":1}' }
    : { method: 'GET', url: `${baseUrl}/inventory`, body: undefined }

/**
 * Does the work with `send`, which sends one request and tries again as the client under audit does. A client that
 * `endsWhenGivenUp` sends nothing more once one of its requests was given up: it would come at once after a refusal.
 */
export const work = async (
  send,
  {
    requests = Number(PETSTORE_REQUESTS ?? 1),
    workers = Number(ONE_AT_A_TIME ? 1 : (PETSTORE_WORKERS ?? 1)),
    endsWhenGivenUp = Boolean(ONE_AT_A_TIME),
  } = {},
) => {
  let left = requests
  const worker = async () => {
    while (left > 0) {
      left -= 1
      await send(call).catch(() => {
        if (endsWhenGivenUp) left = 0
      })
    }
  }
  await Promise.all(Array.from({ length: workers }, worker))
}

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
export const plainFetch = ({ url, method, body }) => fetch(url, { method, body, headers })
/** What a client ends a request with that it tries no more. */
export const giveUp = () => {
  throw new Error('given up')
}
export const refused = ({ status }) => status === 429 || status === 503
export const secondsOf = (response) => {
  const text = response.headers.get('retry-after') ?? ''
  return /^\d+$/.test(text) ? Number(text) : undefined
}
