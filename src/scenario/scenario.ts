import { z } from 'zod'
import { gatesSchema } from './gates.js'

/** What the scenario may do to a target at most. */
const limitsSchema = z.strictObject({
  /** In all, over all keys. A run that would need more is refused before it begins. */
  mostRequests: z.int().min(1).optional(),
  /** In a second, over all keys. */
  mostRequestsPerSecond: z.number().min(0.01).max(1_000_000).optional(),
  /** A load ends where more than this share of its answers are 5xx. */
  mostServerErrorPercent: z.number().min(0).max(100).default(50),
})

const probeEntry = z.looseObject({ probe: z.string() })

/** A scenario file: which probes to play, in which order, with which settings, and what has to come out. */
export const scenarioSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]*$/, { error: 'has to be lower-case letters, digits and hyphens' }),
  description: z.string(),
  probes: z.array(probeEntry).min(1, { error: 'needs at least one probe' }),
  /** Fail on `should` clauses too, as --strict does. */
  strict: z.boolean().default(false),
  limits: limitsSchema.optional(),
  /** What has to come out besides. */
  gates: gatesSchema.optional(),
})

export type Scenario = z.infer<typeof scenarioSchema>
