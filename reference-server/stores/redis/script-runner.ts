import { createHash } from 'node:crypto'

/** What is asked of a client of Redis; those of ioredis can do it. */
export interface ScriptClient {
  evalsha(sha: string, keyCount: number, ...keysAndArguments: string[]): Promise<unknown>
  script(command: 'LOAD', text: string): Promise<unknown>
}

/** Runs a script on Redis as one atomic step, with these keys and one argument; gives its reply as text. */
export type RunScript = (keys: readonly string[], argument: string) => Promise<string>

/**
 * Sends the name of a script, and the script itself only to a server that does not know it: a new one, or one that was
 * started again. Such a server has not run any of it, so that it may be asked again.
 */
export const scriptRunner = (client: ScriptClient, text: string): RunScript => {
  const sha = createHash('sha1').update(text).digest('hex')
  return async (keys, argument) => {
    const run = async () => String(await client.evalsha(sha, keys.length, ...keys, argument))
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
      await client.script('LOAD', text)
      return run()
    }
  }
}
