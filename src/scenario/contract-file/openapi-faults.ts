type Part = Record<string, unknown>

/** What is wrong with a document, and where. */
export interface DocumentFault {
  readonly path: readonly string[]
  readonly why: string
}

const steps = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'))

/** Where a form of several was not met, what the forms say is more telling than that none fits. */
const vague = ['oneOf', 'anyOf', 'if', 'not', '$ref']

/** The first rule of its version that a document breaks; undefined where it keeps all of them. Nothing is fetched. */
export const faultIn = async (root: Part): Promise<DocumentFault | undefined> => {
  // Most contracts have no document, and the validator is slow to load.
  const { Validator } = await import('@seriousme/openapi-schema-validator')
  const { valid, errors } = await new Validator().validate(structuredClone(root))
  if (valid) return undefined
  if (!Array.isArray(errors)) {
    const outside = /^Can't resolve (.*), only internal refs/.exec(errors ?? '')
    return outside
      ? { path: [], why: `its $ref ${outside[1]} leads out of the document: bundle it into one file` }
      : { path: [], why: `is no document that can be read: ${errors}` }
  }
  const depth = (pointer: string) => pointer.split('/').length
  const [worst] = errors
    .filter(({ keyword }) => !vague.includes(keyword))
    .concat(errors)
    .sort(
      (a, b) =>
        Number(vague.includes(a.keyword)) - Number(vague.includes(b.keyword)) ||
        depth(b.instancePath) - depth(a.instancePath),
    )
  const extra = worst.params.additionalProperty ?? worst.params.unevaluatedProperty
  return {
    path: steps(worst.instancePath),
    why: `${worst.message ?? 'is not as OpenAPI has it'}${extra === undefined ? '' : `: ${extra}`}`,
  }
}
