import type { CommandModule } from 'yargs'
import { UsageError } from '../../kit/usage-error.js'

const names = ['report', 'config', 'scenario', 'contract', 'waivers', 'client-cases'] as const
const formats = ['json', 'markdown'] as const

interface Args {
  readonly of: (typeof names)[number]
  readonly as: (typeof formats)[number]
}

const textOf = async ({ of, as }: Args): Promise<string> => {
  if (of === 'report') {
    if (as === 'markdown')
      throw new UsageError('schema report --as markdown: only files that people write have a reference')
    return (await import('../../report/render-json.js')).renderJsonSchema()
  }
  const { fileTexts } = await import('../reference/file-schemas.js')
  return fileTexts(of)[as]
}

/** Prints the JSON Schema of report.json, or of a file that people write, or the reference of such a file. */
export const schemaCommand: CommandModule<object, Args> = {
  command: 'schema [of]',
  describe: 'Print the JSON Schema of report.json, or of a file that you write',
  builder: (yargs) =>
    yargs.positional('of', { choices: names, default: 'report' as const, describe: 'What is described' }).options({
      as: {
        choices: formats,
        default: 'json' as const,
        describe: 'json: the schema; markdown: the fields of the file in tables',
      },
    }) as never,
  handler: async (args) => {
    process.stdout.write(await textOf(args))
  },
}
