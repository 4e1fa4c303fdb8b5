import { z } from 'zod'
import { hint, isInside } from '../../kit/yaml-file.js'

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

const longestMs = 31 * unitMs.d

/** `30s`, `1m`, `1h` or `31d`, as milliseconds. */
export const span = z
  .string({ error: 'must be a time with its unit, such as 30s, 1m, 1h or 1d' })
  .regex(/^\d{1,9}[smhd]$/, { error: 'must be a whole number and one unit, such as 30s, 1m, 1h or 1d' })
  .transform((text) => Number(text.slice(0, -1)) * unitMs[text.slice(-1) as keyof typeof unitMs])
  .refine((ms) => ms >= unitMs.s && ms <= longestMs, { error: 'must be from 1s to 31d' })
  .meta({ title: 'a time' })

/** `5%`, as a fraction: 0.05. */
export const share = z
  .string({ error: 'must be a share with its sign, such as 5%' })
  .regex(/^\d{1,4}(\.\d{1,4})?%$/, { error: 'must be a share with its sign, such as 5%' })
  .transform((text) => Number(text.slice(0, -1)) / 100)
  .refine((part) => part <= 1, { error: 'must be at most 100%: write at-least if too many are never a breach' })
  .meta({ title: 'a share' })

const naming = 'must be a name of lower-case letters, digits and hyphens that begins with a letter'

/** A name that the file defines and refers to elsewhere. */
export const givenName = z
  .string({ error: naming })
  .regex(/^[a-z][a-z0-9-]{0,39}$/, { error: naming })
  .meta({ title: 'a name' })

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/

/** The name of a header field (RFC 9110 §5.1). */
export const headerName = z
  .string()
  .regex(token, { error: 'must be the name of a header: letters, digits and hyphens' })
  .meta({ title: 'a header' })

export const isToken = (text: string): boolean => token.test(text)

export const status = z
  .int({ error: 'must be a status such as 429' })
  .min(200, { error: 'must be a status from 200 to 599' })
  .max(599, { error: 'must be a status from 200 to 599' })
  .meta({ title: 'a status' })

/** The words that were allowed for a value. */
const choicesOf = (issues: readonly z.core.$ZodIssue[]): string[] =>
  issues.flatMap((issue) => {
    if (issue.code === 'invalid_union') return choicesOf(issue.errors.flat())
    return issue.code === 'invalid_value' ? issue.values.map(String) : []
  })

/** One of several forms. The error for no form is `words`; for the right form with a fault inside, that fault. */
export const formsOf = <const T extends readonly [z.ZodType, z.ZodType, ...z.ZodType[]]>(forms: T, words: string) =>
  z.union(forms, {
    error: ({ code, errors, input }) => {
      const issues = code === 'invalid_union' ? (errors as z.core.$ZodIssue[][]) : []
      if (issues.some(isInside)) return undefined
      return `${words}${hint(input, choicesOf(issues.flat()))}`
    },
  })

/** One value, or a list of different ones. */
export const oneOrMore = <T extends z.ZodType>(each: T, words: string) =>
  formsOf(
    [
      each,
      z
        .array(each)
        .min(1, { error: 'must not be empty' })
        .refine((all) => new Set(all).size === all.length, { error: 'lists one of them twice' }),
    ],
    words,
  ).transform((value) => (Array.isArray(value) ? value : [value]) as z.output<T>[])
