import { UsageError } from '../../kit/usage-error.js'

/** Throws a {@link UsageError} where one of the two is no number that a run can have. */
export const checkScaleAndSeed = (flags: { readonly 'time-scale': number; readonly seed?: number }): void => {
  const scale = flags['time-scale']
  if (!(scale > 0) || scale > 10_000)
    throw new UsageError(`--time-scale ${scale}: a number above 0, up to 10000; 10 makes a minute last 6 s`)
  const { seed } = flags
  if (seed !== undefined && !(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31)) {
    throw new UsageError(`--seed ${seed}: a whole number from 0 to 2147483647`)
  }
}
