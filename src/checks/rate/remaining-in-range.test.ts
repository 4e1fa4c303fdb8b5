import type { ExchangePart } from '../../evidence/testing/made-exchange.js'
import { verdictTable } from '../testing/verdict-table.js'
import { remainingInRange } from './remaining-in-range.js'
import { full, load, rate, startSeconds, whole } from './testing/made-headers.js'

const refused = (remaining: unknown, retryAfter = '30', limit = 60): ExchangePart => ({
  status: 429,
  headers: { ...rate(limit, remaining), 'Retry-After': retryAfter },
})
verdictTable(remainingInRange, [
  [
    'it is 0 to Limit, and 0 on a refusal',
    [{ headers: rate(60, 0) }, { headers: rate(60, 60) }, refused(0)],
    { verdict: 'pass', facts: { told: 3 } },
  ],
  [
    'it is below 0',
    [{ headers: rate(60, -1) }],
    { verdict: 'fail', code: 'remaining-out-of-range', facts: { remaining: -1, limit: 60 } },
  ],
  ['it is above Limit', [{ headers: rate(60, 61) }], { verdict: 'fail', code: 'remaining-out-of-range' }],
  [
    'it is below 0, and Limit is missing',
    [{ headers: { 'X-RateLimit-Remaining': '-1' } }],
    { verdict: 'fail', code: 'remaining-out-of-range', facts: { limit: 'unknown' } },
  ],
  ['it is a fraction', [{ headers: rate(60, 5.5) }], { verdict: 'fail', code: 'header-is-no-integer' }],
  ['nothing was refused, though a load asked for it', [{ ...whole, probe: 'burst' }], { verdict: 'inconclusive' }],
  ['nothing asked for a refusal', [whole], { verdict: 'not-tested', code: 'not-asked' }],
  [
    'it is not 0 on a refusal of the window that it shows',
    [refused(3)],
    { verdict: 'fail', code: 'remaining-on-refusal', facts: { remaining: 3, limit: 60 } },
  ],
  [
    'all is left on a refusal that shows the next window, which began while it was under way',
    [
      { headers: rate(60, 0, startSeconds + 1), sentAt: 100, tookMs: 10 },
      {
        ...refused(60),
        headers: { ...rate(60, 60, startSeconds + 61), 'Retry-After': '60' },
        sentAt: 999,
        tookMs: 2,
      },
      { ...refused(0), sentAt: 1_100, tookMs: 10 },
    ],
    { verdict: 'pass', facts: { told: 2 } },
  ],
  [
    'all is left on a refusal that shows a window that is over by then',
    [
      { headers: rate(60, 0, startSeconds + 1), sentAt: 100, tookMs: 10 },
      { ...refused(60), headers: { ...rate(60, 60, startSeconds + 1), 'Retry-After': '0' }, sentAt: 998, tookMs: 12 },
      { ...refused(0), sentAt: 1_100, tookMs: 10 },
    ],
    { verdict: 'pass', facts: { told: 2 } },
  ],
  [
    'as much is left on a refusal as was admitted a window before, and may have come back while it was under way',
    [
      { ...whole, sentAt: 1_000 },
      { ...whole, sentAt: 1_010 },
      { ...refused(2), sentAt: 60_990, tookMs: 40 },
      { ...refused(0), sentAt: 61_200 },
    ],
    { verdict: 'pass', facts: { told: 3 } },
  ],
  [
    'more is left on a refusal than can have come back while it was under way',
    [
      { ...whole, sentAt: 1_000 },
      { ...whole, sentAt: 2_000 },
      { ...refused(2), sentAt: 60_990, tookMs: 40 },
    ],
    { verdict: 'fail', code: 'remaining-on-refusal' },
  ],
  [
    'all is left on a refusal that shows the window of the answers before',
    [
      { headers: rate(60, 1, startSeconds + 60), sentAt: 100, tookMs: 10 },
      {
        ...refused(60),
        headers: { ...rate(60, 60, startSeconds + 61), 'Retry-After': '60' },
        sentAt: 999,
        tookMs: 2,
      },
    ],
    { verdict: 'fail', code: 'remaining-on-refusal' },
  ],
  ['it is not 0 on a refusal of the day, the minute shown', [whole, refused(3, '5000')], { verdict: 'pass' }],
  ['it is not 0 on a refusal of the minute, the day shown', [whole, refused(300, '30', 1000)], { verdict: 'pass' }],
  [
    'it is not 0 on a refusal that names no wait',
    [whole, { ...refused(3), headers: rate(60, 3) }],
    { verdict: 'pass' },
  ],
  ['a load shows it', load([{ sentMs: 1, ...full, remaining: -1 }]), { verdict: 'fail', witnesses: ['burst-free#0'] }],
  ['it is missing, which is another clause’s', [{}], { verdict: 'inconclusive' }],
])
