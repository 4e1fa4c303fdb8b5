import { z } from 'zod'
import { clientCasesSchema } from '../../client-audit/client-cases.js'
import { contractFileSchema } from '../../contract/file/contract-file-schema.js'
import { openApiDocument } from '../../contract/petstore/openapi.js'
import { type SchemaPart, schemaTables } from '../../kit/schema-tables.js'
import { UsageError } from '../../kit/usage-error.js'
import { configSchema } from '../../run/options/config-file.js'
import { scenarioSchema } from '../../run/options/scenario.js'
import { waiversSchema } from '../../run/options/waivers.js'
import { probes } from '../../run/plan/probe-registry.js'
import type { ArgsOf } from '../flags/command.js'
import type { contractSurface, schemaSurface } from '../flags/contracts.js'

/** A JSON Schema (draft 2020-12) of a file that people write, for their editors and for its reference. */
type FileSchema = SchemaPart & { readonly $id: string }

const schemaOf = (name: string, title: string, schema: z.ZodType): FileSchema => ({
  $id: `urn:quotaspec:${name}:1`,
  title: `quotaspec ${title}`,
  ...(z.toJSONSchema(schema, { io: 'input' }) as SchemaPart),
})

/** Of a scenario: each probe with its settings, so that editors complete and explain them. */
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

/** The JSON Schema of each file that people write. */
export const fileSchemas = {
  config: () => schemaOf('config', 'configuration', configSchema),
  scenario: () => scenarioJsonSchema(),
  contract: () => schemaOf('contract', 'contract', contractFileSchema),
  waivers: () => schemaOf('waivers', 'waivers', waiversSchema),
  'client-cases': () => schemaOf('client-cases', 'client cases', clientCasesSchema),
} as const satisfies Readonly<Record<string, () => FileSchema>>

type FileName = keyof typeof fileSchemas

/** The name that a schema is published under: that of the file where this has one of its own, as editors look for it. */
export const publishedName = (name: FileName): string => (name === 'config' ? 'quotaspec' : name)

/** The schema as it is published, indented, with a line feed at its end, and the reference of the file: its fields in Markdown tables. */
export const fileTexts = (name: FileName): { readonly json: string; readonly markdown: string } => {
  const schema = fileSchemas[name]()
  return { json: `${JSON.stringify(schema, null, 2)}\n`, markdown: schemaTables(schema) }
}

type Args = ArgsOf<typeof schemaSurface>

const textOf = async ({ of, as }: Args): Promise<string> => {
  if (of === 'report') {
    if (as === 'markdown')
      throw new UsageError('schema report --as markdown: only files that people write have a reference')
    return (await import('../../report/formats/json.js')).renderJsonSchema()
  }
  return fileTexts(of)[as]
}

/** Prints the JSON Schema of report.json, or of a file that people write, or the reference of such a file. */
export const schema = async (args: Args): Promise<void> => {
  process.stdout.write(await textOf(args))
}

const formats = { openapi: openApiDocument } as const
/** Prints the interface that targets are held to. */
export const contract = ({ as }: ArgsOf<typeof contractSurface>): void => {
  process.stdout.write(`${JSON.stringify(formats[as](), null, 2)}\n`)
}
