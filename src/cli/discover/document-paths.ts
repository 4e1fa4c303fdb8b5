import { basename } from 'node:path'
import { type DocumentOperation, readOpenApi } from '../../contract/file/openapi-document.js'
import { UsageError } from '../../kit/usage-error.js'

/** As many of a document's operations as there is room to ask for. */
const most = 3

const isPlain = ({ method, path, parameters, elsewhere }: DocumentOperation): boolean =>
  method === 'GET' && !elsewhere && !path.includes('{') && parameters.every(({ required }) => required !== true)

/** The paths of a document's simplest operations: GETs that need no parameter. The shortest come first. */
export const documentPaths = async (file: string): Promise<readonly string[]> => {
  const refused = (_: readonly PropertyKey[], why: string) => new UsageError(`--openapi ${file}: ${why}`)
  const { operations } = await readOpenApi(file, basename(file), refused)
  const paths = [...operations.values()].filter(isPlain).map(({ path }) => path)
  if (paths.length === 0) throw new UsageError(`--openapi ${file}: it has no GET that needs no parameter: give --probe`)
  return paths.sort((a, b) => a.length - b.length).slice(0, most)
}
