import { algorithms } from '../limiters/algorithms.js'
import { matterlessAtMs } from './memory-store.js'
import { type Charge, decide, type Ruling, type Subject, standing, type Tally } from './ruling.js'
import type { Counting } from './shared-store.js'

/** What is asked of the store. */
export interface Asked {
  readonly act: 'take' | 'peek' | 'refund'
  readonly charges: readonly Charge[]
  /** As the caller says. */
  readonly givenMs: number
}

/** What is kept of a subject, as JSON: its refusals, and the state of each window's limiter. */
interface Kept {
  refusals: readonly [inARow: number, sinceMs: number, bannedUntilMs: number]
  readonly meters: Record<string, unknown>
}

export interface Counts {
  readonly kept: Kept
  /** For how long it says more than a fresh one. */
  mattersForMs: number
}

/** The counts in what was stored; the empty text stands for one who has spent nothing. */
export const countsIn = (text: string, nowMs: number): Counts => ({
  kept: text === '' ? { refusals: [0, nowMs, Number.NEGATIVE_INFINITY], meters: {} } : JSON.parse(text, revived),
  mattersForMs: 0,
})

/** JSON knows neither minus infinity, the only number of a state that is none, nor lists of doubles. */
export const textOf = (kept: Kept): string =>
  JSON.stringify(kept, (_, value: unknown) =>
    value instanceof Float64Array ? Buffer.from(value.buffer).toString('base64') : value,
  )

const revived = (_: string, value: unknown): unknown => {
  if (typeof value !== 'string') return value ?? Number.NEGATIVE_INFINITY
  const bytes = Uint8Array.from(Buffer.from(value, 'base64'))
  return new Float64Array(bytes.buffer)
}

/** Makes a decision, and changes the counts accordingly. */
export const decided = (
  { act, charges }: Asked,
  counts: readonly Counts[],
  algorithmOf: Counting['algorithmOf'],
  nowMs: number,
): Ruling => {
  const charged = charges.map(({ subject, cost }, index) => {
    const { tally, keep } = reopened(subject, counts[index], algorithmOf, nowMs)
    return { tally, cost, keep }
  })
  if (act === 'refund') for (const { tally } of charged) for (const meter of tally.meters) meter.refund(nowMs)
  const ruling = act === 'take' ? decide(charged, nowMs) : standing(charged, nowMs)
  for (const { keep } of charged) keep()
  return ruling
}

/** A tally that goes on with these counts, and how it is kept again. */
const reopened = (subject: Subject, counts: Counts, algorithmOf: Counting['algorithmOf'], nowMs: number) => {
  const { kept } = counts
  const meters = subject.windows.map((window) => {
    const algorithm = algorithmOf(window.name)
    // A server that counts in another way begins with counts of its own.
    const name = `${window.name} ${algorithm} ${window.lengthMs}`
    return { name, ...algorithms[algorithm](window, nowMs, kept.meters[name]) }
  })
  const [refusedInARow, refusedSinceMs, bannedUntilMs] = kept.refusals
  const tally: Tally = { subject, meters, refusedInARow, refusedSinceMs, bannedUntilMs, askedAtMs: nowMs }
  const keep = () => {
    kept.refusals = [tally.refusedInARow, tally.refusedSinceMs, tally.bannedUntilMs]
    for (const { name, state } of meters) kept.meters[name] = state()
    counts.mattersForMs = Math.max(counts.mattersForMs, matterlessAtMs(tally) - nowMs)
  }
  return { tally, keep }
}
