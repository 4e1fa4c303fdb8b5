import { type FigureName, figureNames, figures } from '../../contract/figures.js'
import { measurePlan } from '../gates/measure.js'
import type { Report } from '../model.js'
import { countClauses, countFailures, plansOf, requestTotals } from '../summary.js'

/** A run as its line in a history. */
export interface PastRun {
  /** Where its report.html is, from the page; null where there is none. */
  readonly href: string | null
  readonly id: string
  readonly startedAt: string
  readonly outcome: Report['outcome']
  readonly headline: string
  readonly version: string
  readonly passed: number
  readonly failed: number
  readonly waived: number
  readonly inconclusive: number
  readonly requests: number
  readonly durationMs: number
  /** By `plan figure`. */
  readonly figures: ReadonlyMap<string, number>
}

/** The runs of one scenario against one target at one time scale, the oldest first. */
export interface VerdictHistory {
  readonly scenario: string
  readonly target: string
  readonly timeScale: number
  readonly runs: readonly PastRun[]
}

/** A figure of a plan over the runs that measured it. */
export interface Trend {
  readonly figure: FigureName
  readonly plan: string
  /** One value a run, the oldest first; null where it was not measured. */
  readonly values: readonly (number | null)[]
}

const compared = figureNames.filter((name) => figures[name].noise !== null)

const figuresOf = (report: Report): ReadonlyMap<string, number> =>
  new Map(
    plansOf(report).flatMap((plan) =>
      compared.flatMap((name): [string, number][] => {
        const value = measurePlan(report, name, plan)
        return value === null ? [] : [[`${plan} ${name}`, value]]
      }),
    ),
  )

const pastRun = (report: Report, href: string | null): PastRun => ({
  href,
  id: report.run.id,
  startedAt: report.run.startedAt,
  outcome: report.outcome,
  headline: report.headline,
  version: report.tool.version,
  passed: countClauses(report).pass,
  ...countFailures(report),
  inconclusive: countClauses(report).inconclusive,
  requests: requestTotals(report).spent,
  durationMs: report.run.durationMs,
  figures: figuresOf(report),
})

/** Sorts runs into stories, the one with the newest run first; a run that lies in two folders is told once. */
export const storiesOf = (
  reports: readonly { readonly report: Report; readonly href: string | null }[],
): readonly VerdictHistory[] => {
  const stories = new Map<string, VerdictHistory & { readonly runs: PastRun[] }>()
  for (const { report, href } of reports) {
    const { scenario, timeScale } = report.run
    const slot = JSON.stringify([scenario, report.target.baseUrl, timeScale])
    const story = stories.get(slot) ?? { scenario, target: report.target.baseUrl, timeScale, runs: [] }
    if (!story.runs.some(({ id }) => id === report.run.id)) story.runs.push(pastRun(report, href))
    stories.set(slot, story)
  }
  const newest = ({ runs }: VerdictHistory): string => runs.at(-1)?.startedAt ?? ''
  for (const { runs } of stories.values()) runs.sort((a, b) => a.startedAt.localeCompare(b.startedAt))
  return [...stories.values()].sort((a, b) => newest(b).localeCompare(newest(a)))
}

/** The figures that at least two runs of a story have measured. */
export const trendsOf = ({ runs }: VerdictHistory): Trend[] => {
  const slots = [...new Set(runs.flatMap((run) => [...run.figures.keys()]))]
  return slots.flatMap((slot) => {
    const values = runs.map((run) => run.figures.get(slot) ?? null)
    const [plan = '', figure = ''] = slot.split(' ')
    return values.filter((value) => value !== null).length < 2 ? [] : [{ figure: figure as FigureName, plan, values }]
  })
}
