import type { ResetUnit } from '../../contract/api-contract.js'
import type { Evidence } from '../../evidence/evidence.js'

/** A Reset that is right by another unit than the agreed one, which is a plain number in both. */
export interface OtherUnit {
  readonly agreed: string
  readonly seems: string
  /** The number as it came. */
  readonly text: string
}

type PlainUnit = Extract<ResetUnit, 'epoch-s' | 'epoch-ms' | 'delta-s' | 'delta-ms'>

/** The moment that a number names in each unit, and the number back again; all in seconds since the epoch. */
const units: Readonly<
  Record<PlainUnit, { of: (value: number, now: number) => number; back: (at: number, now: number) => number }>
> = {
  'epoch-s': { of: (value) => value, back: (at) => at },
  'epoch-ms': { of: (value) => value / 1000, back: (at) => at * 1000 },
  'delta-s': { of: (value, now) => now + value, back: (at, now) => at - now },
  'delta-ms': { of: (value, now) => now + value / 1000, back: (at, now) => (at - now) * 1000 },
}

/** The units as a reader knows them. */
const unitWords: Readonly<Record<PlainUnit, string>> = {
  'epoch-s': 'seconds since 1970',
  'epoch-ms': 'milliseconds since 1970',
  'delta-s': 'seconds from now',
  'delta-ms': 'milliseconds from now',
}
const plainUnits = Object.keys(units) as readonly PlainUnit[]

const isPlain = (unit: string | undefined): unit is PlainUnit => plainUnits.some((each) => each === unit)

/** Whole seconds and two clocks may put a moment so far outside its window. */
const slackS = 2

/**
 * The unit in which a Reset that lies outside its window would lie within it; undefined where there is none. A Reset of
 * 37 where milliseconds are agreed is 37 s ahead in seconds; one of 1763812345 where seconds from now are agreed is a
 * moment since the epoch.
 *
 * @param resetS the moment as the contract reads it, in seconds since the epoch, as is `nowS`.
 */
export const otherUnit = ({ run, view }: Evidence, resetS: number, nowS: number): OtherUnit | undefined => {
  const field = run.contract?.headers.find(({ is }) => is === 'reset')
  const agreed = field?.as ?? 'delta-s'
  if (!view || !isPlain(agreed)) return undefined
  const value = units[agreed].back(resetS, nowS)
  const fits = (unit: PlainUnit): boolean => {
    const inS = units[unit].of(value, nowS) - nowS
    return inS > 0 && inS <= view.minuteMs / 1000 + slackS
  }
  const seems = plainUnits.find((unit) => unit !== agreed && fits(unit))
  return seems && { agreed: unitWords[agreed], seems: unitWords[seems], text: String(Math.round(value * 1000) / 1000) }
}
