import { judge, plan, type Report, readRun, run, UsageError } from 'quotaspec'
import { startReferenceServer } from 'quotaspec/reference-server'

/** Compiled, not run: what the types of the package say to a program, and what they keep it from. */
export const outcomeOf = async (signal: AbortSignal): Promise<Report['outcome'] | undefined> => {
  const server = await startReferenceServer({ keys: { free: 'a-free-key' }, algorithm: 'sliding-log' })
  const options = { target: server.url, keys: { free: 'a-free-key' } }
  try {
    const { durationMs } = await plan(options)
    const report = await run({ ...options, signal, out: 'reports', timeouts: { run: durationMs / 500 } })
    const [first] = judge(readRun('reports')).checks
    // @ts-expect-error: a message is a text, so that nothing here is of any type.
    const count: number = first.message
    return count > 0 ? report.outcome : undefined
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  } finally {
    await server.close()
  }
}

/** Each of these is refused by the compiler. */
export const refused = [
  // @ts-expect-error: a misspelt option
  () => run({ target: 'http://127.0.0.1:1/v1', onyl: ['QUOTA'] }),
  // @ts-expect-error: no target
  () => plan({ keys: {} }),
  // @ts-expect-error: no way of counting
  () => startReferenceServer({ keys: {}, algorithm: 'leaky' }),
  () =>
    run({
      target: 'x',
      // @ts-expect-error: a quota without a limit
      contract: { quotaspec: 1, name: 'x', credentials: {}, requests: {}, quotas: [{ id: 'x' }] },
    }),
]
