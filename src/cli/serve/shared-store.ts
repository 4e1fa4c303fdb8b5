import type { StoreConnection, StoreFailure } from '../../../reference-server/stores/shared-store.js'
import { systemClock } from '../../kit/clock.js'
import { UsageError } from '../../kit/usage-error.js'
import type { StoreArgs } from './store-options.js'

/** The store that was asked for, once it answers; undefined where each server counts alone. */
export const givenStore = async (
  args: StoreArgs,
  env: Readonly<Record<string, string | undefined>>,
): Promise<StoreConnection | undefined> => {
  const url = args.store ?? env.QUOTASPEC_STORE
  if (url === undefined || url === '') {
    const lonely = (['store-prefix', 'store-failure', 'store-timeout'] as const).find(
      (flag) => args[flag] !== undefined,
    )
    if (lonely) throw new UsageError(`--${lonely} needs --store redis://HOST:PORT`)
    return undefined
  }
  const { connectRedis } = await import('../../../reference-server/stores/connect-redis.js')
  return connectRedis({
    url,
    prefix: args['store-prefix'],
    failure: args['store-failure'],
    timeoutMs: timeoutOf(args),
    clock: systemClock,
    onChange: (reason) => process.stderr.write(`${storeNews(reason, args['store-failure'])}\n`),
  })
}

const timeoutOf = ({ 'store-timeout': seconds }: StoreArgs): number | undefined => {
  if (seconds === undefined) return undefined
  if (seconds >= 0.01 && seconds <= 60) return seconds * 1000
  throw new UsageError(`--store-timeout ${seconds}: seconds, from 0.01 to 60; 0.5 is half a second`)
}

const storeNews = (reason: string | undefined, failure: StoreFailure = 'closed'): string => {
  if (reason === undefined) return 'the store answers again: requests are counted'
  const meanwhile = failure === 'open' ? 'requests are served uncounted' : 'requests are answered with 503'
  return `the store does not answer (${reason}): ${meanwhile} until it does`
}
