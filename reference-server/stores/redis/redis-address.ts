import { UsageError } from '../../../src/kit/usage-error.js'

/** The address of a Redis server, as it was given and as it may be shown. */
export interface RedisAddress {
  readonly url: string
  /** Without user and password. */
  readonly shown: string
}

const example = 'type --store redis://HOST:PORT, or rediss://USER:PASSWORD@HOST:PORT/DB'

/** Reads the address of a Redis server; a `UsageError` where it is none. Its text is not repeated: it may hold a password. */
export const redisAddress = (text: string): RedisAddress => {
  if (!URL.canParse(text)) throw new UsageError(`--store is not an address: ${example}`)
  const url = new URL(text)
  if (url.protocol !== 'redis:' && url.protocol !== 'rediss:')
    throw new UsageError(`--store takes an address that begins with redis:// or rediss://: ${example}`)
  if (url.hostname === '') throw new UsageError(`--store names no host: ${example}`)
  if (!/^\/?\d*$/.test(url.pathname))
    throw new UsageError(`--store ends with the number of a database, or with none: ${example}`)
  return { url: text, shown: `${url.protocol}//${url.host}${url.pathname}` }
}
