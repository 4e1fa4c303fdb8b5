import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../kit/random.js'
import {
  dateAt,
  decisiveCases,
  momentOf,
  type Policy,
  type SimulatedCase,
  simulatedAudit,
} from '../waits/testing/simulated-audit.js'
import { judgeClient } from './judge-client.js'

type Seen = Parameters<Policy>[0]

const secondsIn = ({ retryAfter }: Seen) => (/^[1-9]\d*$/.test(retryAfter ?? '') ? Number(retryAfter) : undefined)
const dateIn = ({ retryAfter, answeredAtMs }: Seen) => {
  const ms = /GMT$/.test(retryAfter ?? '') ? momentOf(retryAfter ?? '') : Number.NaN
  return ms > answeredAtMs ? ms - answeredAtMs : undefined
}
const namedIn = (seen: Seen) => {
  const seconds = secondsIn(seen)
  return seconds === undefined ? dateIn(seen) : seconds * 1000
}

const random = seededRandom(7)
const jittered = (ms: number) => ms * (1 + random.float() / 2)
const doubling = ({ attempt }: Seen) => jittered(500 * 2 ** attempt)

/** A client that keeps what is named, gives up on what is too long, and has `own` waits, so many attempts in all. */
const keeping =
  (own: (seen: Seen) => number | undefined, attempts = 6): Policy =>
  (seen) => {
    if (seen.attempt + 1 >= attempts) return undefined
    const named = namedIn(seen)
    if (named !== undefined && named > 3_600_000) return undefined
    return named === undefined ? own(seen) : named + 4 + random.float() * 100
  }

const clients: readonly (readonly [string, Policy, string | null, readonly string[]])[] = [
  ['that keeps all of it', keeping(doubling), 'B', []],
  ['that never tries again', () => undefined, 'none', []],
  [
    'that hammers',
    ({ attempt }) => (attempt < 8 ? 20 : undefined),
    'F',
    ['CLIENT-1', 'CLIENT-2', 'CLIENT-3', 'CLIENT-4'],
  ],
  [
    'that hammers on garbage alone',
    keeping((seen) => (seen.retryAfter === 'soon' ? 20 : doubling(seen))),
    'F',
    ['CLIENT-4'],
  ],
  [
    'that hammers where nothing is named',
    keeping((seen) => (seen.retryAfter === undefined ? 20 + random.float() * 70 : doubling(seen))),
    'F',
    ['CLIENT-2', 'CLIENT-3'],
  ],
  [
    'that tries five times at once between its waits, which are jittered',
    keeping(({ attempt }) => (attempt % 5 < 4 ? 3 : jittered(500 * 2 ** Math.floor(attempt / 5))), 15),
    'F',
    ['CLIENT-2', 'CLIENT-4'],
  ],
  [
    'that tries five times at once between its waits, which are not',
    keeping(({ attempt }) => (attempt % 5 < 4 ? 3 : 500 * 2 ** Math.floor(attempt / 5)), 15),
    'F',
    ['CLIENT-2', 'CLIENT-3', 'CLIENT-4'],
  ],
  ['that comes 10 ms early', keepingLess(10), 'F', ['CLIENT-1']],
  ['that comes 2 ms early', keepingLess(2), 'B', []],
  [
    'that caps its waits at 30 s',
    (seen) => (seen.attempt > 4 ? undefined : Math.min(30_000, namedIn(seen) ?? doubling(seen)) + 4),
    'F',
    ['CLIENT-1'],
  ],
  ['that comes 48 ms early', keepingLess(48), 'F', ['CLIENT-1']],
  ['that ignores dates', keepingSeconds, 'D', ['CLIENT-4']],
  [
    'that reads no date in an obsolete form',
    (seen) => keeping(doubling)(/-\w{3}-/.test(seen.retryAfter ?? '') ? { ...seen, retryAfter: 'what?' } : seen),
    'B',
    [],
  ],
  [
    'that gives up on dates',
    (seen) => (dateIn(seen) === undefined ? keeping(doubling)(seen) : undefined),
    'D',
    ['CLIENT-4'],
  ],
  [
    'that misses a date by its second',
    (seen) =>
      dateIn(seen) === undefined ? keeping(doubling)(seen) : seen.attempt > 4 ? undefined : (dateIn(seen) ?? 0) - 990,
    'B',
    [],
  ],
  ['that waits as long each time', keeping(() => jittered(1_000)), 'D', ['CLIENT-2']],
  [
    'whose waits grow linearly',
    keeping(({ attempt }) => 500 * (attempt + 1) * (1 + random.float() / 10)),
    'D',
    ['CLIENT-2'],
  ],
  ['without jitter', keeping(({ attempt }) => 500 * 2 ** attempt), 'C', ['CLIENT-3']],
  [
    'whose first own attempt comes at once',
    keeping(({ attempt }) => (attempt === 0 ? 5 + random.float() * 80 : jittered(500 * 2 ** attempt))),
    'C',
    [],
  ],
  [
    'that takes 0 for now, four times',
    (seen) => (seen.retryAfter === '0' ? (seen.attempt < 4 ? 1 : undefined) : keeping(doubling)(seen)),
    'B',
    [],
  ],
  [
    'that takes 0 for now, twelve times',
    (seen) => (seen.retryAfter === '0' ? (seen.attempt < 12 ? 1 : undefined) : keeping(doubling)(seen)),
    'C',
    [],
  ],
  [
    'that tries again on seconds only',
    (seen) =>
      secondsIn(seen) && (secondsIn(seen) ?? 0) < 100 && seen.attempt < 4
        ? (secondsIn(seen) ?? 0) * 1000 + 5
        : undefined,
    'D',
    ['CLIENT-4'],
  ],
  [
    'with no end',
    (seen) => namedIn(seen) ?? (seen.retryAfter === undefined ? 110 : doubling(seen)),
    'F',
    ['CLIENT-2', 'CLIENT-3'],
  ],
  ['with two retries', keeping(doubling, 3), null, []],
]

function keepingLess(ms: number): Policy {
  return (seen) => {
    const seconds = secondsIn(seen)
    if (seconds === undefined || seconds > 100_000) return keeping(doubling)(seen)
    return seen.attempt > 4 || seconds > 3_600 ? undefined : seconds * 1000 - ms
  }
}

function keepingSeconds(seen: Seen): number | undefined {
  return dateIn(seen) === undefined ? keeping(doubling)(seen) : seen.attempt > 4 ? undefined : doubling(seen)
}

const judged = (policy: Policy, cases: readonly SimulatedCase[] = decisiveCases) =>
  judgeClient(simulatedAudit(cases, policy))
const failedOf = ({ clauses }: ReturnType<typeof judgeClient>) =>
  clauses.filter(({ verdict }) => verdict === 'fail').map(({ clause }) => clause.id)

describe('a client', () => {
  it.each(clients)('%s', (_name, policy, letter, failing) => {
    const result = judged(policy)
    expect({ letter: result.grade.letter, failing: failedOf(result) }).toEqual({ letter, failing })
  })

  it('with two retries may be anything from D to B: two waits show no growth', () => {
    expect(judged(keeping(doubling, 3)).grade).toMatchObject({ best: 'B', worst: 'D', letter: null })
  })

  it('that keeps everything is never failed, whatever its base, factor, jitter and lateness', () => {
    // A seed of its own: of 4,000 schedules with full jitter chance fails one, which no test should hang on.
    const schedule = fc.record({
      baseMs: fc.integer({ min: 150, max: 2_000 }),
      factor: fc.double({ min: 1.8, max: 4, noNaN: true }),
      full: fc.boolean(),
      capMs: fc.integer({ min: 20_000, max: 60_000 }),
      attempts: fc.integer({ min: 4, max: 7 }),
      lateMs: fc.integer({ min: 0, max: 40 }),
      seed: fc.integer(),
    })
    fc.assert(
      fc.property(schedule, ({ baseMs, factor, full, capMs, attempts, lateMs, seed }) => {
        const { float } = seededRandom(seed)
        const own = ({ attempt }: Seen) => {
          const ms = Math.min(capMs, baseMs * factor ** attempt)
          return (full ? ms * (0.001 + float()) : ms * (1 + float() / 2)) + lateMs
        }
        const late: Policy = (seen) => {
          const wait = keeping(own, attempts)(seen)
          return wait === undefined ? undefined : wait + float() * lateMs
        }
        const failing = failedOf(judged(late))
        // Full jitter on a short base is too often no wait at all: that is for the client to mend.
        if (!full || baseMs >= 600) expect(failing).toEqual([])
      }),
      { numRuns: 200, seed: 11 },
    )
  })

  it('is judged the same again', () => {
    const audit = simulatedAudit(decisiveCases, keepingSeconds)
    expect(judgeClient(audit)).toEqual(judgeClient(audit))
  })
})

it('a client that tries again after a 503 alone gives nothing to judge, and is not said to give up on dates', () => {
  const cases = [...decisiveCases, { id: 'unavailable', status: 503, retryAfter: '1' }]
  const { grade, clauses } = judged((seen) => (seen.retryAfter === '1' ? keeping(doubling)(seen) : undefined), cases)
  expect(grade.letter).toBe('none')
  expect(grade.reasons.map(({ finding }) => [finding.code, finding.facts])).toEqual([
    ['never-tries-again', { after503: true }],
  ])
  expect(clauses.filter(({ verdict }) => verdict === 'fail')).toEqual([])
})

describe('a client that does not show its key', () => {
  it('gives nothing to judge: CLIENT-5 is left open, and the others are not tested', () => {
    const audit = simulatedAudit(decisiveCases, keeping(doubling))
    const strangers = {
      ...audit,
      arrivals: audit.arrivals.map((each) => ({ ...each, credential: 'none' as const, status: 401 })),
    }
    const result = judgeClient(strangers)
    expect(result.grade.letter).toBe('none')
    expect(result.clauses.map(({ verdict }) => verdict)).toEqual([
      'not-tested',
      'not-tested',
      'not-tested',
      'not-tested',
      'inconclusive',
    ])
  })

  it.each([
    ['in another form, as Authorization: token, breaks CLIENT-5: it has got the key', true, 'fail'],
    ['but something else, may never have got the key', undefined, 'inconclusive'],
  ] as const)('%s', (_, keyElsewhere, verdict) => {
    const audit = simulatedAudit(decisiveCases, keeping(doubling))
    const shown = { credential: 'other' as const, keyElsewhere, status: 401 }
    const result = judgeClient({ ...audit, arrivals: audit.arrivals.map((each) => ({ ...each, ...shown })) })
    expect(result.clauses.find(({ clause }) => clause.id === 'CLIENT-5')?.verdict).toBe(verdict)
    expect(result.grade.letter).toBe('none')
  })

  it('on any request that it sends again breaks CLIENT-5, and is not said never to try again', () => {
    const audit = simulatedAudit(decisiveCases, keeping(doubling))
    const arrivals = audit.arrivals.map((each) =>
      each.id.endsWith('.1') ? each : { ...each, credential: 'none' as const, status: 401 },
    )
    const { clauses, grade } = judgeClient({ ...audit, arrivals })
    expect(clauses.map(({ verdict }) => verdict)).toEqual([...Array(4).fill('not-tested'), 'fail'])
    expect(grade.letter).toBe('none')
    expect(grade.reasons.map(({ finding: { code } }) => code)).toEqual(['tries-again-without-key'])
  })

  it('on one of its requests breaks CLIENT-5, for the others show that it has got it', () => {
    const audit = simulatedAudit(decisiveCases, keeping(doubling))
    const arrivals = audit.arrivals.map((each, at) =>
      at === 3 ? { ...each, credential: 'other' as const, status: 401 } : each,
    )
    const result = judgeClient({ ...audit, arrivals })
    expect(result.clauses.find(({ clause }) => clause.id === 'CLIENT-5')?.verdict).toBe('fail')
  })
})

it('a client that hammers while the machine is late is left open, never better for it', () => {
  const late: Policy = (seen) => keeping((each) => (seen.retryAfter === 'soon' ? 180 : doubling(each)))(seen)
  const audit = simulatedAudit(decisiveCases, late)
  const beats = Array.from({ length: 600 }, (_, at) => ({ type: 'beat' as const, at: at * 200, lateMs: 120 }))
  const clauseIn = (judged: ReturnType<typeof judgeClient>) =>
    judged.clauses.find(({ clause }) => clause.id === 'CLIENT-4')?.verdict
  expect(clauseIn(judgeClient(audit))).toBe('pass')
  const busy = judgeClient({ ...audit, beats })
  expect(clauseIn(busy)).toBe('inconclusive')
  expect(busy.grade).toMatchObject({ letter: null, worst: 'F' })
})

describe('a client that was asked for more than a real quota holds, and sent little', () => {
  it.each([
    ['stands below an A, where it ended by itself', 'exit', 'stands'],
    ['might have an A, where its time was up', 'watch', 'open'],
  ] as const)('%s', (_, end, state) => {
    const audit = simulatedAudit([...decisiveCases, { id: 'quota', servesFrom: 0 }], keeping(doubling))
    const quota = { requests: 60, windowMs: 4_000, shared: false }
    const asked = { requests: 90, workers: 1, operation: 'listInventory' }
    const plays = audit.plays.map((each) => (each.case === 'quota' ? { ...each, end, quota, asked } : each))
    const { reasons } = judgeClient({ ...audit, plays }).grade
    expect(reasons.find(({ finding }) => finding.code === 'quota-not-exercised')?.state).toBe(state)
  })
})

describe('what a busy machine conceals', () => {
  /** Every request comes so much later than its client meant it to, as its threads waited for a processor. */
  const starvedBy = (policy: Policy, lateMs: number, known: boolean) => {
    const audit = simulatedAudit(decisiveCases, (seen) => {
      const wait = policy(seen)
      return wait === undefined ? undefined : wait + lateMs
    })
    const beats = Array.from({ length: 600 }, (_, at) => ({ type: 'beat' as const, at: at * 200, lateMs }))
    const waitedOf = new Map<string, number>()
    const arrivals = audit.arrivals.map((each) => {
      const waited = (waitedOf.get(each.play) ?? 0) + lateMs
      waitedOf.set(each.play, waited)
      return { ...each, starved: known ? { 1: waited } : null, starvedByAnswer: known ? { 1: waited } : null }
    })
    return judgeClient({ ...audit, arrivals, beats: known ? [] : beats })
  }
  const firstClause = ({ clauses: [first] }: ReturnType<typeof judgeClient>) => first.verdict

  it.each([
    ['its threads', true],
    ['the controls', false],
  ])('one that comes 48 ms early is not passed where it was held up by 60 ms, as %s show', (_, known) => {
    const result = starvedBy(keepingLess(48), 60, known)
    expect(firstClause(result)).toBe('inconclusive')
    expect(result.grade).toMatchObject({ letter: null, worst: 'F' })
  })

  it.each([
    ['its threads', true],
    ['the controls', false],
  ])('one that comes later than it was held up passes, as %s show', (_, known) => {
    const patient: Policy = (seen) => {
      const wait = keeping(doubling)(seen)
      return wait === undefined ? undefined : wait + 130
    }
    expect(firstClause(starvedBy(patient, 60, known))).toBe('pass')
  })

  it('a wait that is as long as its own does not show that a date was read', () => {
    const slow = keeping(() => 3_900)
    const blind: Policy = (seen) => slow(dateIn(seen) === undefined ? seen : { ...seen, retryAfter: undefined })
    const result = judged(blind)
    expect(result.checks.find(({ check }) => check.id === 'client.dates-kept')?.finding).toMatchObject({
      verdict: 'inconclusive',
      code: 'date-or-own-wait',
    })
  })
})

describe('twenty workers that were refused at once', () => {
  const crowd: SimulatedCase = { id: 'crowd', retryAfter: '2', workers: 20, servesFrom: 1 }
  // In flight together, as the server holds the first refusals: stretched here to the same moment.
  const together = (policy: Policy): ReturnType<typeof judgeClient> => {
    const audit = simulatedAudit([crowd], policy)
    return judgeClient({
      ...audit,
      arrivals: audit.arrivals.map((each) => (each.status === 429 ? { ...each, answeredAt: 1_100 } : each)),
    })
  }
  const spreadVerdict = ({ checks }: ReturnType<typeof judgeClient>) =>
    checks.find(({ check }) => check.id === 'client.workers-spread')?.finding.verdict
  it.each<readonly [string, () => number]>([
    ['that came back together', () => 2_100],
    ['that came back one by one, but only just', (): number => 2_100 + random.float() * 250],
  ])('%s tell nothing while the machine stalls', (_name, policy) => {
    const audit = simulatedAudit([crowd], policy)
    const arrivals = audit.arrivals.map((each) => (each.status === 429 ? { ...each, answeredAt: 1_100 } : each))
    const beats = [{ type: 'beat' as const, at: 3_100, lateMs: 90 }]
    expect(spreadVerdict(judgeClient({ ...audit, arrivals, beats }))).toBe('inconclusive')
  })

  it.each<readonly [string, Policy, string]>([
    ['may not come back together', () => 2_100, 'fail'],
    ['may come back one by one', (): number => 2_100 + random.float() * 600, 'pass'],
  ])('%s', (_name, policy, verdict) => {
    const result = together(policy)
    expect(result.checks.find(({ check }) => check.id === 'client.workers-spread')?.finding.verdict).toBe(verdict)
    expect(failedOf(result)).not.toContain('CLIENT-1')
  })
})

it.each([
  ['is no stampede, where that answer was held until nothing else came', 105, 'not-tested'],
  ['is one, where it was not', 1, 'fail'],
] as const)('what comes once the first of twenty workers was served %s', (_, tookMs, verdict) => {
  const crowd: SimulatedCase = { id: 'crowd', retryAfter: '2', workers: 20, servesFrom: 1 }
  let worker = 0
  const audit = simulatedAudit([crowd], () => (worker++ === 0 ? 2_000 : 2_110))
  const arrivals = audit.arrivals.map((each) => {
    if (each.status === 429) return { ...each, answeredAt: 1_100 }
    return each.connection === 1 ? { ...each, answeredAt: each.at + tookMs } : each
  })
  const { checks } = judgeClient({ ...audit, arrivals })
  expect(checks.find(({ check }) => check.id === 'client.workers-spread')?.finding.verdict).toBe(verdict)
})

it('an audit in which nothing arrived proves nothing', () => {
  const audit = simulatedAudit([{ id: 'seconds', retryAfter: dateAt(0) }], () => undefined)
  const result = judgeClient({ ...audit, arrivals: [] })
  expect(new Set(result.clauses.map(({ verdict }) => verdict))).toEqual(new Set(['inconclusive']))
  expect(result.grade.letter).toBe('none')
})
