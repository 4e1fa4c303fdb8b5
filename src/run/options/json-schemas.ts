import { z } from 'zod'
import { clientCasesSchema } from '../../client-audit/client-cases.js'
import { contractFileSchema } from '../../contract/file/contract-file-schema.js'
import type { SchemaPart } from '../../kit/value-in-words.js'
import { configSchema } from './config-file.js'
import { scenarioSchema } from './scenario.js'
import { waiversSchema } from './waivers.js'

/** A JSON Schema (draft 2020-12) of a file that people write, for their editors and for its reference. */
export type FileSchema = SchemaPart & { readonly $id: string }

/** A probe as a scenario names it: what it does, and its settings, each with a description. */
export interface DescribedProbe {
  readonly id: string
  readonly summary: string
  readonly settings: z.ZodObject
}

const schemaOf = (name: string, title: string, schema: z.ZodType): FileSchema => ({
  $id: `urn:quotaspec:${name}:1`,
  title: `quotaspec ${title}`,
  ...(z.toJSONSchema(schema, { io: 'input' }) as SchemaPart),
})

/** A schema as it is published: indented, with a line feed at its end. */
export const renderSchema = (schema: FileSchema): string => `${JSON.stringify(schema, null, 2)}\n`

/** Of `quotaspec.yaml`. */
export const configJsonSchema = (): FileSchema => schemaOf('config', 'configuration', configSchema)

/** Of a contract file. It knows no field beyond those of its version. */
export const contractJsonSchema = (): FileSchema => schemaOf('contract', 'contract', contractFileSchema)

/** Of a scenario: each probe with its settings, so that editors complete and explain them. */
export const scenarioJsonSchema = (probes: readonly DescribedProbe[]): FileSchema => {
  const [first, ...others] = probes.map(({ id, summary, settings }) =>
    z.strictObject({ probe: z.literal(id).describe(summary), ...settings.shape }).meta({ title: id }),
  )
  const entry = z.discriminatedUnion('probe', [first, ...others]).meta({ title: 'a probe with its settings' })
  const { description = '' } = scenarioSchema.shape.probes
  return schemaOf(
    'scenario',
    'scenario',
    scenarioSchema.extend({ probes: z.array(entry).min(1).describe(description) }),
  )
}

/** Of a file of known failures. */
export const waiversJsonSchema = (): FileSchema => schemaOf('waivers', 'waivers', waiversSchema)

/** Of a file of cases for the audit of a client. */
export const clientCasesJsonSchema = (): FileSchema => schemaOf('client-cases', 'client cases', clientCasesSchema)
