import { describe, expect, it } from 'vitest'
import { reportModel } from '../src/report/model.js'
import { type Cell, cellOf, standing, withPlay } from './cells.js'
import type { Column, Limiter } from './limiter.js'

type Verdict = 'pass' | 'fail' | 'inconclusive' | 'not-tested'

const checkRow = (id: string, clause: string, verdict: Verdict) => ({
  id: `${id}:window`,
  promise: '',
  clauses: [clause],
  level: 'must',
  verdict,
  code: '',
  facts: {},
  message: `${id} is ${verdict}`,
  witnesses: [],
  witnessesLeftOut: 0,
  command: '',
})

const refutation = (overAdmitted: number, earlyRefused: number) => ({
  reason: 'both',
  overAdmitted,
  earlyRefused,
  witnesses: [],
})

const quotaRow = (verdict: Verdict) => ({
  plan: 'one',
  window: 'window',
  limit: 20,
  windowMs: 4_000,
  sent: 30,
  admitted: 24,
  refused: 6,
  unknown: 0,
  history: { sent: 30, admitted: 24, refused: 6, unknown: 0 },
  verdict,
  models: {},
  refutations: { 'fixed-window': refutation(4, 0), 'sliding-log': refutation(9, 3) },
  diagnosis: null,
  worstMinute: 24,
  recovery: null,
})

const eventRow = (least: number, outageMs: number | null) => ({
  name: 'restart',
  at: 0,
  endedAt: 1,
  outageMs,
  effects: [{ quota: 'window', plan: 'one', limit: 20, least, most: 20 }],
  sentence: 'restart: it happened',
})

const excluded = ['limit+1', 'remaining+1', 'reset-2s', 'wait-1s'].map((defect) => ({
  defect,
  words: `the words of ${defect}`,
  share: 1,
  draws: 1,
  demanded: true,
}))
const certificates = [
  { key: 'one', plan: 'one', quota: 'window', measured: { limit: [20, 20], windowMs: null }, excluded, open: [] },
]

const reportOf = (given: Readonly<Record<string, readonly unknown[]>>) =>
  reportModel
    .pick({
      checks: true,
      clauses: true,
      quotas: true,
      certificates: true,
      events: true,
      exchanges: true,
      limiterCosts: true,
      headline: true,
    })
    .parse({
      checks: [],
      clauses: [],
      exchanges: [],
      quotas: [],
      certificates,
      headline: 'The run ended early.',
      ...given,
    }) as Parameters<typeof cellOf>[2]

const promising = (columns: readonly Column[], staysUp = false): Pick<Limiter, 'promises' | 'truths'> => ({
  truths: [],
  promises: [{ columns: [...columns], says: 'x', source: 'y', staysUp }],
})

const over = (verdict: Verdict) => checkRow('quota.not-over-admitted', 'QUOTA-1', verdict)
const early = (verdict: Verdict) => checkRow('quota.not-refused-early', 'QUOTA-2', verdict)
const allowed = (verdict: Verdict) => checkRow('quota.events-allowed', 'QUOTA-1', verdict)

describe('a broken quota', () => {
  it('is broken by all that no permitted limiter would have answered so, not by what one stretch of it shows', () => {
    const shown = { kind: 'over-admission', fromMs: 0, toMs: 1, admitted: 22, refused: 0, answers: [] }
    const quota = { ...quotaRow('fail'), breach: shown }
    const by = (admitted: number) =>
      cellOf(
        promising(['alone']),
        'alone',
        reportOf({ checks: [over('fail')], quotas: [{ ...quota, breach: { ...shown, admitted } }] }),
      ).by
    expect([by(22), by(28)]).toEqual([4, 8])
  })
})

describe('a breach of a run that played more than a column asks', () => {
  const shownBy = (...ids: string[]) => ({
    kind: 'over-admission',
    fromMs: 0,
    toMs: 1,
    admitted: 24,
    refused: 0,
    answers: [],
    shownBy: ids.map((id) => ({ id, receivedMs: 1, outcome: 'admitted', admitted: 24 })),
  })
  const cellBy = (limiter: Parameters<typeof cellOf>[0], column: Column, ...ids: string[]) => {
    const quotas = [{ ...quotaRow('fail'), breach: shownBy(...ids) }]
    return cellOf(limiter, column, reportOf({ checks: [over('fail')], quotas }))
  }
  const stateOf = (column: Column, ...ids: string[]) => {
    const { state, breaksQuota } = cellBy(promising([column]), column, ...ids)
    return [state, breaksQuota]
  }

  it('is of the column as well where the source breaks that', () => {
    const truths: Limiter['truths'] = [{ column: 'race', what: 'broken', because: 'x', source: 'y' }]
    expect(cellBy({ ...promising(['race']), truths }, 'race', 'burst-one#60').state).toBe('broken')
    expect(cellBy({ ...promising(['neutral']), truths }, 'neutral', 'burst-one#60').state).toBe('open')
  })

  it('is of the column only where an answer to its own load shows it', () => {
    expect(stateOf('neutral', 'x8', 'burst-one#60')).toEqual(['open', true])
    expect(stateOf('neutral', 'burst-one#60', 'overload-one#3')).toEqual(['broken', true])
    expect(stateOf('race', 'last-slot-one#3')).toEqual(['broken', true])
  })

  it('is always of the one process that it was seen on', () => {
    expect(stateOf('alone', 'overload-one#3')).toEqual(['broken', true])
  })
})

describe('a cell of the table', () => {
  it.each([
    ['alone', [over('pass'), early('pass')], 'kept', undefined],
    ['alone', [over('pass'), early('inconclusive')], 'open', undefined],
    ['alone', [over('fail'), early('pass')], 'broken', 4],
    ['alone', [over('not-tested')], 'open', undefined],
    ['alone', [], 'open', undefined],
    ['alone', [over('pass'), allowed('fail')], 'kept', undefined],
    ['headers', [over('fail'), checkRow('rate.present', 'RATE-1', 'pass')], 'kept', undefined],
    ['wait', [checkRow('throttle.honest', 'THROTTLE-4', 'fail')], 'broken', undefined],
    [
      'wait',
      [checkRow('throttle.honest', 'THROTTLE-4', 'pass'), checkRow('x', 'THROTTLE-3', 'not-tested')],
      'kept',
      undefined,
    ],
  ] as const)('%s, of %#, is what its clauses say', (column, checks, state, by) => {
    const quotas = [
      quotaRow(checks.some(({ id, verdict }) => id.startsWith('quota') && verdict === 'fail') ? 'fail' : 'pass'),
    ]
    const cell = cellOf(promising([column]), column, reportOf({ checks, quotas }))
    expect([cell.state, cell.by]).toEqual([state, by])
  })

  it.each([
    ['pass', 'kept'],
    ['inconclusive', 'open'],
  ])('of a check that could not tell is what its clause is: %s', (verdict, state) => {
    const checks = [checkRow('a', 'RATE-4', 'pass'), checkRow('b', 'RATE-4', 'inconclusive')]
    const clause = {
      id: 'RATE-4',
      level: 'must',
      area: '',
      source: '',
      sentence: '',
      reason: '',
      checks: [],
      waived: null,
    }
    expect(
      cellOf(promising(['headers']), 'headers', reportOf({ checks, clauses: [{ ...clause, verdict }] })).state,
    ).toBe(state)
  })

  it.each([
    ['kept', 'fail'],
    ['broken', 'pass'],
  ] as const)('is open where the source of the limiter says %s and the run is a %s', (what, verdict) => {
    const truths: Limiter['truths'] = [{ column: 'alone', what, because: 'x', source: 'y' }]
    const report = reportOf({ checks: [over(verdict)], quotas: [quotaRow(verdict)] })
    expect(cellOf({ ...promising(['alone']), truths }, 'alone', report).state).toBe('open')
  })

  it.each([
    ['pass', 'open', 'kept'],
    ['fail', 'broken', 'broken'],
  ] as const)('where the source makes it chance, and the run is a %s, is %s', (verdict, state, elsewhere) => {
    const truths: Limiter['truths'] = [{ column: 'alone', what: 'open', because: 'x', source: 'y' }]
    const report = reportOf({ checks: [over(verdict)], quotas: [quotaRow(verdict)] })
    expect(cellOf({ ...promising(['alone']), truths }, 'alone', report).state).toBe(state)
    expect(cellOf({ ...promising(['race']), truths }, 'race', report).state).toBe(elsewhere)
  })

  it('of an over-admission is broken by what its stretch holds beyond the limit', () => {
    const breach = { kind: 'over-admission', fromMs: 0, toMs: 900, admitted: 60, refused: 0, answers: [] }
    const report = reportOf({ checks: [over('fail')], quotas: [{ ...quotaRow('fail'), breach }] })
    expect(cellOf(promising(['alone']), 'alone', report).by).toBe(40)
  })

  it('that nobody promises is told with what was measured, and never called broken', () => {
    const cell = cellOf(
      promising(['alone']),
      'cluster',
      reportOf({ checks: [over('fail')], quotas: [quotaRow('fail')] }),
    )
    expect(cell).toMatchObject({ state: 'not-promised', by: 4, measured: 'quota.not-over-admitted is fail' })
  })

  it.each([
    ['was held to the contract', [allowed('pass')], eventRow(0, null), false, 'kept', undefined],
    ['let more in than the contract allows', [allowed('fail')], eventRow(12, null), false, 'broken', 12],
    ['left answers failing', [allowed('pass')], eventRow(0, 800), false, 'kept', undefined],
    ['left answers failing that had to go on', [allowed('pass')], eventRow(0, 800), true, 'broken', undefined],
    ['is not in the contract', [], eventRow(0, null), false, 'open', undefined],
  ] as const)('of an event that %s', (_, checks, event, staysUp, state, by) => {
    const cell = cellOf(promising(['restart'], staysUp), 'restart', reportOf({ checks, events: [event] }))
    expect([cell.state, cell.by, cell.measured]).toEqual([state, by, 'restart: it happened'])
  })

  it('that is kept lists what its run excludes of what the column asks', () => {
    const checks = [over('pass'), checkRow('rate.remaining', 'RATE-4', 'pass'), checkRow('wait', 'THROTTLE-4', 'pass')]
    const excludes = (column: Column) =>
      cellOf(promising([column]), column, reportOf({ checks, quotas: [quotaRow('pass')] })).excludes
    expect(excludes('alone')).toEqual(['the words of limit+1'])
    expect(excludes('headers')).toEqual(['the words of remaining+1', 'the words of reset-2s'])
    expect(excludes('wait')).toEqual(['the words of wait-1s'])
    const report = reportOf({ checks: [allowed('pass')], events: [eventRow(0, null)] })
    expect(cellOf(promising(['restart']), 'restart', report).excludes).toEqual(['21 or more let in after it (one)'])
  })

  it('without a breach is open where no replay tells which defect of what the column asks would have shown', () => {
    const ofWaits = certificates.map((each) => ({ ...each, excluded: excluded.slice(-1) }))
    const checks = [checkRow('rate.remaining', 'RATE-4', 'pass'), checkRow('wait', 'THROTTLE-4', 'pass')]
    const stateOf = (column: Column) =>
      cellOf(promising([column]), column, reportOf({ checks, certificates: ofWaits })).state
    expect([stateOf('headers'), stateOf('wait')]).toEqual(['open', 'kept'])
  })

  it('of an event that never came is open', () => {
    const cell = cellOf(promising(['restart']), 'restart', reportOf({}))
    expect([cell.state, cell.measured]).toEqual(['open', 'The run ended early.'])
  })

  it('of the cost has medians beside those without the limiter', () => {
    const spread = { count: 3, p50: 1, p90: 1, p99: 1, max: 1 }
    const costs = (p50: number) =>
      reportOf({ limiterCosts: [{ plan: 'one', admitted: { ...spread, p50 }, refused: null, share: null }] })
    expect(cellOf(promising(['alone']), 'cost', costs(1.5), costs(1))).toMatchObject({
      state: 'measured',
      measured: 'admitted 1.50 ms, refused not measured, without the limiter 1.00 ms (medians)',
    })
  })
})

describe('a cell that was played several times', () => {
  const cellsOf = (states: readonly Cell['state'][]) =>
    states.reduce<Cell[]>(
      (cells, state, i) =>
        withPlay(
          cells,
          { column: 'race', state, measured: `${i}`, findings: [], excludes: [] },
          { date: `day ${i}`, seconds: i },
        ),
      [],
    )

  it.each([
    [['kept', 'broken', 'open', 'kept'], 1],
    [['kept', 'broken', 'broken'], 2],
    [['kept', 'kept', 'open'], 1],
    [['open', 'open'], 1],
    [['open', 'kept'], 1],
  ] as const)('of %j shows that at %i, and keeps all', (states, at) => {
    const repeats = states.map((state, i) => ({ state, date: `day ${i}`, seconds: i }))
    expect(cellsOf(states)).toMatchObject([{ state: states[at], measured: `${at}`, repeats }])
  })

  it('stands as often as the wanted cell of its run that was played least', () => {
    const cells = cellsOf(['kept', 'open', 'kept'])
    const stand = (fills: readonly Column[], ...wanted: Column[]) => standing(cells, { fills }, new Set(wanted))
    expect([stand(['race'], 'race'), stand(['race', 'idle'], 'race'), stand(['race', 'idle'], 'race', 'idle')]).toEqual(
      [3, 3, 0],
    )
  })
})
