import { z } from 'zod'

/** Long, with digits and no word in it: a secret rather than the name of a variable. */
const looksLikeSecret = (text: string): boolean => text.length >= 20 && /\d/.test(text) && !text.includes('_')

const form = /^[A-Z_][A-Z0-9_]{0,99}$/

/** Whether a text is fit to name a variable of the environment, and no secret that was typed in its place. */
export const isVariableName = (text: string): boolean => form.test(text) && !looksLikeSecret(text)

/** The name of a variable of the environment. Where there is none the sentence shows nothing of what stands there. */
export const variableName = z
  .string()
  .refine(isVariableName, {
    error:
      'has to be the name of an environment variable, such as ACME_KEY_FREE, and never the secret itself (what stands here is not shown)',
  })
  .meta({ pattern: form.source, title: 'a variable' })
