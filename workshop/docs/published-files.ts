import { z } from 'zod'
import { clientCasesSchema } from '../../src/client-audit/client-cases.js'
import { contractFileSchema } from '../../src/contract/file/contract-file-schema.js'
import type { SchemaPart } from '../../src/kit/schema-tables.js'
import { reportModel } from '../../src/report/model.js'
import { configSchema } from '../../src/run/options/config-file.js'
import { scenarioSchema } from '../../src/run/options/scenario.js'
import { waiversSchema } from '../../src/run/options/waivers.js'
import { probes } from '../../src/run/registry.js'
import { openApiDocument } from './petstore-openapi.js'

/** A JSON Schema (draft 2020-12) of a file, for editors and for its reference. */
type FileSchema = SchemaPart & { readonly $id: string }

const schemaOf = (name: string, title: string, schema: z.ZodType): FileSchema => ({
  $id: `urn:quotaspec:${name}:1`,
  title: `quotaspec ${title}`,
  ...(z.toJSONSchema(schema, { io: 'input' }) as SchemaPart),
})

/** The schema of a scenario: each probe with its settings, so that editors complete and explain them. */
const scenarioJsonSchema = (): FileSchema => {
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

/** The JSON Schema of each file that people write, and of `report.json`, by its published name. */
export const schemas = {
  quotaspec: schemaOf('config', 'configuration', configSchema),
  scenario: scenarioJsonSchema(),
  contract: schemaOf('contract', 'contract', contractFileSchema),
  waivers: schemaOf('waivers', 'waivers', waiversSchema),
  'client-cases': schemaOf('client-cases', 'client cases', clientCasesSchema),
  // It allows fields that a later version adds.
  report: schemaOf('report', 'report', reportModel),
} as const

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

/** The content of the folder `schema`, by file name. */
export const publishedFiles = (): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [`${name}.schema.json`, json(schema)])),
  'petstore.openapi.json': json(openApiDocument()),
})
