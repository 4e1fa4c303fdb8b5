import { z } from 'zod'
import { contractFileSchema } from './contract-file-schema.js'

/** JSON Schema (draft 2020-12) of a contract file, for editors. It knows no field beyond those of its version. */
export const contractJsonSchema = (): Record<string, unknown> => ({
  $id: 'urn:quotaspec:contract:1',
  title: 'quotaspec contract',
  ...z.toJSONSchema(contractFileSchema, { io: 'input' }),
})

/** The JSON Schema as it is published: indented, with a line feed at its end. */
export const renderContractSchema = (): string => `${JSON.stringify(contractJsonSchema(), null, 2)}\n`
