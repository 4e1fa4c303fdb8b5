/**
 * The value, if it comes within so many milliseconds; rejects otherwise. What has come in while this process was busy
 * counts as having come in time: it is looked at once more before the wait ends.
 */
export const within = <T>(ms: number, value: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const late = () => reject(new Error(`no answer within ${ms} ms`))
    const timer = setTimeout(() => setImmediate(() => setImmediate(late)), ms)
    value.then(resolve, reject).finally(() => clearTimeout(timer))
  })
