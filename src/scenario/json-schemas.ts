import { z } from 'zod'
import { scenarioSchema } from './scenario.js'
import { waiversSchema } from './waivers.js'

/** A probe as a scenario names it: what it does, and its settings, each with a description. */
export interface DescribedProbe {
  readonly id: string
  readonly summary: string
  readonly settings: z.ZodObject
}

/** A JSON Schema (draft 2020-12) as it is published: indented, with a line feed at its end. */
export const renderedSchema = (name: string, title: string, schema: z.ZodType): string => {
  const head = { $id: `urn:quotaspec:${name}:1`, title }
  return `${JSON.stringify({ ...head, ...z.toJSONSchema(schema, { io: 'input' }) }, null, 2)}\n`
}

/** The JSON Schema of a scenario: every probe with its settings, so that editors complete and explain them. */
export const renderScenarioSchema = (probes: readonly DescribedProbe[]): string => {
  const [first, ...others] = probes.map(({ id, summary, settings }) =>
    z.strictObject({ probe: z.literal(id).describe(summary), ...settings.shape }).meta({ title: id }),
  )
  const entry = z.discriminatedUnion('probe', [first, ...others])
  const { description = '' } = scenarioSchema.shape.probes
  const schema = scenarioSchema.extend({ probes: z.array(entry).min(1).describe(description) })
  return renderedSchema('scenario', 'quotaspec scenario', schema)
}

/** The JSON Schema of a file of waivers. */
export const renderWaiversSchema = (): string => renderedSchema('waivers', 'quotaspec waivers', waiversSchema)
