import { describe, expect, it } from 'vitest'
import { inconclusive } from './finding.js'
import { burstAgain, hiddenInWords, hiding, splitAgain } from './judged-clause.js'

const again = (...defects: readonly string[]) =>
  burstAgain.settings(inconclusive('defect-may-hide', { plan: 'free', plans: ['free', 'pro'], defects }))

describe('a burst that is played again', () => {
  it('is one load on the smallest key behind one silence, where only an uncounted first request could hide', () => {
    expect(again('first-free')).toEqual({ plans: ['free'], overshoot: 1.05, end: 'load', opener: false })
  })

  it.each([
    [['first-free', 'limit+1'], { silence: 2, opener: false }],
    [['limit+1'], { silence: 2 }],
    [['race-5ms'], { overshoot: 2.2, connections: 150 }],
    [['lost-1-in-10'], {}],
  ])('shows %j on each plan on which it could hide', (defects, more) => {
    expect(again(...defects)).toEqual({ plans: ['free', 'pro'], overshoot: 1.05, end: 'load', ...more })
  })

  it('is none, where only the end of a window could be another: that takes loads in parts', () => {
    expect(again('window-5%', 'refusals-count')).toBeUndefined()
  })
})

describe('loads in parts that are played again', () => {
  const inParts = (...defects: readonly string[]) =>
    splitAgain.settings(inconclusive('defect-may-hide', { plan: 'free', plans: ['free', 'pro'], defects }))

  it.each([
    [['window-5%'], { plans: ['free', 'pro'] }],
    [['limit-1'], { plans: ['free', 'pro'], refills: 3 }],
    [['race-5ms', 'first-free'], undefined],
  ])('where %j could hide', (defects, expected) => {
    expect(inParts(...defects)).toEqual(expected)
  })
})

const hidden = (limit: number, mayWeigh: boolean, ...ids: string[]) =>
  hiding(
    ids.map((id) => ({
      ...{ plan: 'free', limit, mayWeigh, blur: null, ofDay: 1_000_000, caught: 0, draws: 1, isExcluded: false },
      defect: { id, words: id, clauses: ['QUOTA-1'], of: 'each key' } as const,
    })),
  )

it.each([
  ['lost-1-in-10', 1, 60],
  ['lost-1-in-10', 60, 122],
  ['fail-open-1-in-10', 1, 30],
])(
  '%s, with a limit of %d, takes %d requests: of those that count, a window has no more than the limit',
  (id, limit, settledBy) => {
    expect(hidden(limit, true, id)?.facts.settledBy).toBe(settledBy)
  },
)

describe('a window of another length, at a limit of 1', () => {
  it.each([
    ['no number of requests, if it may be a sliding counter', 1, true, 'fewer-models'],
    ['a few requests, if it is none', 1, false, 4],
    ['a few requests, if the limit is higher', 2, true, 6],
  ])('takes %s', (_, limit, mayWeigh, settledBy) => {
    const found = hidden(limit, mayWeigh, 'window-5%')
    expect(found?.facts.settledBy).toBe(settledBy)
    expect(found && /would settle it$/.test(hiddenInWords(found.facts))).toBe(settledBy !== 'fewer-models')
  })

  it('is not played again, and what else could hide is', () => {
    const found = hidden(1, true, 'window-5%', 'race-1ms')
    expect(found && splitAgain.settings(found)).toBeUndefined()
    expect(found && burstAgain.settings(found)).toMatchObject({ plans: ['free'], connections: 150 })
  })
})

it('asks for quicker answers where the quota gives requests back meanwhile, not for more requests', () => {
  const one = { plan: 'free', limit: 10, mayWeigh: false, ofDay: 1_000_000, caught: 0, draws: 1, isExcluded: false }
  const blurred = { ...one, blur: { tookMs: 1800, backMs: 200 } }
  const of = (id: string) => ({ ...blurred, defect: { id, words: id, clauses: ['QUOTA-1'], of: 'each key' } as const })
  const [limit, length] = ['limit-1', 'window-5%'].map((id) => hiding([of(id)]))
  expect(limit && hiddenInWords(limit.facts)).toContain(
    'Admissions took 1.8 s, and the quota gives a request back every 200 ms: only quicker answers would show',
  )
  expect(length?.facts.settledBy).toBe(22)
})

describe('the plans on which a load may settle what could hide', () => {
  const hidden = (plan: string, limit: number, id: string, caught: number) => ({
    plan,
    limit,
    ofDay: 1_000_000,
    mayWeigh: true,
    blur: null,
    defect: { id, words: id, clauses: ['QUOTA-1'] as const, of: id === 'limit+1' ? 'each key' : 'one key' } as never,
    caught,
    draws: 20,
    isExcluded: false,
  })

  it.each([
    ['all, of what each key has by itself', ['limit+1'], [5, 5], ['free', 'pro']],
    ['the smallest, of what any key would show', ['race-1ms'], [5, 5], ['free']],
    ['the one that nearly did', ['race-1ms'], [5, 11], ['pro']],
    ['all, of what each key has, and of any key’s besides', ['limit+1', 'race-1ms'], [5, 11], ['free', 'pro']],
  ])('are %s', (_, ids, [onFree, onPro], plans) => {
    const all = ids.flatMap((id) => [hidden('free', 60, id, onFree), hidden('pro', 300, id, onPro)])
    expect(hiding(all)?.facts.plans).toEqual(plans)
  })
})
