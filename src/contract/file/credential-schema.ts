import { z } from 'zod'
import { hint } from '../../kit/plain-words.js'
import { variableName } from '../../kit/variable-name.js'

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

const env = variableName.describe(
  'The environment variable that holds the secret: `token`, or `user:password` for `basic`. Every scheme but `none` needs it. The secret itself never stands in the file.',
)

/** A caller of the API, as the file has it. */
export const credentialEntry = z.strictObject(
  { scheme, env: env.optional() },
  { error: 'has to be fields such as {scheme: bearer, env: ACME_KEY}' },
)
