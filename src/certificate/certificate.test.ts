import { describe, expect, it } from 'vitest'
import { defectFamilies, defectFamily, type ModelName, modelNames } from '../contract/limiter-models.js'
import { seededRandom } from '../kit/random.js'
import { historyOf } from '../oracle/testing/made-history.js'
import type { History } from '../readings/history.js'
import { answerDefects } from './answer-defects.js'
import { apartDefects, operationLimit, sharingDefects } from './counts-apart.js'
import { bucketDefects, defectsFor } from './defects.js'
import { limiters } from './limiters.js'
import { envelope, limitRange, windowRange } from './measured.js'
import { answersApart, differenceOf, drawnFor, replayed, toldBy } from './replays.js'
import { Client, playedHistory, playedRun } from './testing/played-run.js'

const window = { limit: 60, windowMs: 60_000 }
const made = (model: ModelName, seed = 7) => {
  const settings = { ...window, epochOffsetMs: 0, random: seededRandom(seed) }
  return limiters[model](settings)
}
const runOf = (model: ModelName, polls = true) => playedHistory(playedRun(() => made(model), window, { polls }))

/** Bursts of half as much again as the limit. */
const bursts = (model: ModelName, ...atMs: readonly number[]) => {
  const client = new Client(() => made(model))
  client.ask(-200_000)
  for (const each of atMs) client.load(each, 90)
  return playedHistory(client.played)
}

/** Bursts on a bucket that is full again each time; behind each, requests a tenth of a token's time apart, until so late. */
const polledUntil = (share: number) => {
  const client = new Client(() => made('token-bucket'))
  for (const atMs of [0, 100_210, 200_430, 300_660, 400_880]) {
    client.load(atMs, 61)
    for (let late = 0.1; late < share; late += 0.1) client.ask(atMs + late * 1_000)
  }
  return playedHistory(client.played)
}

/** Two bursts half a window out of step, with single requests between them. */
const outOfStep = () => {
  const client = new Client(() => made('fixed-window'))
  client.ask(-200_000)
  client.load(1_000, 90)
  for (const atMs of [30_000, 70_000, 110_000, 135_000]) client.ask(atMs)
  client.load(151_000, 90)
  return playedHistory(client.played)
}

/** A burst, two questions and the next window's limit, by a client that met windows under way. */
const besideWindowsUnderWay = () => {
  const client = new Client(() => made('fixed-window'))
  client.ask(31_000)
  client.load(31_050, 89)
  for (const atMs of [43_000, 55_000]) client.ask(atMs)
  client.ask(client.retryAt(56_000, 60_000))
  client.load(client.lastMs() + 30, 63)
  return playedHistory(client.played)
}

const shareOf = (
  history: History,
  model: ModelName | readonly ModelName[],
  defect: string,
  admissible: readonly ModelName[] = modelNames,
): number => {
  const key = { history, window: { ...window, models: admissible }, models: [model].flat(), seed: 7 }
  const known = [...defectsFor({ ...window, models: admissible }, { pro: 300 }), ...bucketDefects(window, key.models)]
  const found = known.find(({ id }) => id === defect)
  if (!found) throw new Error(`no defect ${defect}`)
  const { caught, draws } = toldBy(key, found, 20)
  return caught / draws
}

describe('a replay through the limiter that the target has', () => {
  it.each(['sliding-log', 'fixed-window-first-request'] as const)('answers as the target did: %s', (model) => {
    const history = runOf(model)
    const same = made(model)
    // At the very instants at which it was asked.
    const again = replayed(history, () => same, drawnFor(history, { ...seededRandom(3), float: () => 0.5 }))
    expect(differenceOf(history, again)).toBe(0)
    expect(again.outcome).toHaveLength(history.size)
  })

  it('differs where the limiter is another', () => {
    const history = runOf('sliding-log')
    const more = limiters['sliding-log']({ ...window, limit: 61, epochOffsetMs: 0, random: seededRandom(7) })
    expect(
      differenceOf(
        history,
        replayed(history, () => more, drawnFor(history, seededRandom(3))),
      ),
    ).toBeGreaterThan(0)
  })
})

it('is decided in what an answer takes beyond the way that all of them take', () => {
  const asked = (tookMs: number, i: number) => ({ sentMs: i, receivedMs: i + tookMs, outcome: 'admitted' }) as const
  const far = historyOf(Array.from({ length: 40 }, (_, i) => asked(50 + (i % 5), i)))
  for (const seed of [1, 2, 3]) {
    const { instants } = drawnFor(far, seededRandom(seed))
    const late = instants.map((at, i) => at - far.sentMs[i])
    expect(Math.max(...late) - Math.min(...late)).toBeLessThan(4)
    expect(Math.max(...late)).toBeLessThan(54)
  }
})

it('is decided with its answer, by a target that decides last', () => {
  const apart = (i: number) => ({ sentMs: i / 10, receivedMs: 5 + 10 * i, outcome: 'admitted' }) as const
  const slow = historyOf(Array.from({ length: 40 }, (_, i) => apart(i)))
  const { instants } = drawnFor(slow, { ...seededRandom(1), float: () => 1 })
  const between = instants.subarray(1).map((at, i) => at - instants[i])
  expect([Math.min(...between), Math.max(...between)].map((ms) => Math.round(ms * 1000))).toEqual([10_000, 10_000])
})

describe('what a run would have shown', () => {
  it.each<readonly [string, History, ModelName, string, 'always' | 'never']>([
    ['one burst of a grid: one less', bursts('fixed-window', 30_000), 'fixed-window', 'limit-1', 'never'],
    ['two out of step: one less', outOfStep(), 'fixed-window', 'limit-1', 'always'],
    ['a run: no limit', runOf('sliding-log'), 'sliding-log', 'no-limit', 'always'],
    ['a run: the limit of another plan', runOf('sliding-log'), 'sliding-log', 'limit-of-pro', 'always'],
    ['a run: a count lost in ten', runOf('sliding-log'), 'sliding-log', 'lost-1-in-10', 'always'],
    ['a bucket asked all the time until its next token: lumps', polledUntil(1), 'token-bucket', 'lumps', 'always'],
    ['a bucket not asked before its next token: lumps', polledUntil(0), 'token-bucket', 'lumps', 'never'],
    ['polled ends: a short window', runOf('sliding-log'), 'sliding-log', 'window-5%', 'always'],
    [
      'bursts behind long silence: one request more',
      bursts('fixed-window', 30_000, 190_000),
      'fixed-window',
      'idle-one-more',
      'always',
    ],
    [
      'bursts behind a window of silence: one request more',
      bursts('fixed-window', -138_000, -76_000),
      'fixed-window',
      'idle-one-more',
      'never',
    ],
    ['ends not polled: a short window', runOf('sliding-log', false), 'sliding-log', 'window-5%', 'never'],
  ])('by %s', (_, history, model, defect, how) => {
    expect(shareOf(history, model, defect)).toBe(how === 'always' ? 1 : 0)
  })

  it('is one less by one burst, where only a log may limit it', () => {
    expect(shareOf(bursts('sliding-log', 0), 'sliding-log', 'limit-1', ['sliding-log'])).toBe(1)
    expect(shareOf(bursts('sliding-log', 0), 'sliding-log', 'limit-1')).toBe(0)
  })

  it.each(modelNames)('is no limit at all, where nothing is refused: %s', (model) => {
    expect(shareOf(runOf(model), model, 'no-limit')).toBe(1)
  })
})

/** Bursts out of step that a target decides at any instants within so many milliseconds, but for the first request. */
const slowBursts = (tookMs: number, ...at: readonly number[]) =>
  historyOf(
    at.flatMap((share) =>
      Array.from({ length: 90 }, (_, i) => {
        const sentMs = share * window.windowMs + i / 100
        const receivedMs = sentMs + (i === 0 ? 0.4 : tookMs)
        return { sentMs, receivedMs, outcome: i < window.limit ? 'admitted' : 'refused' } as const
      }),
    ),
  )

/** A key's admissions: when requests of each operation were sent. */
const asked = (sentOf: Readonly<Record<string, readonly number[]>>) => {
  const rows = Object.entries(sentOf).flatMap(([operation, sent]) => sent.map((sentMs) => ({ operation, sentMs })))
  return {
    size: rows.length,
    sentMs: Float64Array.from(rows, ({ sentMs }) => sentMs),
    receivedMs: Float64Array.from(rows, ({ sentMs }) => sentMs + 1),
    status: new Uint16Array(rows.length).fill(200),
    operation: (i: number) => rows[i].operation,
  }
}

it.each<[string, Parameters<typeof asked>[0], string | undefined]>([
  [
    'the operation that came nearest to the limit',
    { list: [0, 90_000], one: [0, 1, 2], other: [0] },
    'one alone, of which at most 3',
  ],
  ['not more than came within a window', { one: [0, 1, 2, 70_000] }, 'one alone, of which at most 3'],
  ['none that spent the quota', { one: Array.from({ length: 60 }, (_, i) => 10 * i) }, undefined],
])('a smaller limit may hide for one operation: %s', (_, sentOf, words) => {
  const told = { isExcluded: false, defect: { words: expect.stringContaining(words ?? '') } }
  expect(operationLimit(asked(sentOf), window)).toMatchObject(words === undefined ? [] : [told])
})

describe('a race', () => {
  /** A burst of so many requests at once, answered one after the other. */
  const answeredEvery = (ms: number, size = 60) =>
    historyOf(
      Array.from({ length: size }, (_, i) => ({ sentMs: 0, receivedMs: 1 + i * ms, outcome: 'admitted' }) as const),
    )
  const demanded = (history: History) =>
    defectsFor(window, {}, { answersApartMs: answersApart(history) })
      .filter(({ id, clauses }) => id.startsWith('race') && clauses.length > 0)
      .map(({ id }) => id)

  it('is asked for unless a target decides its requests far further apart', () => {
    expect(demanded(answeredEvery(0.2))).toEqual(['race-1ms', 'race-5ms', 'race-20ms'])
    expect(demanded(answeredEvery(4.9))).toEqual(['race-1ms', 'race-5ms', 'race-20ms'])
    expect(demanded(answeredEvery(15))).toEqual(['race-5ms', 'race-20ms'])
    expect(demanded(answeredEvery(15, 20))).toEqual(['race-1ms', 'race-5ms', 'race-20ms'])
  })

  it('is asked for where requests were sent one after the other', () => {
    const alone = Array.from({ length: 60 }, (_, i) => {
      return { sentMs: 30 * i, receivedMs: 30 * i + 15, outcome: 'admitted' } as const
    })
    expect(demanded(historyOf(alone))).toEqual(['race-1ms', 'race-5ms', 'race-20ms'])
  })
})

describe('a defect of the limiter that serves several keys', () => {
  const keyOf = (history: History, seed: number) => ({
    history,
    window,
    models: ['sliding-log'] as const,
    seed,
  })
  const race = defectsFor(window, {}).find(({ id }) => id === 'race-1ms')
  if (!race) throw new Error('no race')
  const first = toldBy(keyOf(slowBursts(100, 0, 1.3, 2.6), 7), race, 20)

  it('is shown by a replay where any of them shows it, and none is forgotten', () => {
    const both = toldBy(keyOf(slowBursts(100, 0, 1.3, 2.6), 8), race, 20, first.drawn)
    expect(first).toMatchObject({ draws: 20 })
    expect(both.caught).toBeGreaterThan(first.caught)
    expect(first.drawn?.filter(({ isCaught }, i) => isCaught && !both.drawn?.[i].isCaught)).toEqual([])
  })

  it('is shown by the same replays where something is sent later', () => {
    const history = slowBursts(100, 0, 1.3, 2.6)
    const later = 10 * window.windowMs
    const longer = {
      ...history,
      size: history.size + 1,
      sentMs: Float64Array.of(...history.sentMs, later),
      receivedMs: Float64Array.of(...history.receivedMs, later + 9),
      outcome: Uint8Array.of(...history.outcome, history.outcome[0]),
    }
    expect(toldBy(keyOf(longer, 7), race, 20).drawn).toEqual(first.drawn)
  })

  it('is shown no better where another key could not show it', () => {
    // An edge of a grid may lie in its burst.
    const blind = keyOf(slowBursts(100, 0), 8)
    expect(toldBy(blind, race, 20).caught).toBe(0)
    expect(toldBy(blind, race, 20, first.drawn).caught).toBe(first.caught)
  })
})

it('is not replayed through a limiter that would have answered otherwise', () => {
  const history = besideWindowsUnderWay()
  expect(shareOf(history, 'interval-refill', 'first-free')).toBe(0)
  expect(shareOf(history, ['fixed-window', 'interval-refill'], 'first-free')).toBe(1)
})

describe('what is measured', () => {
  it('is the limit, where the next ones explain nothing', () => {
    expect(limitRange(runOf('sliding-log'), window)).toEqual([60, 60])
  })

  it('is a limit with no bound above, where nothing was refused', () => {
    const client = new Client(() => made('sliding-log'))
    client.load(0, 30)
    expect(limitRange(playedHistory(client.played), window)).toEqual([null, null])
  })

  it('is no limit where the contract allows a tolerance', () => {
    const exact = { over: 0.1, early: 0.1 }
    expect(limitRange(runOf('sliding-log'), { ...window, exact })).toEqual([null, null])
  })

  it('is a window about what is promised, and one without polls is wider', () => {
    const [from, to] = windowRange(runOf('sliding-log'), window)
    expect(from).toBeGreaterThan(58_000)
    expect(to).toBeLessThan(62_000)
    expect(windowRange(runOf('sliding-log', false), window)[0]).toBeNull()
  })
})

describe('the envelope', () => {
  it('stays flat at what a shorter window admits, up to its length', () => {
    const hidden = { limit: 50, windowMs: 10_000 }
    const client = new Client(() => limiters['sliding-log']({ ...hidden, epochOffsetMs: 0, random: seededRandom(7) }))
    for (let atMs = 0; atMs < 60_000; atMs += 100) client.load(atMs, 10)
    const points = envelope(playedHistory(client.played), { limit: 300, windowMs: 60_000 }, ['sliding-log'])
    const within = (fromMs: number, toMs: number) =>
      points.filter(({ spanMs }) => spanMs >= fromMs && spanMs < toMs).map(({ admitted }) => admitted)
    expect(new Set(within(1_000, 10_000))).toEqual(new Set([50]))
    expect(Math.min(...within(11_000, 19_000))).toBeGreaterThan(50)
    expect(points.at(-1)?.allowed).toBeGreaterThanOrEqual(300)
  })

  it('is empty where nothing was admitted', () => {
    expect(envelope(playedHistory([]), window, ['sliding-log'])).toEqual([])
  })
})

describe('a limiter that counts apart what counts together', () => {
  /** A burst of 90 on one route, in which two refused requests were asked in another way: those the oracle leaves out. */
  const outcomeOf = (i: number) => (i < window.limit ? 'admitted' : i < 80 ? 'refused' : 'excused')
  const burst = (
    route: (i: number) => string,
    spelled: Readonly<Record<number, string>>,
    outcome: (i: number) => 'admitted' | 'refused' | 'excused' | 'unknown' = outcomeOf,
  ) => {
    const history = historyOf(
      Array.from({ length: 90 }, (_, i) => ({ sentMs: i, receivedMs: i + 0.5, outcome: outcome(i) })),
    )
    const names = new Map(Object.entries(spelled).map(([row, name]) => [Number(row), name]))
    const key = { history, window, models: ['sliding-log'] as const, seed: 7 }
    const told = apartDefects(history, window, route, names).map(
      (defect) => [defect.id, toldBy(key, defect, 20)] as const,
    )
    return Object.fromEntries(told.map(([id, { caught, draws }]) => [id, caught / draws]))
  }

  it('is told by a refusal that its own count would not have brought about', () => {
    expect(burst(() => 'list', { 85: 'X-Real-IP', 86: 'a query string' })).toEqual({
      'addresses-apart': 1,
      'spellings-apart': 1,
    })
    expect(burst((i) => (i === 85 ? 'read' : 'list'), { 85: 'another operation' })).toEqual({ 'routes-apart': 1 })
  })

  it('is told by it where the answer shows no limit, so that another quota may have refused', () => {
    const outcome = (i: number) => (i === 85 ? 'unknown' : outcomeOf(i))
    expect(burst(() => 'list', { 85: 'a query string' }, outcome)).toEqual({ 'spellings-apart': 1 })
  })

  it('is told by no refusal of a route whose own count was spent as well', () => {
    const history = historyOf(
      Array.from({ length: 180 }, (_, i) => {
        const sentMs = i < 90 ? i : 2 * window.windowMs + i
        return { sentMs, receivedMs: sentMs + 0.5, outcome: outcomeOf(i % 90) } as const
      }),
    )
    const route = (i: number) => (i % 90 === 85 || i >= 90 ? 'read' : 'list')
    const defect = apartDefects(history, window, route, new Map([[175, 'another operation']]))
    const key = { history, window, models: ['sliding-log'] as const, seed: 7 }
    expect(defect.map((each) => toldBy(key, each, 20).caught)).toEqual([0])
  })

  it('is none where nothing was asked in another way, or any number may be admitted', () => {
    expect(burst(() => 'list', {})).toEqual({})
    const free = { ...window, exact: { over: null, early: 0 } }
    expect(apartDefects(runOf('sliding-log'), free, String)).toEqual([])
  })
})

describe('the defects that a gate may name', () => {
  it('are those that a key is replayed through, each in one family', () => {
    const beside = { pro: { history: runOf('sliding-log'), asking: [] } }
    const spelled = ['another operation', 'a query string', 'Forwarded'].map((name, i) => [i + 60, name] as const)
    const apart = apartDefects(runOf('sliding-log'), window, String, new Map(spelled))
    const made = [
      ...defectsFor(window, { pro: 300 }),
      ...bucketDefects(window, ['gcra']),
      ...apart,
      ...answerDefects,
      ...sharingDefects(beside),
      ...operationLimit(asked({ list: [0] }), window).map(({ defect }) => defect),
    ]
    const named = Object.values(defectFamilies).flatMap(({ names }): readonly string[] => names)
    expect(made.map(({ id }) => id).sort()).toEqual(named.map((name) => name.replace('PLAN', 'pro')).sort())
    for (const { id, of } of made) expect(defectFamily(id)?.ofEachKey, id).toBe(of === 'each key')
  })
})
