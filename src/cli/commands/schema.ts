import type { CommandModule } from 'yargs'
import { renderJsonSchema } from '../../report/render-json.js'
import { renderContractSchema } from '../../scenario/contract-file/contract-json-schema.js'

const schemas = { report: renderJsonSchema, contract: renderContractSchema } as const
type SchemaName = keyof typeof schemas

interface Args {
  readonly of: SchemaName
}

/** Prints the JSON Schema of report.json, or of a contract file. */
export const schemaCommand: CommandModule<object, Args> = {
  command: 'schema [of]',
  describe: 'Print the JSON Schema of report.json, or of a contract file',
  builder: (yargs) =>
    yargs.positional('of', {
      choices: Object.keys(schemas) as SchemaName[],
      default: 'report' as const,
      describe: 'What is described',
    }),
  handler: ({ of }) => {
    process.stdout.write(schemas[of]())
  },
}
