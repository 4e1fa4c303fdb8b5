import { secondMs, secondsMatterMs } from '../contract/plans.js'
import type { Random } from '../kit/random.js'
import type { JudgedKey } from '../oracle/judged-keys.js'
import { silentWaits } from '../oracle/silent-waits.js'
import { isOwnRefusal, namesOwnReset } from '../readings/key-history.js'
import { admissionAfter, type KeyRecord } from '../readings/key-record.js'
import type { Caught } from './replays.js'

/** A refusal that names when the quota is there again, where a request was admitted after it. */
interface NamedMoment {
  readonly refusal: number
  /** When the quota is back if that was named honestly and rounded up: later than the first, by the last. */
  readonly fromMs: number
  readonly byMs: number
  /** From when on a share of what is left is counted, at the latest where the moment itself is named. */
  readonly sinceMs: number
  /** How far it lies ahead of the answer. */
  readonly aheadMs: number
  /** What it is rounded up to; 0 where it is not. */
  readonly unitMs: number
  /** When a request had been admitted: the quota was back by then. */
  readonly backByMs: number
}

/** Rounded up to so much: whole seconds, unless fractions are named. */
const unitOf = (hasFractions: boolean): number => (hasFractions ? 0 : secondMs)

/** Ordinary refusals of this window, each with the next request that was admitted. */
function* refusalsWithReturn({ record, window }: JudgedKey): Generator<readonly [refusal: number, backByMs: number]> {
  const admitted = admissionAfter(record)
  for (let i = 0; i < record.size; i += 1) {
    const next = isOwnRefusal(record, i, window) ? admitted(i) : undefined
    if (next !== undefined) yield [i, record.receivedMs[next]]
  }
}

const namedWaits = (key: JudgedKey): NamedMoment[] => {
  const { record, clock } = key
  const unitMs = unitOf(record.waitMs.some((ms, i) => record.waitIsDate[i] === 0 && ms % secondMs > 0))
  const dateErrorMs = (clock.likely ?? clock).to - clock.from
  return [...refusalsWithReturn(key)].flatMap(([refusal, backByMs]) => {
    const aheadMs = record.waitMs[refusal]
    if (Number.isNaN(aheadMs)) return []
    const isDate = record.waitIsDate[refusal] === 1
    const byMs = record.receivedMs[refusal] + aheadMs
    const sinceMs = isDate ? record.receivedMs[refusal] : record.sentMs[refusal]
    const fromMs = isDate ? byMs - dateErrorMs - secondMs : sinceMs + aheadMs - unitMs
    return [{ refusal, fromMs, byMs, sinceMs, aheadMs, backByMs, unitMs: isDate ? secondMs : unitMs }]
  })
}

/** What Reset names, on refusals that show this quota. */
const namedResets = (key: JudgedKey): NamedMoment[] => {
  const { record, clock, window } = key
  const unitMs = unitOf(record.reset.some((seconds) => seconds % 1 > 0))
  const { from, to } = clock.likely ?? clock
  return [...refusalsWithReturn(key)].flatMap(([refusal, backByMs]) => {
    const momentMs = record.reset[refusal] * secondMs
    if (!namesOwnReset(record, refusal, window) || Number.isNaN(momentMs)) return []
    const sinceMs = record.receivedMs[refusal]
    const byMs = momentMs - from
    const fromMs = momentMs - to - unitMs
    return [{ refusal, fromMs, byMs, sinceMs, aheadMs: momentMs - to - sinceMs, backByMs, unitMs }]
  })
}

/** How a target gets a moment wrong: it takes so much less to be left, and rounds that up as it does. */
export interface TooEarly {
  readonly id: string
  readonly words: string
  /** What it takes to be left of so much. */
  readonly named: (leftMs: number) => number
  /** What is left at the least where it takes so much to be left. */
  readonly left: (namedMs: number) => number
  /** Whether a moment that some is left to could be wrong so, and be told. */
  readonly isTellable: (moment: NamedMoment, record: KeyRecord) => boolean
}

const earlier = (id: string, words: string, byMs: number, isTellable: TooEarly['isTellable']): TooEarly => ({
  id,
  words,
  named: (leftMs) => Math.max(0, leftMs - byMs),
  left: (namedMs) => namedMs + byMs,
  isTellable,
})

/** In whole seconds half of three is two, as one second less is. */
const halfTellsFromMs = 3 * secondMs

/** By how much what is named may be too short; a date says nothing of less than a second. */
export const tooEarly: readonly TooEarly[] = [
  earlier('0.3s', '0.3 s too short', 300, ({ refusal }, { waitIsDate }) => waitIsDate[refusal] === 0),
  earlier('1s', '1 s too short', secondMs, () => true),
  {
    id: 'half',
    words: 'half as long as it should be',
    named: (leftMs) => leftMs / 2,
    left: (namedMs) => 2 * namedMs,
    isTellable: ({ aheadMs }) => aheadMs > halfTellsFromMs,
  },
]

/**
 * Too early however it is rounded: what is cut off to its second in place of rounded up, and names the one before. Told where
 * the clock by which it is named is known to a second.
 */
export const tooEarlyAnyway = earlier(
  '2s',
  '2 s too short',
  2 * secondMs,
  ({ fromMs, byMs, unitMs }) => byMs - fromMs - unitMs <= secondMs,
)

/** Whether some answer contradicts it: what it names would mean that the quota came back later than a request was admitted. */
const isContradicted = (named: readonly NamedMoment[], { left }: TooEarly): boolean =>
  named.some(({ fromMs, sinceMs, aheadMs, backByMs }) => aheadMs > 0 && sinceMs + left(fromMs - sinceMs) >= backByMs)

/** A client that stayed silent until the moment that was named, and came so soon after it, came because of it. */
const reactionMs = 300

/** The requests that were sent because of a wait that was named, and the refusals that named it. */
const reactions = (record: KeyRecord, named: readonly NamedMoment[]): Map<number, NamedMoment[]> => {
  const byRefusal = new Map(named.map((each) => [each.refusal, each]))
  const found = new Map<number, NamedMoment[]>()
  for (const { refusal, retry } of silentWaits(record)) {
    const each = byRefusal.get(refusal)
    if (!each || record.status[retry] !== 200 || record.sentMs[retry] > each.byMs + reactionMs) continue
    found.set(retry, [...(found.get(retry) ?? []), each])
  }
  return found
}

/**
 * Whether one of the clients that waited would have come too early: the instant at which the quota came back is drawn
 * where the answers leave it, and the client comes as much sooner as less would have been named.
 */
const wouldComeEarly = (
  { receivedMs }: KeyRecord,
  came: ReadonlyMap<number, readonly NamedMoment[]>,
  { named }: TooEarly,
  random: Random,
): boolean =>
  [...came].some(([retry, refusals]) => {
    const fromMs = Math.max(...refusals.map((each) => each.fromMs))
    const byMs = Math.min(receivedMs[retry], ...refusals.map((each) => each.byMs))
    const backMs = fromMs + (byMs - fromMs) * random.float()
    return refusals.some(({ sinceMs, aheadMs, unitMs }) => {
      const lessMs = aheadMs - named(backMs - sinceMs)
      const soonerMs = unitMs > 0 ? Math.floor(lessMs / unitMs) * unitMs : lessMs
      return receivedMs[retry] - soonerMs < backMs
    })
  })

const draws = 20

/** What names a moment, and whether clients come back at it. */
interface Naming {
  readonly of: (key: JudgedKey) => NamedMoment[]
  readonly isActedUpon: boolean
}

export const namings = {
  wait: { of: namedWaits, isActedUpon: true },
  // Nobody comes at the very moment: its seconds may be cut off.
  reset: { of: namedResets, isActedUpon: false },
} as const satisfies Readonly<Record<string, Naming>>

/**
 * How often a key's answers, and the clients that acted upon them, would have shown that what is named is too short.
 * Undefined where that can break no promise: nothing is named, the window is of seconds itself, or too little is ever left.
 */
export const toldOfNaming = (
  key: JudgedKey,
  { of, isActedUpon }: Naming,
  defect: TooEarly,
  random: Random,
): Caught | undefined => {
  const named = of(key)
  if (
    key.window.windowMs < secondsMatterMs ||
    !named.some((each) => each.aheadMs > 0 && defect.isTellable(each, key.record))
  )
    return undefined
  if (isContradicted(named, defect)) return { caught: 1, draws: 1 }
  const came = isActedUpon ? reactions(key.record, named) : new Map<number, NamedMoment[]>()
  let caught = 0
  for (let draw = 0; draw < draws; draw += 1) if (wouldComeEarly(key.record, came, defect, random)) caught += 1
  return { caught, draws }
}
