import { madeEvidence, madeKey } from '../../evidence/testing/made-evidence.js'
import type { ExchangePart } from '../../evidence/testing/made-exchange.js'
import { verdictTable } from '../testing/verdict-table.js'
import { headersPresent, limitOfPlan, plainHeaders } from './headers.js'
import { full, lacking, load, rate, startSeconds, whole } from './testing/made-headers.js'

/** One answer of each status that an operation gives, to the probes that ask for them. */
const ofEachStatus = (part: ExchangePart): ExchangePart[] =>
  Object.entries({ hello: 200, 'invalid-bodies': 400, 'no-key': 401, 'unknown-pet': 404, burst: 429 }).map(
    ([probe, status]) => ({ ...part, probe, status }),
  )

verdictTable(headersPresent, [
  [
    'they are on every answer, of each status',
    ofEachStatus(whole),
    { verdict: 'pass', code: 'told', facts: { told: 5, kinds: ['200', '400', '401', '404', '429'] } },
  ],
  [
    'nothing was refused, though a load asked for it',
    ofEachStatus(whole).map((part) => (part.status === 429 ? { ...part, status: 200 } : part)),
    { verdict: 'inconclusive', code: 'not-told', facts: { missing: ['429'] } },
  ],
  [
    'the scenario asks for nothing that is refused',
    ofEachStatus(whole).slice(0, 4),
    { verdict: 'not-tested', code: 'not-asked', facts: { missing: ['429'] } },
  ],
  [
    'one lacks one',
    [whole, { ...lacking('X-RateLimit-Remaining'), status: 404 }],
    {
      verdict: 'fail',
      code: 'rate-headers-missing',
      facts: { status: 404, missing: ['X-RateLimit-Remaining'], others: 0 },
      witnesses: ['x2'],
    },
  ],
  [
    'one has none',
    [{}],
    { verdict: 'fail', facts: { missing: ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] } },
  ],
  [
    'a line of a load lacks one',
    load([
      { sentMs: 1, ...full },
      { sentMs: 2, status: 429, ...full, reset: undefined },
    ]),
    { verdict: 'fail', witnesses: ['burst-free#1'] },
  ],
  [
    'a header is there and no number, which is another clause’s',
    ofEachStatus({ headers: rate('many', 'some', 'soon') }),
    { verdict: 'pass' },
  ],
  [
    'only a gateway and an unknown path lack them',
    [...ofEachStatus(whole), { status: 502 }, { operation: null, status: 404 }],
    { verdict: 'pass', facts: { told: 5 } },
  ],
  ['nothing was answered', [{ status: null }], { verdict: 'inconclusive' }],
])
verdictTable(limitOfPlan, [
  ['it is the limit per minute', [whole], { verdict: 'pass' }],
  ['it is the limit per day', [{ headers: rate(1000, 9) }], { verdict: 'pass' }],
  ['it is written as 60.0', [{ headers: rate('60.0', 9) }], { verdict: 'pass' }],
  [
    'it is another plan’s',
    [whole, { headers: rate(300, 9) }],
    { verdict: 'fail', code: 'limit-of-no-window', facts: { shown: 300, plan: 'free', minute: 60, day: 1000 } },
  ],
  [
    'it is a fraction',
    [{ headers: rate('60.5', 9) }],
    { verdict: 'fail', code: 'header-is-no-integer', facts: { text: '60.5' } },
  ],
  ['it is no number', [{ headers: rate('sixty', 9) }], { verdict: 'fail', code: 'header-is-no-integer' }],
  [
    'it is any integer where no plan is known',
    [{ headers: rate(10, 9), status: 401, credential: 'none' }, whole],
    { verdict: 'pass', facts: { told: 2 } },
  ],
  ['a load shows another', load([{ sentMs: 1, ...full, limit: 61 }]), { verdict: 'fail', witnesses: ['burst-free#0'] }],
  [
    'a 401 in a load shows any integer, since no plan is known',
    load([
      { sentMs: 1, ...full },
      { sentMs: 2, status: 401, ...full, limit: 10 },
    ]),
    { verdict: 'pass' },
  ],
  ['it is missing, which is another clause’s', [{}], { verdict: 'inconclusive', code: 'not-told' }],
])
verdictTable(limitOfPlan, [
  [
    'each key shows its own',
    madeEvidence([whole, { key: 'pro', headers: rate(300, 9) }], { run: { keys: [madeKey('free'), madeKey('pro')] } }),
    { verdict: 'pass' },
  ],
  [
    'a key shows that of the other',
    madeEvidence([whole, { key: 'pro', headers: rate(60, 9) }], { run: { keys: [madeKey('free'), madeKey('pro')] } }),
    { verdict: 'fail', facts: { plan: 'pro' } },
  ],
])
verdictTable(plainHeaders, [
  ['they are', [whole], { verdict: 'pass' }],
  [
    'one appears twice',
    [{ headers: [...Object.entries(rate(60, 59)), ['X-RATELIMIT-LIMIT', '60'] as const] }],
    { verdict: 'fail', code: 'header-more-than-once', facts: { times: 2 } },
  ],
  [
    'Limit has a point',
    [{ headers: rate('60.0', 9) }],
    { verdict: 'fail', code: 'header-not-plain', facts: { header: 'X-RateLimit-Limit', text: '60.0' } },
  ],
  [
    'Reset is a fraction',
    [{ headers: rate(60, 9, `${startSeconds}.5`) }],
    { verdict: 'fail', facts: { header: 'X-RateLimit-Reset' } },
  ],
  [
    'they are missing, which is another clause’s',
    [{}],
    { verdict: 'inconclusive', code: 'not-told', facts: { leftOut: 1 } },
  ],
  ['nothing was answered', [{ status: null }], { verdict: 'inconclusive' }],
])
