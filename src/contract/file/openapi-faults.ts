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
    .map((step) => decoded(step).replaceAll('~1', '/').replaceAll('~0', '~'))

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Where a reference stands. A part that an alias of YAML brings in again is not looked through again. */
const pathOf = (part: unknown, ref: string, seen = new Set<unknown>()): string[] | undefined => {
  if (typeof part !== 'object' || part === null || seen.has(part)) return undefined
  seen.add(part)
  for (const [step, value] of Object.entries(part)) {
    if (step === '$ref' && typeof value === 'string' && decoded(value) === ref) return []
    const path = pathOf(value, ref, seen)
    if (path) return [step, ...path]
  }
  return undefined
}

/** Where a form of several was not met, what the forms say is more telling than that none fits. */
const vague = ['oneOf', 'anyOf', 'if', 'not']

/** What the validator says of a rule, as far as it is read here. */
interface BrokenRule {
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
}

/** 1 for what only says that no form fits, or that it could have been a reference. */
const vagueness = ({ keyword, params }: BrokenRule): number =>
  Number(vague.includes(keyword) || params.missingProperty === '$ref')

/** The first rule of its version that a document breaks; undefined where it keeps all of them. Nothing is fetched. */
export const faultIn = async (root: Part): Promise<DocumentFault | undefined> => {
  // Most contracts have no document, and the validator is slow to load.
  const { Validator } = await import('@seriousme/openapi-schema-validator')
  const { valid, errors } = await new Validator().validate(structuredClone(root))
  if (valid) return undefined
  if (!Array.isArray(errors)) {
    const [, ref, outside] = /^Can't resolve (.*?)(, only internal refs.*)?$/.exec(errors ?? '') ?? []
    if (ref === undefined) return { path: [], why: `is no document that can be read: ${errors}` }
    const why = outside ? 'leads out of the document: bundle it into one file' : 'leads to nothing in the document'
    return { path: [...(pathOf(root, ref) ?? []), '$ref'], why: `${ref} ${why}` }
  }
  const [worst] = errors.toSorted(
    (a, b) => vagueness(a) - vagueness(b) || steps(b.instancePath).length - steps(a.instancePath).length,
  )
  const extra = worst.params.additionalProperty ?? worst.params.unevaluatedProperty ?? worst.propertyName
  return {
    path: steps(worst.instancePath),
    why: `${worst.message ?? 'is not as OpenAPI has it'}${extra === undefined ? '' : `: ${extra}`}`,
  }
}
