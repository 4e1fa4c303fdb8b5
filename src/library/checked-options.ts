import { z } from 'zod'
import { plainWords } from '../kit/plain-words.js'
import { innermost, telling } from '../kit/schema-walk.js'
import { suggestion } from '../kit/suggestion.js'
import { UsageError } from '../kit/usage-error.js'
import { configSchema } from '../run/options/config-schema.js'

const secrets = z.union([z.string().min(1), z.array(z.string().min(1))], {
  error: 'has to be a secret, or a list of secrets',
})

const { $schema: _schema, environments: _environments, ...settings } = configSchema.shape

/** What `quotaspec.yaml` may say, with the keys themselves, and what only a program can give. */
const schema = z.strictObject({
  ...settings,
  target: z.string({ error: 'has to be the base address, such as http://127.0.0.1:8080/v1' }),
  keys: z.record(z.string(), secrets).optional(),
  contract: z
    .union([z.string(), z.record(z.string(), z.unknown())], {
      error: 'has to be the path of a contract file, or what stands in one',
    })
    .optional(),
  insecure: z.boolean().optional(),
  seed: z.number().optional(),
  timeScale: z.number().optional(),
  signal: z.instanceof(AbortSignal, { error: 'has to be an AbortSignal' }).optional(),
  onEvent: z.custom((value) => typeof value === 'function', { error: 'has to be a function' }).optional(),
})

/**
 * Throws a {@link UsageError} where what a caller gave is not what it has to be, with the call, the option, and what to
 * write instead. Values are never repeated: one may be a secret in the wrong place.
 */
export const checkOptions = (call: 'plan' | 'run', given: unknown): void => {
  const parsed = schema.safeParse(given, { error: plainWords })
  if (parsed.success) return
  const { issue, path, fields } = innermost(telling(parsed.error.issues), schema)
  const say = (where: readonly PropertyKey[], why: string) =>
    new UsageError(`${call}: ${where.join('.') || 'what it was given'} ${why}`)
  if (issue.code !== 'unrecognized_keys') throw say(path, issue.message)
  const [key] = issue.keys
  throw say([...path, key], `is no option: ${suggestion(key, fields)}`)
}
