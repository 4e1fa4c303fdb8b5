import { schemaTables } from '../../kit/schema-tables.js'
import { UsageError } from '../../kit/usage-error.js'
import {
  clientCasesJsonSchema,
  configJsonSchema,
  contractJsonSchema,
  type FileSchema,
  renderSchema,
  scenarioJsonSchema,
  waiversJsonSchema,
} from '../../run/options/json-schemas.js'
import { probes } from '../../run/plan/probe-registry.js'
import type { schemaSurface } from '../surface/references.js'
import type { ArgsOf } from '../surface/surface.js'

/** The JSON Schema of each file that people write. */
export const fileSchemas = {
  config: configJsonSchema,
  scenario: (): FileSchema => scenarioJsonSchema(probes),
  contract: contractJsonSchema,
  waivers: waiversJsonSchema,
  'client-cases': clientCasesJsonSchema,
} as const

export type FileName = keyof typeof fileSchemas

/** The schema as it is published, and the reference of the file: its fields in Markdown tables. */
export const fileTexts = (name: FileName): { readonly json: string; readonly markdown: string } => {
  const schema = fileSchemas[name]()
  return { json: renderSchema(schema), markdown: schemaTables(schema) }
}

type Args = ArgsOf<typeof schemaSurface>

const textOf = async ({ of, as }: Args): Promise<string> => {
  if (of === 'report') {
    if (as === 'markdown')
      throw new UsageError('schema report --as markdown: only files that people write have a reference')
    return (await import('../../report/formats/render-json.js')).renderJsonSchema()
  }
  return fileTexts(of)[as]
}

/** Prints the JSON Schema of report.json, or of a file that people write, or the reference of such a file. */
export const schema = async (args: Args): Promise<void> => {
  process.stdout.write(await textOf(args))
}
