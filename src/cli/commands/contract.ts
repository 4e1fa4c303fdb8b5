import { openApiDocument } from '../../contract/petstore/openapi.js'

const formats = { openapi: openApiDocument } as const
type Format = keyof typeof formats

interface Args {
  readonly as: Format
}

/** Prints the interface that targets are held to. */
export const contract = ({ as }: Args): void => {
  process.stdout.write(`${JSON.stringify(formats[as](), null, 2)}\n`)
}
