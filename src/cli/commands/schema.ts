import { UsageError } from '../../kit/usage-error.js'
import type { schemaSurface } from '../surface/references.js'
import type { ArgsOf } from '../surface/surface.js'

type Args = ArgsOf<typeof schemaSurface>

const textOf = async ({ of, as }: Args): Promise<string> => {
  if (of === 'report') {
    if (as === 'markdown')
      throw new UsageError('schema report --as markdown: only files that people write have a reference')
    return (await import('../../report/formats/render-json.js')).renderJsonSchema()
  }
  const { fileTexts } = await import('../reference/file-schemas.js')
  return fileTexts(of)[as]
}

/** Prints the JSON Schema of report.json, or of a file that people write, or the reference of such a file. */
export const schema = async (args: Args): Promise<void> => {
  process.stdout.write(await textOf(args))
}
