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

/** The answer with every header's name changed. */
export const withHeaderNames = (answer: Answer, as: (name: string) => string): Answer => ({
  ...answer,
  headers: Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [as(name), value])),
})

/** A name whose letters change case: `rEtRy-aFtEr`. */
export const alternatingCase = (name: string): string =>
  [...name].map((letter, index) => (index % 2 === 0 ? letter.toLowerCase() : letter.toUpperCase())).join('')

/** The names of the three headers of §8.1, as the server writes them. */
export const rateHeaderNames = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const
