import { schemaTables } from '../../kit/schema-tables.js'
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
