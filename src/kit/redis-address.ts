import { UsageError } from './usage-error.js'

const example = 'type redis://HOST:PORT, or with TLS rediss://USER:PASSWORD@HOST:PORT/DB'

/** Reads a Redis address; the {@link UsageError} does not repeat it, nor does `shown`, since it may hold a password. */
export const readRedisAddress = (url: string, from: string) => {
  if (!URL.canParse(url)) throw new UsageError(`${from} is not an address: ${example}`)
  const { protocol, hostname, host, pathname } = new URL(url)
  if (protocol !== 'redis:' && protocol !== 'rediss:')
    throw new UsageError(`${from} must begin with redis:// or rediss://: ${example}`)
  if (hostname === '') throw new UsageError(`${from} names no host: ${example}`)
  if (!/^\/?\d*$/.test(pathname))
    throw new UsageError(`${from} must end with the number of a database, or with none: ${example}`)
  return { url, shown: `${protocol}//${host}${pathname === '/' ? '' : pathname}` }
}
