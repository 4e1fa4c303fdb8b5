/** What a value counts: seconds, requests, clauses; `1` for a yes (1), a no (0) and what has no unit. */
type Unit = 's' | '{request}' | '{clause}' | '1'

export type Labels = Readonly<Record<string, string>>

interface Point {
  readonly labels: Labels
  readonly value: number
}

/** A number of a run under a name that stays the same: a gauge, for a report is a snapshot. */
export interface Metric {
  /** With dots and without its unit: `run.duration`. */
  readonly name: string
  readonly help: string
  readonly unit: Unit
  readonly points: readonly Point[]
}

/** A metric of the values that are known: one that is null was not measured, and is left out. */
export const metric = (
  name: string,
  unit: Unit,
  help: string,
  values: readonly (readonly [Labels, number | null | undefined])[],
): Metric => ({
  name,
  help,
  unit,
  points: values.flatMap(([labels, value]) => (typeof value === 'number' ? [{ labels, value }] : [])),
})

/** Milliseconds as seconds, to the microsecond. */
export const inSeconds = (ms: number | null | undefined): number | null =>
  typeof ms === 'number' ? Math.round(ms * 1000) / 1_000_000 : null

/** 1 for a pass, 0 for a fail; null for a verdict that says neither. */
export const held = (verdict: string): number | null => (verdict === 'pass' ? 1 : verdict === 'fail' ? 0 : null)
