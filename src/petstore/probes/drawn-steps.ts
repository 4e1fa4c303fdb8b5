import fc from 'fast-check'

/** One step of a walk of valid requests: sets the pet at a place of the list to a quantity, or reads the list. */
export type SequenceStep = { readonly set: bigint; readonly place: number } | 'read'

/** A request that has to be refused: an invalid body, or an id that no entry has. */
export type Refusable = { readonly body: string } | { readonly absentId: bigint }

/** Quantities that the target has to accept: between the least and the greatest that its own list shows. */
export interface QuantityRange {
  readonly low: bigint
  readonly high: bigint
}

/** The most steps of a walk: few enough that several walks, and the shrinking of one, fit into forty requests. */
export const mostSteps = 4

/** Quantities that may be beyond the target's bounds: a 400 is allowed (INV-10); what is accepted has to be kept. */
const openQuantities = { low: 1n, high: 1_000n } as const

const sets = (places: number, { low, high }: QuantityRange) =>
  fc.record({ place: fc.nat(places - 1), set: fc.bigInt({ min: low, max: high }) })

/** Sequences of PATCH and GET over `places` pets, with at least one PATCH in each. */
export const sequences = (places: number, range: QuantityRange | undefined): fc.Arbitrary<SequenceStep[]> => {
  const open = sets(places, openQuantities)
  const step = fc.oneof(
    { arbitrary: range ? sets(places, range) : open, weight: 4 },
    { arbitrary: open, weight: 1 },
    { arbitrary: fc.constant<SequenceStep>('read'), weight: 2 },
  )
  return fc.array(step, { minLength: 1, maxLength: mostSteps }).filter((steps) => steps.some((each) => each !== 'read'))
}

/** Plain letters and digits: nothing that a gateway would block for its own reasons. */
const plainText = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'abcXYZ 0123456789.-'), maxLength: 8 }),
  fc.integer({ min: -1_000, max: 1_000 }).map(String),
)

/** Fractions that an IEEE double does not take for an integer. */
const fractions = fc
  .tuple(fc.integer({ min: -1_000, max: 1_000 }), fc.integer({ min: 1, max: 99 }))
  .map(([whole, part]) => `${whole}.${part < 10 ? '0' : ''}${part}`)

const notIntegers = fc.oneof(
  plainText.map((text) => JSON.stringify(text)),
  fractions,
  fc.constantFrom('true', 'false', 'null'),
  fc.array(fc.nat(9), { maxLength: 3 }).map((items) => JSON.stringify(items)),
  fc
    .dictionary(fc.constantFrom('value', 'quantity', 'n'), fc.nat(9), { maxKeys: 2 })
    .map((fields) => JSON.stringify(fields)),
)

const notObjects = fc.oneof(
  fc.integer({ min: -1_000, max: 1_000 }).map(String),
  plainText.map((text) => JSON.stringify(text)),
  fc.constantFrom('true', 'null', '[]'),
  fc
    .array(
      fc.nat(9).map((quantity) => ({ quantity })),
      { minLength: 1, maxLength: 2 },
    )
    .map((items) => JSON.stringify(items)),
)

/** A valid body that breaks off: no proper part of an object's text is JSON. */
const cutOff = fc.tuple(fc.nat(1_000), fc.nat()).map(([quantity, at]) => {
  const whole = `{"quantity":${quantity}}`
  return whole.slice(0, 1 + (at % (whole.length - 1)))
})

/** Bodies that INV-5 speaks of: not JSON, not an object, or an object whose quantity is not an integer. */
export const invalidBodies: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: notIntegers.map((value) => `{"quantity":${value}}`), weight: 4 },
  { arbitrary: notObjects, weight: 2 },
  { arbitrary: cutOff, weight: 1 },
)

/** Requests that have to be refused, a few in a row. */
export const refusables = (absentIds: readonly bigint[]): fc.Arbitrary<Refusable[]> =>
  fc.array(
    fc.oneof(
      { arbitrary: invalidBodies.map((body): Refusable => ({ body })), weight: 5 },
      { arbitrary: fc.constantFrom(...absentIds).map((absentId): Refusable => ({ absentId })), weight: 2 },
    ),
    { minLength: 1, maxLength: mostSteps },
  )

/** A property that is played against the target: what it may cost, and how one input is played. */
export interface BoundedSearch<Input, Broken extends string> {
  readonly arbitrary: fc.Arbitrary<Input>
  /** Inputs that are played before any is drawn, for what a few draws might leave out. */
  readonly examples?: readonly Input[]
  readonly seed: number
  /** The most requests that it may send in total. */
  readonly requests: number
  /** The most requests that one input takes. */
  cost(input: Input): number
  /** Requests sent so far, by this search or before it. */
  sent(): number
  /** Plays an input; gives what it broke, or undefined. */
  play(input: Input): Promise<Broken | undefined>
  /** Whether somebody else may have caused the breach, so that it has to be seen again. */
  isDoubtful(broken: Broken): boolean
  /** A reading of one request before and after the last try: a change between two readings is somebody else's. */
  control(): Promise<unknown>
}

/**
 * Plays inputs until one breaks something, shrinks it to a small one that breaks the same, and, if that is doubtful,
 * plays it once more between two controls. Resolves to how many of `requests` are left; with 40, and an input that
 * takes 3, the search goes on until 35 are sent, because the last try takes 5. What `play` throws ends the search, and
 * is thrown.
 */
export const searchWithin = async <Input, Broken extends string>(
  search: BoundedSearch<Input, Broken>,
): Promise<number> => {
  const before = search.sent()
  const left = () => search.requests - (search.sent() - before)
  let smallest: { readonly input: Input; readonly broken: Broken } | undefined
  let thrown: { readonly error: unknown } | undefined
  /** Requests that the last try takes: kept back from the start, because any input may be the one. */
  const keptBack = (input: Input) => {
    if (smallest && !search.isDoubtful(smallest.broken)) return 0
    return search.cost(smallest?.input ?? input) + 2
  }

  /** False if the input breaks the same as the smallest so far; true, unplayed, once no requests are left. */
  const holds = async (input: Input): Promise<boolean> => {
    if (thrown || left() < search.cost(input) + keptBack(input)) return true
    try {
      const broken = await search.play(input)
      if (broken === undefined || (smallest && broken !== smallest.broken)) return true
      smallest = { input, broken }
      return false
    } catch (error) {
      thrown = { error }
      return true
    }
  }
  const examples = (search.examples ?? []).map((each): [Input] => [each])
  await fc.check(fc.asyncProperty(search.arbitrary, holds), { seed: search.seed, numRuns: search.requests, examples })
  if (thrown) throw thrown.error
  if (smallest && search.isDoubtful(smallest.broken)) {
    await search.control()
    await search.play(smallest.input)
    await search.control()
  }
  return left()
}
