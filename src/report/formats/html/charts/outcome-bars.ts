import { type Chart, type Series, seconds } from './chart.js'

/** What was counted in stretches of time. */
export interface Counted {
  /** When the first stretch begins, in milliseconds since the run's start. */
  readonly from: number
  readonly stretchMs: number
  /** Of each stretch that holds anything: its beginning after `from`, what went well, what was refused, anything else. */
  readonly counts: readonly (readonly [number, number, number, number])[]
  /** What the three are called. */
  readonly words: readonly [string, string, string]
}

/** Bars over time: what went well upwards, what was refused downwards, and a dot for anything else, where there is any. */
export const outcomeBars = ({ from, stretchMs, counts, words }: Counted): Pick<Chart, 'x' | 'series'> => {
  const last = counts.reduce((most, [at]) => Math.max(most, at), 0)
  const stretches = Array.from({ length: Math.round(last / stretchMs) + 1 }, (_, at) => at)
  const by = new Map(counts.map((each) => [Math.round(each[0] / stretchMs), each]))
  const values = (column: 1 | 2 | 3) => stretches.map((at) => by.get(at)?.[column] ?? 0)
  const [well, refused, other] = words
  const series: Series[] = [
    { label: well, mark: 'bars', tone: 'admitted', dashed: false, values: values(1) },
    { label: refused, mark: 'bars', tone: 'refused', dashed: false, values: values(2).map((value) => 0 - value) },
  ]
  const others = values(3).map((value) => value || null)
  if (others.some((value) => value !== null))
    series.push({ label: other, mark: 'dots', tone: 'unknown', dashed: false, values: others })
  return { x: stretches.map((at) => seconds(from + (at + 0.5) * stretchMs)), series }
}
