import { UsageError } from '../../kit/usage-error.js'

/** Where the Redis is that carries messages and shares. */
export interface RedisAddress {
  readonly url: string
  /** The same without user and password, to be shown. */
  readonly shown: string
}

/**
 * Reads `--redis`, or else the variable QUOTASPEC_REDIS, in which a password is not seen by other users of the machine.
 * Throws a {@link UsageError} that never shows the password.
 */
export const redisAddress = (
  flag: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): RedisAddress => {
  const url = flag ?? environment.QUOTASPEC_REDIS
  const from = flag === undefined ? 'QUOTASPEC_REDIS' : '--redis'
  if (url === undefined || url === '')
    throw new UsageError('which Redis? Set QUOTASPEC_REDIS=redis://HOST:6379, or add --redis redis://HOST:6379')
  let parsed: URL
  try {
    parsed = new URL(url)
  } catch {
    throw new UsageError(`${from} is no address: give one such as redis://127.0.0.1:6379, or rediss:// for TLS`)
  }
  if (parsed.protocol !== 'redis:' && parsed.protocol !== 'rediss:')
    throw new UsageError(`${from} has to begin with redis://, or with rediss:// for TLS`)
  return { url, shown: `${parsed.protocol}//${parsed.host}${parsed.pathname === '/' ? '' : parsed.pathname}` }
}
