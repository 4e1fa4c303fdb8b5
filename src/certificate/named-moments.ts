import { secondMs, secondsMatterMs } from '../contract/plans.js'
import type { Random } from '../kit/random.js'
import type { JudgedKey } from '../oracle/judged-keys.js'
import { silentWaits } from '../oracle/silent-waits.js'
import { isOwnRefusal, namesOwnReset } from '../readings/key-history.js'
import { admissionAfter, type KeyRecord } from '../readings/key-record.js'
import type { Caught } from './replays.js'

/** A refusal that names when the quota is back, if a request was admitted after it. */
interface NamedMoment {
  readonly refusal: number
  /** When the quota is back, if the moment is honest and rounded up: after the first, by the last. */
  readonly fromMs: number
  readonly byMs: number
  /** From when the remaining time counts: the answer's receipt if the moment itself is named, else the sending. */
  readonly sinceMs: number
  readonly aheadMs: number
  /** The unit that it is rounded up to; 0 if it is not rounded. */
  readonly unitMs: number
  /** When a request had been admitted, so that the quota was back by then. */
  readonly backByMs: number
}

/** The unit of rounding: whole seconds, unless fractions are named. */
const unitOf = (hasFractions: boolean): number => (hasFractions ? 0 : secondMs)

/** Ordinary refusals by this window, each with the next admission. */
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

/** The moments that Reset names, on refusals that show this quota. Waits have fractions only because their answers' receipt has. */
const namedResets = (key: JudgedKey): NamedMoment[] => {
  const { record, clock, window } = key
  const unitMs = unitOf(!clock.ofWaits && record.reset.some((seconds) => seconds % 1 > 0))
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

/** How a target gets a moment wrong: it takes the remaining time as shorter, then rounds up as usual. */
export interface TooEarly {
  readonly id: string
  readonly words: string
  readonly named: (leftMs: number) => number
  /** The least true remaining time, given what it names. */
  readonly left: (namedMs: number) => number
  /** Whether a moment that lies ahead could be wrong like this, and be noticed. */
  readonly isTellable: (moment: NamedMoment, record: KeyRecord) => boolean
}

const earlier = (id: string, words: string, byMs: number, isTellable: TooEarly['isTellable']): TooEarly => ({
  id,
  words,
  named: (leftMs) => Math.max(0, leftMs - byMs),
  left: (namedMs) => namedMs + byMs,
  isTellable,
})

/** In whole seconds half of three is two, the same as one second less. */
const halfTellsFromMs = 3 * secondMs

/** How much too short a named time may be; a date cannot express less than a second. */
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
 * Too early however it is rounded: a time truncated to its second instead of rounded up, and then a second less. Noticed if
 * the clock by which it is named is known to a second.
 */
export const tooEarlyAnyway = earlier(
  '2s',
  '2 s too short',
  2 * secondMs,
  ({ fromMs, byMs, unitMs }) => byMs - fromMs - unitMs <= secondMs,
)

/** Whether some answer contradicts the defect: with it, the quota would have come back after a request was admitted. */
const isContradicted = (named: readonly NamedMoment[], { left }: TooEarly): boolean =>
  named.some(({ fromMs, sinceMs, aheadMs, backByMs }) => aheadMs > 0 && sinceMs + left(fromMs - sinceMs) >= backByMs)

/** A client that stayed silent until the named moment, and sent within this time after it, sent because of it. */
const reactionMs = 300

/** The requests sent because of a named wait, with the refusals that named it. */
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
 * Whether one of the clients that waited would have come too early: the instant at which the quota came back is drawn from
 * what the answers allow, and the client comes earlier by as much less as would have been named.
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

interface Naming {
  readonly of: (key: JudgedKey) => NamedMoment[]
  readonly isActedUpon: boolean
}

export const namings = {
  wait: { of: namedWaits, isActedUpon: true },
  // Nobody sends at exactly this moment: its seconds may be truncated.
  reset: { of: namedResets, isActedUpon: false },
} as const satisfies Readonly<Record<string, Naming>>

/**
 * How often a key's answers, and the clients that acted on them, would have shown that the named time is too short. Undefined
 * if that can break no promise: nothing is named, the window itself lasts only seconds, or too little time is ever left.
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
