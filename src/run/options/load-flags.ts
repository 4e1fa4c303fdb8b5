import { UsageError } from '../../kit/usage-error.js'
import type { RunFlags } from './run-flags.js'

/** Throws a {@link UsageError} where `--allow-load` and `--without-load` were both given. */
export const checkLoadFlags = (flags: Pick<RunFlags, 'allow-load' | 'without-load'>): void => {
  if (flags['allow-load'] && flags['without-load'])
    throw new UsageError('--allow-load and --without-load contradict each other: leave one of them out')
}
