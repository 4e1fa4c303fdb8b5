import { z } from 'zod'
import { hint } from '../plain-words.js'

/** Long, with digits and no word in it: a secret rather than the name of a variable. */
const looksLikeSecret = (text: string): boolean => text.length >= 20 && /\d/.test(text) && !text.includes('_')

const scheme = z
  .string()
  .regex(/^(bearer|basic|none|(header|query|cookie) [^\s;,="]{1,100})$/, {
    // Without what stands there: it may be the secret.
    error: ({ input }) =>
      ['header', 'query', 'cookie'].includes(String(input))
        ? `needs a name: write ${input} and the name, such as header X-Api-Key`
        : `has to be bearer, basic, header NAME, query NAME, cookie NAME or none, and nothing else${hint(input, ['bearer', 'basic', 'none'])}`,
  })
  .describe(
    'How it is shown: `bearer` and `basic` in Authorization; `header NAME`, `query NAME` or `cookie NAME` as that; `none` is a request that shows nothing.',
  )

const env = z
  .string()
  .refine((text) => /^[A-Z_][A-Z0-9_]{0,99}$/.test(text) && !looksLikeSecret(text), {
    error:
      'has to be the name of an environment variable, such as ACME_KEY_FREE, and never the secret itself (what stands here is not shown)',
  })
  .meta({ pattern: '^[A-Z_][A-Z0-9_]{0,99}$' })
  .describe(
    'The environment variable that holds the secret: `token`, or `user:password` for `basic`. Every scheme but `none` needs it. The secret itself never stands in the file.',
  )

/** A caller of the API, as the file has it. */
export const credentialEntry = z.strictObject(
  { scheme, env: env.optional() },
  { error: 'has to be fields such as {scheme: bearer, env: ACME_KEY}' },
)
