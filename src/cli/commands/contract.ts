import { openApiDocument } from '../../contract/petstore/openapi.js'
import type { ArgsOf } from '../flags/command.js'
import type { contractSurface } from '../flags/contracts.js'

const formats = { openapi: openApiDocument } as const
type Args = ArgsOf<typeof contractSurface>

/** Prints the interface that targets are held to. */
export const contract = ({ as }: Args): void => {
  process.stdout.write(`${JSON.stringify(formats[as](), null, 2)}\n`)
}
