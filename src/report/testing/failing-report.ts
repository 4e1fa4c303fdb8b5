import type { BackoffRow, BanRow, CheckRow, QuotaRow, Report, WitnessRow } from '../model.js'
import { healthyExchange, passingReport, proQuota } from './passing-report.js'
import { simulatedTimeline } from './simulated-timeline.js'

const refusal: WitnessRow = {
  ...healthyExchange,
  id: 'x31',
  probe: 'exhaust-then-wait',
  step: 'refused',
  sentAt: 2_010,
  receivedAt: 2_013.6,
  response: {
    status: 429,
    reason: 'Too Many Requests',
    headers: [
      ['content-type', 'application/json; charset=utf-8'],
      ['x-ratelimit-limit', '60'],
      ['x-ratelimit-remaining', '0'],
      ['x-ratelimit-reset', '1795000006'],
      ['retry-after', '1'],
    ],
    body: '{"code":"rate_limited","message":"Too many requests","status":429}',
    bodyBytes: 66,
  },
}

const refusedAgain: WitnessRow = { ...refusal, id: 'x32', step: 'after-the-wait', sentAt: 3_020, receivedAt: 3_023.1 }

const lost: WitnessRow = {
  ...healthyExchange,
  id: 'burst-pro#301',
  probe: 'burst',
  step: 'burst',
  key: 'pro',
  sentAt: 812.5,
  receivedAt: 818.25,
  curl: null,
  request: { ...healthyExchange.request, headers: [] },
  response: { status: 200, reason: '', headers: [], body: '', bodyBytes: 0 },
}

const dishonestWait: Partial<CheckRow> = {
  verdict: 'fail',
  code: 'refused-after-waiting',
  facts: { header: 'Retry-After', promisedMs: 1_000, status: 429, waitedMs: 1_006 },
  headers: ['Retry-After'],
  message: 'GET /inventory answered 429 1.0 s after a 429 that said Retry-After: 1 (THROTTLE-4; x31, x32).',
  witnesses: ['x31', 'x32'],
  witnessesLeftOut: 4,
  advice: 'Check how Retry-After is computed: from the window that refuses, rounded up to whole seconds, never down.',
}

const overAdmitted: Partial<CheckRow> = {
  verdict: 'fail',
  code: 'no-limiter-explains',
  facts: {
    clause: 'QUOTA-1',
    plan: 'pro',
    limit: 300,
    windowMs: 6_000,
    admitted: 380,
    withinMs: 1_400,
    looksLike: 'check-apart-from-count',
    looksLikeFacts: {},
    plans: [{ plan: 'pro', limit: 300, windowMs: 6_000, admitted: 380, looksLike: 'check-apart-from-count' }],
  },
  message:
    'pro admitted 380 within 1.4 s, beyond its limit of 300 in 6.0 s (looks like a check apart from its count: a race that a burst wins). No permitted limiter accounts for all that was seen: the closest to pro, a sliding log, would have decided 80 requests otherwise',
  witnesses: ['burst-pro#301'],
  witnessesLeftOut: 79,
  advice: 'Check whether checking and counting are one atomic step: simultaneous requests slip between the two.',
}

const noChallenge: Partial<CheckRow> = {
  verdict: 'fail',
  code: 'no-challenge',
  facts: { header: 'WWW-Authenticate' },
  message: 'A 401 came without WWW-Authenticate in 8 of 8 cases.',
}

const changes: Readonly<Record<string, Partial<CheckRow>>> = {
  'THROTTLE-4': dishonestWait,
  'QUOTA-1': overAdmitted,
  'AUTH-8': noChallenge,
}

const admitsOver = (overAdmitted: number): QuotaRow['refutations'][string] => ({
  reason: 'over-admission',
  overAdmitted,
  earlyRefused: 0,
  witnesses: ['burst-pro#301'],
})

const broken: QuotaRow = {
  ...proQuota,
  admitted: 380,
  refused: 70,
  verdict: 'fail',
  models: {
    'fixed-window': 'refuted',
    'fixed-window-first-request': 'refuted',
    'sliding-log': 'refuted',
    'sliding-counter': 'refuted',
    'token-bucket': 'refuted',
    gcra: 'refuted',
    'interval-refill': 'refuted',
  },
  refutations: {
    'fixed-window': admitsOver(80),
    'fixed-window-first-request': admitsOver(80),
    'sliding-log': admitsOver(80),
    'token-bucket': admitsOver(5),
  },
  diagnosis: 'a check apart from its count: a race that a burst wins',
  breach: {
    kind: 'over-admission',
    fromMs: 500,
    toMs: 1_900,
    admitted: 380,
    refused: 0,
    answers: Array.from({ length: 100 }, (_, at): [number, 'admitted' | 'refused', number] =>
      at < 76 ? [500 + at * 18, 'admitted', (at + 1) * 5] : [1_870 + at, 'refused', 380],
    ),
  },
  worstMinute: 380,
  recovery: { afterMs: 6_900, retryAfterMs: 1_000, resetAfterMs: 5_900, lateMs: 5_900 },
}

/** Clients that continued at once on the free key, and so triggered the ban. */
const hammeringClients: BackoffRow = {
  plan: 'free',
  probe: 'ban',
  behaviour: 'hammering',
  clients: 20,
  work: null,
  sent: 1_061,
  served: 60,
  refused: 1_000,
  wasted: 1_001,
  rounds: 1,
  startedAt: 31_000,
  endedAt: 32_900,
  idealMs: null,
  stretchMs: 20,
  attempts: Array.from({ length: 95 }, (_, at): BackoffRow['attempts'][number] => [
    at * 20,
    at < 5 ? 12 : 0,
    at < 5 ? 0 : 11,
    at === 94 ? 1 : 0,
  ]),
}

const banned: BanRow = {
  plan: 'free',
  behaviour: 'hammering',
  startedAt: 32_900,
  status: 403,
  refusedBefore: 1_000,
  headers: ['Retry-After'],
  lengthMs: 6_200,
  askedMeanwhile: 2,
}

/** A run against a target with two faults: a dishonest Retry-After, and a limiter that a burst overruns; one warning. */
export const failingReport: Report = {
  ...passingReport,
  run: { ...passingReport.run, exitCode: 1 },
  outcome: 'fail',
  headline:
    'Pro admits more than its limit, which looks like a check apart from its count: a race that a burst wins (QUOTA-1); clients that wait as long as Retry-After says are refused again (THROTTLE-4).',
  clauses: passingReport.clauses.map((clause) => {
    const change = changes[clause.id]
    return change ? { ...clause, verdict: 'fail', reason: change.message ?? '' } : clause
  }),
  checks: passingReport.checks.map((check) => ({ ...check, ...changes[check.clauses[0] ?? ''] })),
  quotas: [...passingReport.quotas.filter((quota) => quota.plan !== 'pro'), broken],
  certificates: passingReport.certificates.filter(({ plan }) => plan !== 'pro'),
  timelines: [
    ...passingReport.timelines.filter((timeline) => timeline.plan !== 'pro'),
    simulatedTimeline({ plan: 'pro', limit: 300, windowMs: 6_000, admitted: 380, windows: 2 }),
  ],
  gates: passingReport.gates.map((gate) =>
    gate.id === 'overAdmitted' ? { ...gate, value: '80 (pro)', verdict: 'fail' } : gate,
  ),
  backoff: [...passingReport.backoff, hammeringClients],
  bans: [banned],
  exchanges: [healthyExchange, refusal, refusedAgain, lost],
  restored: false,
  unrestored: [
    {
      petId: '9007199254740993',
      quantity: '4',
      curl: "curl -X PATCH 'http://127.0.0.1:8080/v1/inventory/9007199254740993' -H 'Content-Type: application/json' -d '{\"quantity\":4}'",
      look: null,
    },
  ],
}
