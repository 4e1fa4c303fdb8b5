import { describe, expect, it } from 'vitest'
import { limiters } from '../certificate/limiters.js'
import { type ModelName, modelNames } from '../contract/limiter-models.js'
import type { PlanName } from '../contract/plans.js'
import { madeEvidence, madeKey } from '../evidence/testing/made-evidence.js'
import { type MadeRow, madeLedger } from '../evidence/testing/made-ledger.js'
import { seededRandom } from '../kit/random.js'
import { certainEffects, eventEffects } from './event-effects.js'

const every = (fromMs: number, count: number, apartMs: number) =>
  Array.from({ length: count }, (_, i) => fromMs + i * apartMs)

interface Played {
  readonly plan: PlanName
  readonly timeScale: number
  readonly sentMs: readonly number[]
  readonly tookMs: number
}

/** A burst, what is left of its window, half early and half late: they show how a limiter counts. Then 1.5 L a window. */
const loadFromMs = 331_000
const free: Played = {
  plan: 'free',
  timeScale: 1,
  sentMs: [
    ...every(1_000, 90, 10),
    ...every(3_000, 60, 1_000),
    ...every(200_000, 30, 10),
    ...every(250_000, 30, 10),
    ...every(261_500, 60, 10),
    ...every(loadFromMs, 360, 667),
  ],
  tookMs: 8,
}
/** 250 in a second: within the error of a clock several of them are sent. */
const business: Played = { plan: 'business', timeScale: 10, sentMs: every(loadFromMs, 6_000, 4), tookMs: 1 }

/** So long nobody was answered; what was due meanwhile is sent then. */
const eventMs = 5_000

interface Happening {
  readonly model: ModelName
  readonly atMs: number
  /** Whether the count begins anew. */
  readonly forgets: boolean
  /** How many that came before it were counted, but got no answer. */
  readonly lost?: number
  /** For so long after it every other request waits in a queue, and is decided at its end. */
  readonly queueMs?: number
}

/** What was told of an event, and how many more were admitted within a window after it than by a limiter that goes on. */
const played = (
  { plan, timeScale, sentMs, tookMs }: Played,
  { model, atMs, forgets, lost = 0, queueMs = 0 }: Happening,
) => {
  const { limit } = madeKey(plan).quota
  const windowMs = 60_000 / timeScale
  const made = () => limiters[model]({ limit, windowMs, epochOffsetMs: 1_790_000_000_000, random: seededRandom(1) })
  const untilMs = atMs + eventMs / timeScale
  const honest = made()
  const before = made()
  const since = forgets ? made() : before
  let [more, truth] = [0, 0]
  const queueEndMs = untilMs + queueMs
  const decidedMsOf = (at: number, i: number) =>
    at >= untilMs && at < queueEndMs && i % 2 === 0 ? queueEndMs : at + (tookMs * (i % 7)) / 7
  const rows = sentMs
    .map((at) => (at < atMs ? at : Math.max(at, untilMs)))
    .map((at, i) => ({ at, decidedMs: decidedMsOf(at, i) }))
    .sort((a, b) => a.decidedMs - b.decidedMs)
    .map(({ at, decidedMs }): MadeRow => {
      const isAdmitted = (at < atMs ? before : since).decide(decidedMs)
      more += Number(isAdmitted) - Number(honest.decide(decidedMs))
      if (at < untilMs + windowMs) truth = Math.max(truth, more)
      return { sentMs: at, tookMs: Math.max(tookMs, decidedMs - at + tookMs / 7), status: isAdmitted ? 200 : 429 }
    })
    .sort((a, b) => a.sentMs - b.sentMs)
  const lastBefore = rows.filter((row) => row.sentMs < atMs).length
  const seen = rows.map((row, i) => (i < lastBefore && i >= lastBefore - lost ? { ...row, status: null } : row))
  const ledger = `burst-${plan}`
  const evidence = madeEvidence([{ key: plan, sentAt: -200_000 }], {
    run: { keys: [madeKey(plan)], timeScale, events: [{ name: 'restart', during: 'burst', at: 0.5 }] },
    ledgers: [madeLedger(seen, { key: plan, id: ledger })],
    events: [{ type: 'event', name: 'restart', ledger, sent: lastBefore, at: atMs - 0.1, endedAt: untilMs - 0.1 }],
  })
  const certain = () => certainEffects(evidence)[0].keys[0].more
  return { truth, told: eventEffects(evidence)[0].keys[0], certain }
}

/** How far both ends of what is told are from a number. */
const offBy = (more: { least: number; most: number } | null, truth: number) =>
  more ? Math.max(Math.abs(more.least - truth), Math.abs(more.most - truth)) : Number.NaN

describe('how many more an event let in', () => {
  const moments = [1.25, 1.4, 1.55, 2.65].map((windows) => loadFromMs + windows * 60_000)
  const cases = modelNames.flatMap((model) => moments.map((atMs) => ({ model, atMs })))

  it.each(cases)('is within 2 of the truth at both ends: $model that forgets at $atMs', (happening) => {
    const { told, truth } = played(free, { ...happening, forgets: true })
    expect(truth).toBeGreaterThan(0)
    expect(offBy(told.more, truth)).toBeLessThanOrEqual(2)
  })

  it.each(cases)('is none where the count survives: $model at $atMs', (happening) => {
    expect(played(free, { ...happening, forgets: false }).told.more).toEqual({ least: 0, most: 0 })
  })

  it.each(modelNames)(
    'is a range that holds the truth, where the load has not shown how its windows follow: %s',
    (model) => {
      const { told, truth } = played(free, { model, atMs: loadFromMs + 45_000, forgets: true })
      expect(told.more?.least).toBeLessThanOrEqual(truth)
      expect(told.more?.most).toBeGreaterThanOrEqual(truth)
    },
  )

  it('is more by what got no answer, at most', () => {
    const atMs = loadFromMs + 1.4 * 60_000
    const happening = { model: 'fixed-window-first-request', atMs, forgets: true, lost: 5 } as const
    const { told, truth } = played(free, happening)
    expect(told.failed).toBe(5)
    expect(offBy({ least: told.more?.least ?? 0, most: truth - 5 }, truth - 5)).toBeLessThanOrEqual(2)
    expect(Math.abs((told.more?.most ?? 0) - truth)).toBeLessThanOrEqual(2)
  })

  it.each([
    [1.5, 3_000],
    [1.7, 1_800],
    [1.85, 900],
  ])(
    'is at least the truth, to 2, where requests wait in a queue beyond the end of the window: %d',
    (windows, queueMs) => {
      const atMs = loadFromMs + windows * 6_000
      const happening = { model: 'fixed-window-first-request', atMs, forgets: true, queueMs } as const
      const { told, truth } = played(business, happening)
      expect(Math.abs((told.more?.least ?? 0) - truth)).toBeLessThanOrEqual(2)
    },
  )

  it('is within 2 of the truth in a fast load, where a verdict holds to what is certain', () => {
    const happening = { model: 'fixed-window-first-request', atMs: loadFromMs + 2.4 * 6_000, forgets: true } as const
    const { told, certain, truth } = played(business, happening)
    expect(offBy(told.more, truth)).toBeLessThanOrEqual(2)
    const { least, most } = certain() ?? { least: Number.NaN, most: Number.NaN }
    expect(least).toBeLessThan(told.more?.least ?? 0)
    expect(most).toBeGreaterThan(told.more?.most ?? 0)
  })
})
