import { verdictTable } from '../../checks/testing/verdict-table.js'
import type { ExchangePart } from '../../evidence/testing/made-exchange.js'
import { deprecation, stability } from './interface.js'

const pet = (part: ExchangePart): ExchangePart => ({
  probe: 'other-operations',
  step: 'with-key',
  operation: 'getPet',
  ...part,
})

verdictTable(deprecation, [
  ['it says that it is deprecated', [pet({ headers: { deprecation: '@1767225600' } })], { verdict: 'pass' }],
  [
    'it says when it goes',
    [pet({ status: 404, headers: { Sunset: 'Thu, 31 Dec 2026 00:00:00 GMT' } })],
    { verdict: 'pass' },
  ],
  ...(['false', '?0', ''] as const).map(
    (value) =>
      [
        `it says ${value || 'nothing behind the colon'}`,
        [pet({ headers: { Deprecation: value } })],
        { verdict: 'fail' },
      ] as const,
  ),
  [
    'only the first answer says it',
    [pet({ headers: { Deprecation: 'true' } }), pet({ step: 'again' })],
    { verdict: 'fail', witnesses: ['x2'] },
  ],
  ['it says nothing', [pet({})], { verdict: 'fail', code: 'deprecation-not-marked', facts: { status: 200 } }],
  [
    'only another operation says it',
    [pet({ operation: 'listOrders', headers: { Deprecation: '@1' } }), pet({})],
    { verdict: 'fail' },
  ],
  ['the limit answered in its stead', [pet({ status: 429 })], { verdict: 'inconclusive' }],
  ['it broke down', [pet({ status: 500 })], { verdict: 'inconclusive', code: 'not-told' }],
  ['it was not answered', [pet({ status: null })], { verdict: 'inconclusive' }],
])

verdictTable(stability, [
  [
    'a header shows it',
    [{ headers: { 'X-Stability': 'beta' } }, { headers: { 'X-Stability': 'beta', 'X-API-Warn': 'Experimental' } }],
    { verdict: 'observed', facts: { headers: ['X-Stability: beta', 'X-API-Warn: Experimental'] } },
  ],
  ['nothing does', [{}], { verdict: 'observed', facts: { headers: [] } }],
  ['nothing was answered', [{ status: null }], { verdict: 'inconclusive' }],
])
