import { describe, expect, it } from 'vitest'
import { madeEvidence } from '../../evidence/testing/made-evidence.js'
import type { ExchangePart } from '../../evidence/testing/made-exchange.js'
import { checks } from '../../run/registry.js'

/** What a run has on record where the request with two Authorization headers is answered so. */
const recorded = (doubled: ExchangePart) => {
  const headers = { 'Content-Type': 'application/json', 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '59' }
  const listed = { headers: { ...headers, 'X-RateLimit-Reset': `${Date.UTC(2026, 0, 15, 12, 1) / 1000}` }, body: [] }
  return madeEvidence([
    { ...listed, probe: 'key-elsewhere', step: 'control' },
    {
      probe: 'key-elsewhere',
      step: 'open',
      credential: 'two-headers',
      operation: null,
      path: '/inventory',
      ...doubled,
    },
  ])
}

describe('a request with two Authorization headers', () => {
  it.each<[string, ExchangePart]>([
    ['turned down by a proxy in HTML', { status: 400, headers: { 'Content-Type': 'text/html' }, body: '<h1>400</h1>' }],
    ['taken for the key in the second one', { status: 200, body: [] }],
    ['not answered', { status: null }],
  ])('breaks no clause where it is %s', (_, doubled) => {
    const failing = checks.filter((check) => check.judge(recorded(doubled)).verdict === 'fail')
    expect(failing.map(({ id }) => id)).toEqual([])
  })
})
