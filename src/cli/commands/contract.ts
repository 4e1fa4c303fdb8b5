import type { CommandModule } from 'yargs'
import { openApiDocument } from '../../contract/openapi.js'

const formats = { openapi: openApiDocument } as const
type Format = keyof typeof formats

interface Args {
  readonly as: Format
}

/** Prints the interface that targets are held to. */
export const contractCommand: CommandModule<object, Args> = {
  command: 'contract',
  describe: 'Print the interface that targets are held to, as an OpenAPI 3.1 document',
  builder: (yargs) =>
    yargs.option('as', {
      choices: Object.keys(formats) as Format[],
      default: 'openapi' as const,
      describe: 'The format',
    }),
  handler: ({ as }) => {
    process.stdout.write(`${JSON.stringify(formats[as](), null, 2)}\n`)
  },
}
