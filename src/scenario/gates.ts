import { z } from 'zod'
import { type FigureName, figureNames, figures, latencyFigureNames } from '../contract/figures.js'
import { planNames } from '../contract/plans.js'

const number = z.number({ error: 'has to be a number: the most that the figure may be' })

/** A latency may be asked for in every stretch of the load as well, not only over all of it. */
const stretch = z.strictObject({
  most: number,
  everyMs: z.number().min(100, { error: 'a stretch has at least 100 ms' }),
})

const bound = z.union([number, stretch], { error: 'has to be a number, or {most: 50, everyMs: 1000}' })

const isLatency = (name: FigureName): boolean => (latencyFigureNames as readonly string[]).includes(name)

const limitsOn = (names: readonly FigureName[]) =>
  Object.fromEntries(names.map((name) => [name, (isLatency(name) ? bound : number).optional()])) as unknown as Readonly<
    Record<FigureName, z.ZodOptional<typeof bound>>
  >

const ofPlans = figureNames.filter((name) => figures[name].of === 'plan')

/** Limits on what one plan's figures may be. */
const planLimits = z.strictObject(limitsOn(ofPlans))

const plans = Object.fromEntries(planNames.map((name) => [name, planLimits.optional()])) as Readonly<
  Record<(typeof planNames)[number], z.ZodOptional<typeof planLimits>>
>

/**
 * What has to come out of a run: the level of clauses that has to hold, and the most that figures may be, on every plan
 * or on one. A figure is named as in report.json, dots and all.
 */
export const gatesSchema = z.strictObject({
  level: z.enum(['must', 'should'], { error: 'has to be must or should' }).optional(),
  ...limitsOn(figureNames),
  plans: z.strictObject(plans).optional(),
})

export type Gates = z.infer<typeof gatesSchema>
