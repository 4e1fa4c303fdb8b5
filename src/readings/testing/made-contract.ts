import type { ApiContract, HeaderField, QuotaSpec } from '../../contract/api-contract.js'

/** A field for a test, in one line: `x-reset reset epoch-s`. */
const field = (text: string): HeaderField => {
  const [name, is, as] = text.split(' ')
  return { name, is, as, level: 'must' } as HeaderField
}

/** The fields of dialects that real APIs speak. */
export const dialects = {
  epoch: ['X-RateLimit-Limit limit', 'X-RateLimit-Remaining remaining', 'X-RateLimit-Reset reset epoch-s'],
  draft03: [
    'RateLimit-Limit limit',
    'RateLimit-Remaining remaining',
    'RateLimit-Reset reset delta-s',
    'RateLimit-Policy policy',
  ],
  draft07: ['RateLimit draft-07', 'RateLimit-Policy draft-07-policy'],
  draft11: ['RateLimit draft-11', 'RateLimit-Policy draft-11-policy'],
} as const

/** A quota for a test: 60 in a minute, except for the given parts. */
export const madeQuota = (given: Partial<QuotaSpec> = {}): QuotaSpec => ({
  id: 'core',
  by: 'credential',
  limit: { free: 60 },
  windowMs: 60_000,
  requests: ['items'],
  models: [],
  exact: { over: 0, early: 0 },
  cost: {},
  level: 'must',
  ...given,
})

/** A contract for a test, with the given fields, one per line. */
export const madeContract = (fields: readonly string[], given: Partial<ApiContract> = {}): ApiContract => ({
  name: 'acme',
  credentials: { free: { scheme: 'bearer', env: 'ACME_KEY' } },
  requests: { items: { method: 'GET', path: '/items', headers: {}, expect: [200] } },
  headers: fields.map(field),
  retryAfter: { as: ['seconds', 'http-date'], level: 'must' },
  refusals: [],
  quotas: [madeQuota()],
  ...given,
})

/** The headers in a block of text, one per line, as a parser returns them: without the blank after the colon. */
export const headersIn = (block: string): [string, string][] =>
  block
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')]
    })
