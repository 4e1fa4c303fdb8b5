import { openApiDocument } from '../../contract/petstore/openapi.js'
import type { contractSurface } from '../surface/references.js'
import type { ArgsOf } from '../surface/surface.js'

const formats = { openapi: openApiDocument } as const
type Args = ArgsOf<typeof contractSurface>

/** Prints the interface that targets are held to. */
export const contract = ({ as }: Args): void => {
  process.stdout.write(`${JSON.stringify(formats[as](), null, 2)}\n`)
}
