import type { Answer } from './answer.js'

/** The answer without these headers; the names in the case in which they are written. */
export const withoutHeaders = (answer: Answer, ...names: readonly string[]): Answer => ({
  ...answer,
  headers: Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !names.includes(name))),
})

/** The answer with these headers, in place of those of the same name. */
export const withHeaders = (answer: Answer, headers: Answer['headers']): Answer => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
})

/** The names of the three headers of §8.1, as the server writes them. */
export const rateHeaderNames = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const
