import { areaOf, areas, clauses } from '../../contract/clauses.js'
import type { BackoffRow, CheckRow, ClauseRow, GateRow, QuotaRow, Report, WitnessRow } from '../model.js'
import { certificateRows, envelopeRows } from './certificate-rows.js'
import { simulatedTimeline } from './simulated-timeline.js'

const command = 'quotaspec run release-gate --target http://127.0.0.1:8080/v1 --time-scale 10 --seed 7'

const checkIdOf = (clause: string): string => clause.toLowerCase().replace('-', '.clause-')

const verdictOf = (id: string, level: ClauseRow['level']): ClauseRow['verdict'] =>
  level === 'observe' ? 'observed' : id === 'INV-7' || id === 'QUOTA-5' ? 'not-tested' : 'pass'

const reasonOf = (id: string, verdict: ClauseRow['verdict']): string => {
  if (id === 'INV-7') return 'the inventory holds no id above 2^53'
  if (id === 'QUOTA-5') return 'no Enterprise key was given'
  return verdict === 'observed' ? 'reported, never judged' : ''
}

const clauseRows: ClauseRow[] = clauses
  .filter((clause) => areaOf(clause.id) !== 'CLIENT')
  .map(({ id, level, source, sentence }) => {
    const verdict = verdictOf(id, level)
    const checks = verdict === 'not-tested' ? [] : [checkIdOf(id)]
    return {
      id,
      level,
      source,
      sentence,
      area: areas[areaOf(id)],
      verdict,
      reason: reasonOf(id, verdict),
      checks,
      waived: null,
    }
  })

const observations: Readonly<Record<string, string>> = {
  'QUOTA-8': 'Every phase is explained by a fixed window, opened by the first request; at most 60 in any 6.0 s.',
  'QUOTA-7': '400 and 404 count against the quota; 401 does not.',
  'INV-10': 'quantity -1 got 400; 0 and 9007199254740993 got 200 and came back digit for digit.',
}

const checkRows: CheckRow[] = clauseRows.flatMap((clause) =>
  clause.checks.map((id) => ({
    id,
    promise: clause.sentence,
    clauses: [clause.id],
    level: clause.level,
    verdict: clause.verdict,
    code: clause.verdict === 'observed' ? 'seen' : 'as-promised',
    facts: {},
    headers: [],
    message:
      observations[clause.id] ?? (clause.verdict === 'observed' ? 'Nothing out of the ordinary.' : 'As promised.'),
    witnesses: clause.id === 'INV-1' ? ['x1'] : [],
    witnessesLeftOut: 0,
    command: `${command} --only ${clause.id}`,
    advice: null,
    followsFrom: [],
    waived: null,
  })),
)

/** An exchange of a healthy target. */
export const healthyExchange: WitnessRow = {
  id: 'x1',
  probe: 'list-inventory',
  step: 'list',
  key: 'free',
  operation: 'listInventory',
  sentAt: 120,
  receivedAt: 126.4,
  request: {
    method: 'GET',
    url: 'http://127.0.0.1:8080/v1/inventory',
    headers: [
      ['accept', 'application/json'],
      ['authorization', 'Bearer ‹key free›'],
    ],
    body: null,
  },
  response: {
    status: 200,
    reason: 'OK',
    headers: [
      ['content-type', 'application/json; charset=utf-8'],
      ['x-ratelimit-limit', '60'],
      ['x-ratelimit-remaining', '59'],
      ['x-ratelimit-reset', '1795000006'],
    ],
    body: '[{"petId":1,"quantity":5,"status":"available"},{"petId":2,"quantity":0,"status":"sold"}]',
    bodyBytes: 88,
  },
  error: null,
  curl: "curl -i 'http://127.0.0.1:8080/v1/inventory' -H 'Authorization: Bearer '\"$QUOTASPEC_KEY_FREE\"",
}

const explained = {
  'interval-refill': 'explained',
  'sliding-counter': 'refuted',
  gcra: 'refuted',
  'fixed-window': 'refuted',
  'fixed-window-first-request': 'explained',
  'sliding-log': 'refuted',
  'token-bucket': 'refuted',
} as const

const quotaRow = (plan: string, limit: number, admissible: number): QuotaRow => ({
  plan,
  window: 'minute',
  limit,
  windowMs: 6_000,
  sent: Math.ceil(limit * 1.5),
  admitted: admissible,
  refused: Math.ceil(limit * 1.5) - admissible,
  unknown: 0,
  history: { sent: limit * 4, admitted: limit * 3, refused: limit, unknown: 0 },
  verdict: 'pass',
  models: { ...explained },
  refutations: {
    'sliding-log': { reason: 'early-refusal', overAdmitted: 0, earlyRefused: 3, witnesses: [] },
    'token-bucket': { reason: 'early-refusal', overAdmitted: 0, earlyRefused: 11, witnesses: [] },
    gcra: { reason: 'early-refusal', overAdmitted: 0, earlyRefused: 11, witnesses: [] },
    'sliding-counter': { reason: 'early-refusal', overAdmitted: 0, earlyRefused: 4, witnesses: [] },
    'fixed-window': { reason: 'over-admission', overAdmitted: 5, earlyRefused: 0, witnesses: [] },
  },
  diagnosis: null,
  worstMinute: limit,
  recovery: { afterMs: 5_840, retryAfterMs: 6_000, resetAfterMs: 5_900, lateMs: 0 },
})

/** The healthy quota of pro. */
export const proQuota: QuotaRow = quotaRow('pro', 300, 300)

const loadRow = (plan: string, planned: number, startedAt: number): Report['load'][number] => ({
  profile: 'burst',
  plan,
  planned,
  sent: planned,
  answered: planned,
  errors: 0,
  timeouts: 0,
  lost: 0,
  connections: 10,
  startedAt,
  endedAt: startedAt + 1_500,
  latencyMs: {
    admitted: { p50: 4.1, p90: 7.8, p99: 12.4, max: 19.7 },
    refused: { p50: 2.2, p90: 3.9, p99: 6.1, max: 8.8 },
  },
  latencyFromPlannedMs: {
    admitted: { p50: 4.3, p90: 8.2, p99: 13.9, max: 21.2 },
    refused: { p50: 2.4, p90: 4.2, p99: 6.9, max: 9.5 },
  },
  scheduleErrorMs: { p50: 0.2, p99: 1.4, max: 2.7 },
  late: false,
  stoodStillMs: 0,
  problem: null,
  worstStretches: [],
})

/** Twenty clients that shared the work of two and a half windows, and finished it in three rounds. */
const compliantClients: BackoffRow = {
  plan: 'free',
  probe: 'compliant-clients',
  behaviour: 'compliant',
  clients: 20,
  work: 150,
  sent: 190,
  served: 150,
  refused: 40,
  wasted: 40,
  rounds: 3,
  startedAt: 18_000,
  endedAt: 30_600,
  idealMs: 12_000,
  stretchMs: 100,
  attempts: [
    [0, 60, 20, 0],
    [6_200, 60, 20, 0],
    [12_500, 30, 0, 0],
  ],
}

const heldGate = (id: string, sentence: string, limit: string, value: string): GateRow => ({
  id,
  sentence,
  limit,
  value,
  verdict: 'pass',
  waived: null,
})

/** A run in which every clause that could be tested held, on two plans. */
export const passingReport: Report = {
  schemaVersion: 1,
  tool: { name: 'quotaspec', version: '0.1.0' },
  run: {
    id: '2026-11-21T10-00-00Z-7',
    scenario: 'release-gate',
    startedAt: '2026-11-21T10:00:00.000Z',
    durationMs: 41_200,
    plannedMs: 44_000,
    timeScale: 10,
    seed: 7,
    strict: false,
    exitCode: 0,
    interrupted: false,
    command,
    environment: { node: 'v20.19.0', platform: 'linux x64', cpus: 2 },
  },
  target: { baseUrl: 'http://127.0.0.1:8080/v1' },
  outcome: 'pass',
  headline: 'The target passes: it keeps all 36 must rules that were tested; 2 other must rules were not tested.',
  rerun: null,
  clauses: clauseRows,
  checks: checkRows,
  quotas: [quotaRow('free', 60, 60), proQuota],
  load: [loadRow('free', 90, 400), loadRow('pro', 450, 500)],
  certificates: [...certificateRows],
  envelopes: [...envelopeRows],
  limiterCosts: [],
  vantages: [],
  timelines: [
    simulatedTimeline({ plan: 'free', limit: 60, windowMs: 6_000, admitted: 60, windows: 3 }),
    simulatedTimeline({ plan: 'pro', limit: 300, windowMs: 6_000, admitted: 300, windows: 2 }),
  ],
  backoff: [compliantClients],
  bans: [],
  gates: [
    heldGate('level', 'Broken must rules.', '0', '0 of 36 tested'),
    heldGate('overAdmitted', 'No plan admits more than its limit.', '0', '0'),
    heldGate('latencyMs.admitted.p99', 'The 99th percentile of the admitted stays below its limit.', '50 ms', '13 ms'),
  ],
  waivers: [],
  events: [],
  spending: [
    { key: 'free', probe: 'list-inventory', planned: 12, spent: 12 },
    { key: 'free', probe: 'burst', planned: 270, spent: 270 },
    { key: 'pro', probe: 'burst', planned: 900, spent: 900 },
  ],
  notes: [{ at: 1_200, text: 'waited 4.8 s for a fresh window of free' }],
  exchanges: [healthyExchange],
  exchangesLeftOut: 412,
  restored: true,
  unrestored: [],
  changedElsewhere: [],
}
