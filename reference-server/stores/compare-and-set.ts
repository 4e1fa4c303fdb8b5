import { createHash, randomBytes } from 'node:crypto'

/** What a Redis client has to offer; those of ioredis do. */
export interface ScriptClient {
  evalsha(sha: string, keyCount: number, ...keysAndArguments: string[]): Promise<unknown>
  script(command: 'LOAD', text: string): Promise<unknown>
}

/** A stored text; its mark changes with each write, and is empty if nothing is stored. */
interface Stored {
  readonly mark: string
  readonly text: string
}

/** The text to store instead, which expires after its lifetime. */
interface Change extends Stored {
  readonly lifetimeMs: number
}

/** Redis's answer, with the time of its own clock; `changed` has what is stored instead of what was expected. */
export type Answered =
  | { readonly kind: 'kept' | 'late'; readonly nowMs: number }
  | { readonly kind: 'changed'; readonly nowMs: number; readonly stored: readonly Stored[] }

const markLength = 16

const script = `
local time = redis.call('TIME')
local nowMs = time[1] * 1000 + time[2] / 1000
local now = string.format('%.17g', nowMs)
if ARGV[1] ~= '' and nowMs > tonumber(ARGV[1]) then return { 'late', now } end
local stored = redis.call('MGET', unpack(KEYS))
local same = #ARGV > 1
for i = 1, #KEYS do
  stored[i] = stored[i] or ''
  same = same and string.sub(stored[i], 1, ${markLength}) == ARGV[i * 3 - 1]
end
if not same then return { 'changed', now, unpack(stored) } end
for i = 1, #KEYS do redis.call('SET', KEYS[i], ARGV[i * 3], 'PX', ARGV[i * 3 + 1]) end
return { 'kept', now }
`

const sha = createHash('sha1').update(script).digest('hex')

/**
 * Sets all keys in one step if each still has its mark and Redis is not past `latestMs`; without changes, only reads. The
 * script is called by its hash; its text is sent only to a server that does not know it, and so has run none of it.
 */
export const compareAndSet = (client: ScriptClient) => {
  const marks = markMaker()
  return async (
    keys: readonly string[],
    changes: readonly Change[],
    latestMs: number | undefined,
  ): Promise<Answered> => {
    const written = changes.flatMap(({ mark, text, lifetimeMs }) => [
      mark,
      marks() + text,
      String(Math.max(1, Math.ceil(lifetimeMs))),
    ])
    const run = () => client.evalsha(sha, keys.length, ...keys, String(latestMs ?? ''), ...written)
    try {
      return answered(await run(), keys.length)
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
      await client.script('LOAD', script)
      return answered(await run(), keys.length)
    }
  }
}

/** Makes marks that no other write has: a random name for this process, and a counter. */
const markMaker = () => {
  const name = randomBytes(6).toString('base64')
  let written = 0
  return () => {
    written += 1
    return name + written.toString(36).padStart(markLength - name.length, '0')
  }
}

const answered = (reply: unknown, keyCount: number): Answered => {
  const [kind, now, ...texts] = Array.isArray(reply) ? reply.map(String) : []
  const nowMs = Number(now)
  if (kind === 'changed' && nowMs > 0 && texts.length === keyCount)
    return {
      kind,
      nowMs,
      stored: texts.map((text) => ({ mark: text.slice(0, markLength), text: text.slice(markLength) })),
    }
  if ((kind === 'kept' || kind === 'late') && nowMs > 0) return { kind, nowMs }
  throw new Error(`the script answered what it never should: ${JSON.stringify(reply)}`)
}

/** The value, if it arrives within this time; one that arrived while this process was busy is still in time. */
export const within = <T>(ms: number, value: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const late = () => reject(new Error(`no answer within ${ms} ms`))
    const timer = setTimeout(() => setImmediate(() => setImmediate(late)), ms)
    value.then(resolve, reject).finally(() => clearTimeout(timer))
  })
