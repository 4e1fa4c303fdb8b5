import { z } from 'zod'
import { type FigureName, figureNames, figures, latencyFigureNames } from '../../contract/figures.js'
import { isDefectName, otherDefectName } from '../../contract/limiter-models.js'
import { planNames } from '../../contract/plans.js'
import { maybe } from '../../kit/described.js'

const number = z.number({ error: 'must be a number: the upper bound of the figure' })

/** A latency bound may hold for every interval of the load too, not only for the whole load. */
const stretch = z
  .strictObject({
    most: number.describe('The upper bound in each interval.'),
    everyMs: z
      .number()
      .min(100, { error: 'must be at least 100 ms' })
      .describe('The length of an interval in milliseconds; at least 100.'),
  })
  .meta({ id: 'stretch', title: 'a stretch, such as `{most: 50, everyMs: 1000}`' })

const bound = z.union([number, stretch], { error: 'must be a number, or {most: 50, everyMs: 1000}' })

const meaning = (name: FigureName): string =>
  `${figures[name].sentence}${figures[name].unit === 'ms' ? ', in milliseconds' : ''}.`

const limitsOn = (names: readonly FigureName[]) =>
  Object.fromEntries(
    names.map((name) => [
      name,
      ((latencyFigureNames as readonly string[]).includes(name) ? bound : number).optional().describe(meaning(name)),
    ]),
  ) as unknown as Readonly<Record<FigureName, z.ZodOptional<typeof bound>>>

const ofPlans = figureNames.filter((name) => figures[name].of === 'plan')

const defectName = z
  .string()
  .refine(isDefectName, { error: ({ input }) => otherDefectName(String(input)) })
  .meta({ title: 'a defective limiter, such as `limit+1`, `window-2%` or `lost-1-in-40`' })

const planLimits = z.strictObject(limitsOn(ofPlans)).meta({ id: 'gates-of-a-plan' })

const plans = Object.fromEntries(
  planNames.map((name) => [
    name,
    planLimits.optional().describe(`Bounds for the plan ${name} only.`).meta({ title: 'bounds on figures of a plan' }),
  ]),
) as Readonly<Record<(typeof planNames)[number], z.ZodOptional<typeof planLimits>>>

/** What a run has to reach: a level of clauses, and upper bounds of figures, named as in report.json. */
export const gatesSchema = z
  .strictObject({
    level: maybe(
      z.enum(['must', 'should'], { error: 'must be one of must or should' }),
      'The level of rules that must hold: `should` fails the run on broken `should` rules too.',
    ),
    excludes: maybe(
      z.array(defectName),
      'Limiter defects that the run must exclude on every key: its requests would have exposed a target with such a defect. If they would not have, the gate is inconclusive.',
    ),
    ...limitsOn(figureNames),
    plans: maybe(z.strictObject(plans), 'Bounds for one plan, in addition to those for all.'),
  })
  .meta({ id: 'gates' })

export type Gates = z.infer<typeof gatesSchema>

/** Merges gates figure by figure, for each plan too; the nearer ones win. */
export const mergedGates = (far: Gates | undefined, near: Gates | undefined): Gates | undefined => {
  if (!far || !near) return near ?? far
  const names = new Set([...Object.keys(far.plans ?? {}), ...Object.keys(near.plans ?? {})])
  const plans = Object.fromEntries(
    [...names].map((name) => {
      const plan = name as keyof NonNullable<Gates['plans']>
      return [plan, { ...far.plans?.[plan], ...near.plans?.[plan] }]
    }),
  )
  return { ...far, ...near, ...(names.size > 0 && { plans }) }
}
