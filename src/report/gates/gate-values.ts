import { type FigureName, figures } from '../../contract/figures.js'
import { planName } from '../../contract/plans.js'
import { count } from '../../kit/count.js'
import { listInWords } from '../../kit/list-in-words.js'

/** What a figure came to; on a plan, or on none where it is one of the whole run. Null: it was not measured. */
export interface GateReading<Value = number | null> {
  readonly value: Value
  readonly plan: string | null
}

/** A figure's value with its unit: `12.4 ms`, `5`. */
export const inUnits = (value: number, name: FigureName): string =>
  figures[name].unit === 'ms' ? `${count(Math.round(value * 10) / 10)} ms` : count(value)

/** The value that is told, with its plan where not all plans share it: a value that is the same on each needs no plan. */
export const readingInWords = (
  told: GateReading | undefined,
  name: FigureName,
  all: readonly GateReading[],
): string => {
  if (told === undefined) return 'not measured'
  const { value, plan } = told
  const where = plan !== null && all.some((each) => each.value !== value) ? ` (${planName(plan)})` : ''
  return `${value === null ? 'not measured' : inUnits(value, name)}${where}`
}

/** All that is over a bound, the worst first, each value with its plans: `5 (Pro), 1 each (Free and Business)`. */
export const overInWords = (over: readonly GateReading<number>[], name: FigureName): string => {
  const values = [...new Set(over.map(({ value }) => value))].sort((a, b) => b - a)
  return values
    .map((value) => {
      const plans = over.flatMap((each) => (each.value === value && each.plan !== null ? [planName(each.plan)] : []))
      // A count could be taken for the sum of all of them.
      const each = plans.length > 1 && figures[name].unit !== 'ms' ? ' each' : ''
      return `${inUnits(value, name)}${each}${plans.length > 0 ? ` (${listInWords(plans)})` : ''}`
    })
    .join(', ')
}
