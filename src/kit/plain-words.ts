import type { z } from 'zod'
import { nearest } from './suggestion.js'

/** What a value that has several forms is told where none of them fits and its schema has no words of its own. */
export const noForm = 'has none of the forms that it may have'

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'fields with their values',
  record: 'names with their values',
  array: 'a list',
}

/** `: did you mean GET?` where a word is near to one that is known; else nothing. */
export const hint = (input: unknown, known: readonly string[]): string => {
  if (typeof input !== 'string') return ''
  const meant = known.find((each) => each.toLowerCase() === input.toLowerCase()) ?? nearest(input, known)
  return meant === undefined ? '' : `: did you mean ${meant}?`
}

/** Without the value itself, which may be a secret that was typed into the wrong place. */
const choice = (input: unknown, values: readonly unknown[]): string => {
  const known = values.map(String)
  return `has to be ${known.join(', ').replace(/, ([^,]*)$/, ' or $1')}${hint(input, known)}`
}

const bounds: Readonly<Record<string, (most: string) => string>> = {
  string: (count) => `has to have ${count} characters`,
  array: (count) => `has to have ${count} entries`,
}

const amount = (origin: string, count: string): string => (bounds[origin] ?? ((n: string) => `has to be ${n}`))(count)

/** What zod finds, in words that say what to write: for schemas that have none of their own. */
export const plainWords: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type': {
      const wanted = `has to be ${kinds[issue.expected] ?? issue.expected}`
      return issue.input === null ? `is empty: it ${wanted}` : wanted
    }
    case 'invalid_value':
      return choice(issue.input, issue.values)
    case 'too_small':
      if (issue.origin !== 'number' && Number(issue.minimum) === 1) return 'must not be empty'
      return amount(issue.origin, `at least ${issue.minimum}`)
    case 'too_big':
      return amount(issue.origin, `at most ${issue.maximum}`)
    case 'invalid_union':
      return noForm
    default:
      return undefined
  }
}
