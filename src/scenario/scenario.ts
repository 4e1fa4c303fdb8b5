import { z } from 'zod'
import { gatesSchema } from './gates.js'

const probeEntry = z.looseObject({ probe: z.string() })

/** A scenario file: which probes to play, in which order, with which settings, and what has to come out. */
export const scenarioSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]*$/, { error: 'has to be lower-case letters, digits and hyphens' }),
  description: z.string(),
  probes: z.array(probeEntry).min(1, { error: 'needs at least one probe' }),
  /** Fail on `should` clauses too, as --strict does. */
  strict: z.boolean().default(false),
  /** What has to come out besides. */
  gates: gatesSchema.optional(),
})

export type Scenario = z.infer<typeof scenarioSchema>
export type ProbeEntry = z.infer<typeof probeEntry>
