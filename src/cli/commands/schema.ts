import type { CommandModule } from 'yargs'
import { renderJsonSchema } from '../../report/render-json.js'

/** Prints the JSON Schema of report.json. */
export const schemaCommand: CommandModule = {
  command: 'schema',
  describe: 'Print the JSON Schema of report.json',
  handler: () => {
    process.stdout.write(renderJsonSchema())
  },
}
